/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef _WIN32
#define _GNU_SOURCE /* mkstemp, pread, madvise under -std=c11 */
#define _FILE_OFFSET_BITS 64
#endif

#include "platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One system call moves at most this much: Linux stops at 2 GiB, Windows at 4. */
static const size_t kMaxTransfer = (size_t)1 << 30;

typedef struct {
    tv_thread_main function;
    void *argument;
} thread_call;

static thread_call *newCall(tv_thread_main function, void *argument) {
    thread_call *call = malloc(sizeof *call);
    if (call) {
        call->function = function;
        call->argument = argument;
    }
    return call;
}

static void runCall(void *pointer) {
    thread_call call = *(thread_call *)pointer;
    free(pointer);
    call.function(call.argument);
}

#ifdef _WIN32

static int errnoOf(DWORD code) {
    switch (code) {
    case ERROR_SUCCESS:
        return 0;
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
        return ENOENT;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_WRITE_PROTECT:
        return EACCES;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        return ENOSPC;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
        return ENOMEM;
    default:
        return EIO;
    }
}

static DWORD WINAPI threadEntry(LPVOID pointer) {
    runCall(pointer);
    return 0;
}

int tv_thread_start(tv_thread *thread, tv_thread_main function, void *argument) {
    thread_call *call = newCall(function, argument);
    if (!call)
        return ENOMEM;
    *thread = CreateThread(NULL, 0, threadEntry, call, 0, NULL);
    if (*thread)
        return 0;
    free(call);
    return errnoOf(GetLastError());
}

void tv_thread_join(tv_thread thread) {
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

int tv_mutex_init(tv_mutex *mutex) {
    InitializeSRWLock(mutex);
    return 0;
}

void tv_mutex_destroy(tv_mutex *mutex) {
    (void)mutex;
}

void tv_mutex_lock(tv_mutex *mutex) {
    AcquireSRWLockExclusive(mutex);
}

void tv_mutex_unlock(tv_mutex *mutex) {
    ReleaseSRWLockExclusive(mutex);
}

int tv_cond_init(tv_cond *cond) {
    InitializeConditionVariable(cond);
    return 0;
}

void tv_cond_destroy(tv_cond *cond) {
    (void)cond;
}

void tv_cond_wait(tv_cond *cond, tv_mutex *mutex) {
    SleepConditionVariableSRW(cond, mutex, INFINITE, 0);
}

void tv_cond_broadcast(tv_cond *cond) {
    WakeAllConditionVariable(cond);
}

void *tv_pages_allocate(size_t size) {
    return VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void tv_pages_free(void *pages, size_t size) {
    (void)size;
    if (pages)
        VirtualFree(pages, 0, MEM_RELEASE);
}

static wchar_t *widePath(const char *path) {
    int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    wchar_t *wide = length > 0 ? malloc((size_t)length * sizeof *wide) : NULL;
    if (wide)
        MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, length);
    return wide;
}

int tv_file_create(tv_file *file, const char *path) {
    wchar_t *wide = widePath(path);
    if (!wide)
        return EINVAL;
    *file = CreateFileW(wide, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, NULL, CREATE_ALWAYS,
                        FILE_ATTRIBUTE_NORMAL, NULL);
    int code = *file == INVALID_HANDLE_VALUE ? errnoOf(GetLastError()) : 0;
    free(wide);
    return code;
}

int tv_file_create_temporary(tv_file *file, const char *directory) {
    wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 1];
    wchar_t *wide = directory ? widePath(directory) : NULL;
    if (directory && !wide)
        return EINVAL;
    if (!wide && !GetTempPathW(MAX_PATH, folder))
        return errnoOf(GetLastError());
    UINT named = GetTempFileNameW(wide ? wide : folder, L"vat", 0, path);
    DWORD failure = GetLastError();
    free(wide);
    if (!named)
        return errnoOf(failure);
    *file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, CREATE_ALWAYS,
                        FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    if (*file != INVALID_HANDLE_VALUE)
        return 0;
    failure = GetLastError();
    DeleteFileW(path); /* finding a free name has made an empty file */
    return errnoOf(failure);
}

int tv_file_write_at(tv_file file, const void *data, size_t size, uint64_t offset) {
    const char *bytes = data;
    while (size) {
        OVERLAPPED at = {0};
        at.Offset = (DWORD)offset;
        at.OffsetHigh = (DWORD)(offset >> 32);
        DWORD done = 0;
        if (!WriteFile(file, bytes, (DWORD)(size < kMaxTransfer ? size : kMaxTransfer), &done, &at))
            return errnoOf(GetLastError());
        bytes += done;
        offset += done;
        size -= done;
    }
    return 0;
}

int tv_file_read_at(tv_file file, void *data, size_t size, uint64_t offset) {
    char *bytes = data;
    while (size) {
        OVERLAPPED at = {0};
        at.Offset = (DWORD)offset;
        at.OffsetHigh = (DWORD)(offset >> 32);
        DWORD done = 0;
        if (!ReadFile(file, bytes, (DWORD)(size < kMaxTransfer ? size : kMaxTransfer), &done, &at))
            return errnoOf(GetLastError());
        if (!done)
            return EIO;
        bytes += done;
        offset += done;
        size -= done;
    }
    return 0;
}

int tv_file_close(tv_file *file) {
    HANDLE handle = *file;
    *file = TV_NO_FILE;
    return CloseHandle(handle) ? 0 : errnoOf(GetLastError());
}

#else

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static void *threadEntry(void *pointer) {
    runCall(pointer);
    return NULL;
}

int tv_thread_start(tv_thread *thread, tv_thread_main function, void *argument) {
    thread_call *call = newCall(function, argument);
    if (!call)
        return ENOMEM;
    int code = pthread_create(thread, NULL, threadEntry, call);
    if (code)
        free(call);
    return code;
}

void tv_thread_join(tv_thread thread) {
    pthread_join(thread, NULL);
}

int tv_mutex_init(tv_mutex *mutex) {
    return pthread_mutex_init(mutex, NULL);
}

void tv_mutex_destroy(tv_mutex *mutex) {
    pthread_mutex_destroy(mutex);
}

void tv_mutex_lock(tv_mutex *mutex) {
    pthread_mutex_lock(mutex);
}

void tv_mutex_unlock(tv_mutex *mutex) {
    pthread_mutex_unlock(mutex);
}

int tv_cond_init(tv_cond *cond) {
    return pthread_cond_init(cond, NULL);
}

void tv_cond_destroy(tv_cond *cond) {
    pthread_cond_destroy(cond);
}

void tv_cond_wait(tv_cond *cond, tv_mutex *mutex) {
    pthread_cond_wait(cond, mutex);
}

void tv_cond_broadcast(tv_cond *cond) {
    pthread_cond_broadcast(cond);
}

void *tv_pages_allocate(size_t size) {
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
#ifdef MADV_HUGEPAGE
    madvise(pages, size, MADV_HUGEPAGE); /* a wish: refusing it changes nothing */
#endif
    return pages;
}

void tv_pages_free(void *pages, size_t size) {
    if (pages)
        munmap(pages, size);
}

int tv_file_create(tv_file *file, const char *path) {
    *file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return *file < 0 ? errno : 0;
}

int tv_file_create_temporary(tv_file *file, const char *directory) {
    static const char kName[] = "/truevat-XXXXXX";
    const char *folder = directory ? directory : getenv("TMPDIR");
    if (!folder || !*folder)
        folder = "/tmp";
    size_t length = strlen(folder);
    char *path = malloc(length + sizeof kName);
    if (!path)
        return ENOMEM;
    memcpy(path, folder, length);
    memcpy(path + length, kName, sizeof kName);
    *file = mkstemp(path);
    int code = *file < 0 ? errno : 0;
    if (!code) {
        unlink(path);
        fcntl(*file, F_SETFD, FD_CLOEXEC);
    }
    free(path);
    return code;
}

int tv_file_write_at(tv_file file, const void *data, size_t size, uint64_t offset) {
    const char *bytes = data;
    while (size) {
        ssize_t done =
            pwrite(file, bytes, size < kMaxTransfer ? size : kMaxTransfer, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? errno : EIO;
        bytes += done;
        offset += (uint64_t)done;
        size -= (size_t)done;
    }
    return 0;
}

int tv_file_read_at(tv_file file, void *data, size_t size, uint64_t offset) {
    char *bytes = data;
    while (size) {
        ssize_t done = pread(file, bytes, size < kMaxTransfer ? size : kMaxTransfer, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? errno : EIO;
        bytes += done;
        offset += (uint64_t)done;
        size -= (size_t)done;
    }
    return 0;
}

int tv_file_close(tv_file *file) {
    int handle = *file;
    *file = TV_NO_FILE;
    return close(handle) < 0 ? errno : 0;
}

#endif
