/* Which descriptors are open in the supervisor. All of its own are closed on exec. */
#include "supervisor.h"
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

/* A descriptor of the supervisor never gets a number that the program takes for one of its streams. */
void fill_standard_streams(void) {
  int fd;
  do {
    fd = open("/dev/null", O_RDWR);
    if (fd < 0) return;
  } while (fd < 3);
  close(fd);
}

/* Linux before 5.9 has no close_range. */
void close_from_to(unsigned first, unsigned last) {
  if (first > last || syscall(SYS_close_range, first, last, 0) == 0) return;
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_max <= last) last = (unsigned)limit.rlim_max;
  if (last > 1u << 20) last = 1u << 20;
  for (unsigned fd = first; fd <= last; fd++) close((int)fd);
}

/* Closes what was inherited without being named, and lets nothing of the rest pass an exec unasked. */
void close_others(const struct options *options) {
  static bool named[HIGHEST_DESCRIPTOR + 1];
  if (options->report >= 0) named[options->report] = true;
  if (options->control >= 0) named[options->control] = true;
  if (options->whole >= 0) named[options->whole] = true;
  for (int i = 0; i < options->keeps; i++) named[options->keep[i]] = true;

  unsigned first = 3;
  for (unsigned fd = 3; fd <= HIGHEST_DESCRIPTOR; fd++) {
    if (!named[fd]) continue;
    if (fd > first) close_from_to(first, fd - 1);
    first = fd + 1;
    if (fcntl((int)fd, F_SETFD, FD_CLOEXEC) < 0) fail("fcntl: ", strerror(errno));
  }
  close_from_to(first, ~0u);
}

/* Makes the pipe to the supervisor inside; its read end gets the given number. Returns the write end. */
int place_child_control(int fd) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  if (ends[1] == fd) {
    ends[1] = fcntl(fd, F_DUPFD_CLOEXEC, fd + 1);
    if (ends[1] < 0) return -1;
  }
  if (ends[0] != fd) {
    if (dup3(ends[0], fd, O_CLOEXEC) < 0) return -1;
    close(ends[0]);
  }
  /* A supervisor inside that does not read must not stop this one. */
  if (fcntl(ends[1], F_SETFL, O_NONBLOCK) < 0) return -1;
  return ends[1];
}

/* The streams and the directory belong to the program alone from here on. */
void leave_streams(void) {
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd < 3; fd++) {
    if (null < 0 || dup2(null, fd) < 0) close(fd);
  }
  if (null > 2) close(null);
  if (chdir("/") != 0) return;
}
