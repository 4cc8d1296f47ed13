// Preloaded into programs: makes a system call on files below a folder fail, or its disk full.
//
// FAULT_UNDER  the folder, as an absolute path; other files are left alone
// FAULT_AT     the number of the call that fails once, of each process, counted from 1
// FAULT_BYTES  how many bytes each process can write there before the disk is full for good
// FAULT_LOG    a file, outside of the folder, that gets a line for each call that failed
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long calls;
static atomic_long bytes;

static long number_in(const char* variable) {
  const char* text = getenv(variable);
  return text != NULL ? atol(text) : -1;
}

static void tell(const char* call, const char* path) {
  const char* log = getenv("FAULT_LOG");
  if (log == NULL) return;
  const int file =
      (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  char line[5000];
  const int size = snprintf(line, sizeof line, "%s %s\n", call, path);
  if (file < 0) return;
  if (syscall(SYS_write, file, line, (size_t)size) < 0) abort();
  syscall(SYS_close, file);
}

static int is_meant(const char* path) {
  const char* under = getenv("FAULT_UNDER");
  if (under == NULL || path == NULL) return 0;
  char whole[8192] = "";
  if (path[0] != '/' && getcwd(whole, 4096) != NULL) strcat(whole, "/");
  strncat(whole, path, 4000);
  return strncmp(whole, under, strlen(under)) == 0;
}

/// Whether this call is the one that fails.
static int fails(const char* call, const char* path) {
  if (!is_meant(path)) return 0;
  const long at = number_in("FAULT_AT");
  if (at < 0 || atomic_fetch_add(&calls, 1) + 1 != at) return 0;
  tell(call, path);
  errno = strcmp(call, "write") == 0 || strcmp(call, "fsync") == 0 ? EIO : ENOSPC;
  return 1;
}

static const char* path_of(int file, char* buffer, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, buffer, size - 1);
  buffer[length < 0 ? 0 : length] = '\0';
  return buffer;
}

static int fails_at(const char* call, int file) {
  char path[4096];
  const int before = errno;
  const int failed = fails(call, path_of(file, path, sizeof path));
  if (!failed) errno = before;
  return failed;
}

#define REAL(name) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))

#define OPEN(name)                                                                       \
  int name(const char* path, int flags, ...) {                                           \
    va_list list;                                                                        \
    va_start(list, flags);                                                               \
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0; \
    va_end(list);                                                                        \
    if (fails("open", path)) return -1;                                                  \
    return REAL(name)(path, flags, mode);                                                \
  }
OPEN(open)
OPEN(open64)

/// As much as the disk has room for, then nothing.
ssize_t write(int file, const void* from, size_t size) {
  if (fails_at("write", file)) return -1;
  const long room = number_in("FAULT_BYTES");
  char path[4096];
  if (room < 0 || !is_meant(path_of(file, path, sizeof path))) {
    return REAL(write)(file, from, size);
  }
  const long before = atomic_fetch_add(&bytes, (long)size);
  const size_t left = before < room ? (size_t)(room - before) : 0;
  if (left == 0) {
    tell("full", path);
    errno = ENOSPC;
    return -1;
  }
  return REAL(write)(file, from, left < size ? left : size);
}

int ftruncate(int file, off_t size) {
  return fails_at("ftruncate", file) ? -1 : REAL(ftruncate)(file, size);
}

int ftruncate64(int file, off64_t size) {
  return fails_at("ftruncate", file) ? -1 : REAL(ftruncate64)(file, size);
}

int fsync(int file) { return fails_at("fsync", file) ? -1 : REAL(fsync)(file); }

int rename(const char* from, const char* to) {
  return fails("rename", to) ? -1 : REAL(rename)(from, to);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  return fails("linkat", to) ? -1 : REAL(linkat)(from_folder, from, to_folder, to, flags);
}

int mkdir(const char* path, mode_t mode) {
  return fails("mkdir", path) ? -1 : REAL(mkdir)(path, mode);
}

int unlink(const char* path) { return fails("unlink", path) ? -1 : REAL(unlink)(path); }
