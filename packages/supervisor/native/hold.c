/* `hold`: in the recorder's container. It accepts the one connection of `first`, before any command exists, and gives it to
   the supervisors of its own container. */
#include "supervisor.h"
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static int hold_connection(const char *name, const char *path) {
  int listener = listen_on_abstract(name), connection;
  while ((connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) < 0) continue;
  /* From here on commands may exist, which could connect too. */
  close(listener);
  listener = listen_on_path(path);
  for (;;) {
    int asking = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (asking < 0) continue;
    pass_descriptors(asking, &connection, 1);
    close(asking);
  }
}

/* Becomes the command that follows, beside it. */
int hold(const char *name, const char *path, char **arguments) {
  if (!name || !path) fail("hold needs the name of a socket and the path of another", "");
  if (!*arguments) return hold_connection(name, path);
  pid_t pid = fork();
  if (pid < 0) fail("fork: ", strerror(errno));
  if (pid > 0) return command(arguments);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return hold_connection(name, path);
}

/* `copy`: writes this program to a place from which other containers start it. */
int copy_self(const char *path) {
  static char piece[65536];
  int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  int to = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755) : -1;
  if (from < 0 || to < 0) fail("the supervisor cannot be copied: ", strerror(errno));
  for (ssize_t length; (length = read(from, piece, sizeof piece)) != 0;) {
    if (length < 0 || !write_all(to, piece, (size_t)length)) fail("the supervisor cannot be copied: ", strerror(errno));
  }
  if (fchmod(to, 0755) != 0) fail("the supervisor cannot be copied: ", strerror(errno));
  return 0;
}

/* `wait`: keeps a container in existence, and reaps what is started in it. */
int wait_for_nothing(void) {
  signal(SIGCHLD, SIG_IGN);
  for (;;) pause();
}
