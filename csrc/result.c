/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "truevat.h"

const char *tv_result_text(tv_result result) {
    switch (result) {
    case TV_OK:
        return "no error";
    case TV_OUT_OF_MEMORY:
        return "out of memory";
    case TV_IO:
        return "reading or writing a file failed";
    case TV_NOT_FINITE:
        return "a position is not a finite number";
    case TV_OUT_OF_RANGE:
        return "an index points outside its array";
    case TV_MISMATCH:
        return "a frame has other counts than the first one";
    case TV_TOO_LARGE:
        return "it does not fit into the largest texture";
    case TV_CODEC:
        return "tinyexr could not encode the texture";
    case TV_SINK_IO:
        return "writing the texture failed";
    case TV_NOT_TAKEN:
        return "a frame cannot be written before the others are known";
    }
    return "unknown error";
}
