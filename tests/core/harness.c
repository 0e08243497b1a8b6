/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Without an argument: lists the tests. With one: runs that test.
 */
#define _GNU_SOURCE
#include "harness.h"

#include <unistd.h>

static const char kPattern[] = "/tmp/truevat-core-XXXXXX";
static char folder[sizeof kPattern];

const char *newFolder(void) {
    memcpy(folder, kPattern, sizeof kPattern);
    assert(mkdtemp(folder));
    return folder;
}

void forgetFolder(void) {
    assert(rmdir(folder) == 0);
}

int main(int count, char **arguments) {
    const test_case *tables[] = {kHashTests,   kSlotsTests,  kLayoutTests,     kTransformTests,
                                 kNormalTests, kTrackTests,  kTrackErrorTests, kTextureTests,
                                 kExrTests,    kWriterTests, kHalfTests};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const test_case *test = tables[t]; test->name; test++) {
            if (count < 2) {
                puts(test->name);
            } else if (!strcmp(arguments[1], test->name)) {
                test->run();
                return 0;
            }
        }
    return count < 2 ? 0 : 2;
}
