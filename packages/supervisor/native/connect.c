/* `connect`: joins its own standard input and output to the socket of a supervisor that serves. */
#include "supervisor.h"
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* -1 where nobody listens. */
int open_socket(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("the path of the socket is too long: ", path);
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) fail("socket: ", strerror(errno));
  if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}

/* Each direction waits for its reader alone, so that a host that is slow to read can still write. */
int connect_host(const struct options *options) {
  if (!options->socket) fail("connect needs --socket", "");
  int fd = open_socket(options->socket);
  if (fd < 0) fail("nobody serves at the socket: ", strerror(errno));
  struct queue in = {0}, out = {0};
  for (;;) {
    struct pollfd events[] = {
        {.fd = in.length < MOST_QUEUED ? 0 : -1, .events = POLLIN},
        {.fd = out.length > 0 ? 1 : -1, .events = POLLOUT},
        {.fd = fd, .events = (short)((out.length < MOST_QUEUED ? POLLIN : 0) | (in.length > 0 ? POLLOUT : 0))},
    };
    if (poll(events, 3, -1) < 0 && errno != EINTR) return OWN_FAILURE;
    if (events[0].revents && !queue_read(&in, 0)) return 0;
    if (events[2].revents & (POLLIN | POLLHUP | POLLERR) && out.length < MOST_QUEUED && !queue_read(&out, fd)) break;
    if (events[1].revents && queue_write(&out, 1) < 0) return 0;
    if (in.length > 0 && events[2].revents & POLLOUT && queue_write(&in, fd) < 0) break;
  }
  write_all(1, (const char *)out.bytes + out.start, out.length);
  return 0;
}
