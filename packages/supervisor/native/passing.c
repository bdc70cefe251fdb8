/* Descriptors that pass from one container of a pod to another. A socket without a file has a name in the network that
   they share. */
#include "supervisor.h"
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static socklen_t abstract(struct sockaddr_un *address, const char *name) {
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  size_t length = strlen(name);
  if (length > sizeof address->sun_path - 1) fail("the name is too long: ", name);
  memcpy(address->sun_path + 1, name, length);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
}

static int new_socket(void) { return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0); }

int connect_to_abstract(const char *name) {
  struct sockaddr_un address;
  socklen_t length = abstract(&address, name);
  int fd = new_socket();
  if (fd >= 0 && connect(fd, (struct sockaddr *)&address, length) == 0) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

int listen_on_abstract(const char *name) {
  struct sockaddr_un address;
  socklen_t length = abstract(&address, name);
  int fd = new_socket();
  if (fd >= 0 && bind(fd, (struct sockaddr *)&address, length) == 0 && listen(fd, 1) == 0) return fd;
  fail("the socket cannot be opened: ", strerror(errno));
}

static struct sockaddr_un path_address(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("the path is too long: ", path);
  strcpy(address.sun_path, path);
  return address;
}

int connect_to_path(const char *path) {
  struct sockaddr_un address = path_address(path);
  int fd = new_socket();
  if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

int listen_on_path(const char *path) {
  struct sockaddr_un address = path_address(path);
  int fd = new_socket();
  unlink(path);
  if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 64) == 0) return fd;
  fail("the socket cannot be opened: ", strerror(errno));
}

union rights {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int) * FAR_DESCRIPTORS)];
};

bool pass_descriptors(int socket, const int *passed, int count) {
  char byte = 'x';
  struct iovec one = {&byte, 1};
  union rights rights = {.bytes = {0}};
  struct msghdr message = {.msg_iov = &one, .msg_iovlen = 1, .msg_control = &rights};
  message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count);
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
  memcpy(CMSG_DATA(head), passed, sizeof(int) * (size_t)count);
  return sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

/* The number of descriptors; 0 when the other end is closed, -1 after an error. */
int receive_descriptors(int socket, int *passed) {
  char byte;
  struct iovec one = {&byte, 1};
  union rights rights;
  struct msghdr message = {.msg_iov = &one, .msg_iovlen = 1, .msg_control = &rights, .msg_controllen = sizeof rights};
  ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (got <= 0) return (int)got;
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  if (!head || head->cmsg_type != SCM_RIGHTS) return (errno = EAGAIN, -1);
  size_t bytes = head->cmsg_len - CMSG_LEN(0);
  memcpy(passed, CMSG_DATA(head), bytes);
  return (int)(bytes / sizeof(int));
}
