/* Bytes from the host that must be complete: their number in eight bytes, the lowest first, and then the bytes. A host
   that is killed while it writes them must not start a run with a part of them. */
#include "supervisor.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_BYTES (UINT64_C(1) << 28)

static bool read_exactly(int fd, unsigned char *bytes, size_t length) {
  while (length > 0) {
    ssize_t got = read(fd, bytes, length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    length -= (size_t)got;
  }
  return true;
}

/* Null when they are not complete. */
unsigned char *read_whole(int fd, size_t *length) {
  unsigned char number[8];
  uint64_t count = 0;
  if (!read_exactly(fd, number, sizeof number)) return NULL;
  for (int i = 7; i >= 0; i--) count = count << 8 | number[i];
  if (count > MOST_BYTES) return NULL;
  unsigned char *bytes = malloc((size_t)count + 1);
  *length = (size_t)count;
  return bytes && read_exactly(fd, bytes, *length) ? bytes : NULL;
}

/* Gives the descriptor's number to a file in memory that holds the bytes. */
bool replace_by_copy(int fd) {
  size_t length;
  unsigned char *bytes = read_whole(fd, &length);
  int copy = (int)syscall(SYS_memfd_create, "whole", 1u /* MFD_CLOEXEC */);
  if (!bytes || copy < 0 || !write_all(copy, (const char *)bytes, length)) return false;
  if (lseek(copy, 0, SEEK_SET) != 0 || dup3(copy, fd, O_CLOEXEC) < 0) return false;
  close(copy);
  free(bytes);
  return true;
}
