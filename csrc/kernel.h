/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How kernels are compiled. With TRUEVAT_PORTABLE as everywhere, without what only some processors
 * or compilers have; the results are the same.
 */
#ifndef TRUEVAT_KERNEL_H
#define TRUEVAT_KERNEL_H

#include <stdlib.h> /* defines __GLIBC__ */

#if (defined(__SSE2__) || defined(_M_X64)) && !defined(TRUEVAT_PORTABLE)
#define TV_SSE2
#endif
#if defined(__x86_64__) && defined(__GNUC__) && !defined(TRUEVAT_PORTABLE)
#define TV_F16C
#endif
#if defined(__SIZEOF_INT128__) && !defined(TRUEVAT_PORTABLE)
#define TV_INT128
#endif

/* Before a kernel: compiled for wider vector units too, the best one being chosen when the module
 * is loaded. Results are the same, since nothing is contracted or reordered. Where the loader
 * cannot choose, a sanitizer would not survive it, or the compiler (clang 14) forgets a symbol,
 * there is one version. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&       \
    !defined(TRUEVAT_PORTABLE) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TV_KERNEL __attribute__((target_clones("arch=skylake-avx512", "avx2", "default")))
#else
#define TV_KERNEL
#endif

/* Parts of a kernel: in it, and so compiled for the same units. */
#if defined(__GNUC__)
#define TV_INLINE static inline __attribute__((always_inline))
#else
#define TV_INLINE static inline
#endif

#endif
