/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What POSIX and Windows do differently: threads, positioned file access, temporary files.
 */
#ifndef TRUEVAT_PLATFORM_H
#define TRUEVAT_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
typedef HANDLE tv_thread;
typedef SRWLOCK tv_mutex;
typedef CONDITION_VARIABLE tv_cond;
typedef HANDLE tv_file;
#define TV_NO_FILE INVALID_HANDLE_VALUE
#else
#include <pthread.h>
typedef pthread_t tv_thread;
typedef pthread_mutex_t tv_mutex;
typedef pthread_cond_t tv_cond;
typedef int tv_file;
#define TV_NO_FILE (-1)
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*tv_thread_main)(void *argument);

/* All return 0 or an errno value. */
int tv_thread_start(tv_thread *thread, tv_thread_main function, void *argument);
void tv_thread_join(tv_thread thread);

int tv_mutex_init(tv_mutex *mutex);
void tv_mutex_destroy(tv_mutex *mutex);
void tv_mutex_lock(tv_mutex *mutex);
void tv_mutex_unlock(tv_mutex *mutex);

int tv_cond_init(tv_cond *cond);
void tv_cond_destroy(tv_cond *cond);
void tv_cond_wait(tv_cond *cond, tv_mutex *mutex);
void tv_cond_broadcast(tv_cond *cond);

/* Zeroed memory straight from the system, in large pages where it has them: touching fresh memory
 * page by page costs more than what is written there. NULL if there is none. */
void *tv_pages_allocate(size_t size);
void tv_pages_free(void *pages, size_t size);

/* Paths are UTF-8. A new file replaces an old one of that name. */
int tv_file_create(tv_file *file, const char *path);
/* A file that nobody can see and that is gone when it is closed, however the process ends.
 * directory NULL: TMPDIR, or the system's folder. */
int tv_file_create_temporary(tv_file *file, const char *directory);
int tv_file_write_at(tv_file file, const void *data, size_t size, uint64_t offset);
int tv_file_read_at(tv_file file, void *data, size_t size, uint64_t offset);
int tv_file_close(tv_file *file);

#ifdef __cplusplus
}
#endif

#endif
