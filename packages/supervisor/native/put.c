/* The files that a host which is not beside a record sends for it. Each is the length of its name in one byte, its name,
   its length in eight bytes, the lowest first, and its bytes; a byte of 0 comes after the last. */
#include "supervisor.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_PATH 4096

static bool read_exactly(int fd, void *bytes, size_t length) {
  for (size_t at = 0; at < length;) {
    ssize_t got = read(fd, (char *)bytes + at, length - at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += (size_t)got;
  }
  return true;
}

/* Creates what is missing of the path. */
static bool make_directories(const char *path) {
  char part[MOST_PATH];
  size_t length = strlen(path);
  if (length >= sizeof part) fail("the path of the record is too long", "");
  for (size_t i = 1; i <= length; i++) {
    if (path[i] != '/' && path[i] != '\0') continue;
    memcpy(part, path, i);
    part[i] = '\0';
    if (mkdir(part, 0700) != 0 && errno != EEXIST) return false;
  }
  return true;
}

static bool put_bytes(int file, int from, uint64_t length) {
  char piece[65536];
  while (length > 0) {
    size_t part = length < sizeof piece ? (size_t)length : sizeof piece;
    if (!read_exactly(from, piece, part)) fail("the files of the record are incomplete", "");
    if (!write_all(file, piece, part)) return false;
    length -= part;
  }
  return true;
}

static bool put_file(int directory, int from, unsigned char name_length) {
  char name[256];
  unsigned char number[8];
  uint64_t length = 0;
  if (!read_exactly(from, name, name_length) || !read_exactly(from, number, sizeof number)) {
    fail("the files of the record are incomplete", "");
  }
  name[name_length] = '\0';
  if (strchr(name, '/') || strlen(name) != name_length) fail("this file cannot be part of a record: ", name);
  for (int i = 7; i >= 0; i--) length = length << 8 | number[i];
  int file = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  bool put = file >= 0 && put_bytes(file, from, length);
  int error = errno;
  if (file >= 0) close(file);
  errno = error;
  return put;
}

/* A host that cannot put them reads why in place of `started`. */
void put_files(const struct options *options) {
  int directory = -1;
  unsigned char name_length = 0;
  bool put = make_directories(options->record);
  if (put) directory = open(options->record, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  put = put && directory >= 0;
  while (put) {
    if (!read_exactly(options->put, &name_length, 1)) fail("the files of the record are incomplete", "");
    if (name_length == 0) break;
    put = put_file(directory, options->put, name_length);
  }
  if (!put) {
    report_failed(1, "put", errno);
    _exit(OWN_FAILURE);
  }
  close(directory);
  close(options->put);
}
