/* `first`: the first process of a container without privileges. It starts supervisors when the recorder asks, which is in
   another container, and ends what is left of a supervisor that was killed. The kernel protects it from the commands. */
#include "supervisor.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define MOST_RUNS 512
/* Above every descriptor that a supervisor is given by number. */
#define ASIDE 32
#define KILLED (-1)
/* The last descriptor of a supervisor. */
#define CONTROL 4

static struct {
  pid_t pid; /* of its supervisor, 0 for none, or KILLED where processes of the run may be left */
  int over;  /* where its end is told */
} runs[MOST_RUNS];
static int recorder, signals;

static int run_of(pid_t pid) {
  for (int i = 0; i < MOST_RUNS; i++) {
    if (runs[i].pid == pid) return i;
  }
  return -1;
}

static bool is_supervisor(pid_t pid) { return run_of(pid) >= 0; }

/* The order has the arguments, each ending with a null byte, after their number in a line; the rest are variables. */
static void become_supervisor(int order) {
  size_t length, count = 0;
  char *bytes = (char *)read_whole(order, &length);
  /* No exec follows, which would close what belongs to the first process and to other runs. */
  syscall(SYS_close_range, CONTROL + 1u, ~0u, 0u);
  if (!bytes || length == 0 || bytes[length - 1] != '\0') _exit(OWN_FAILURE);
  for (size_t i = 0; i < length; i++) count += bytes[i] == '\0';
  char **strings = calloc(count + 2, sizeof *strings);
  size_t arguments = (size_t)strtoul(bytes, &bytes, 10), index = 0;
  if (!strings || arguments + 1 > count) _exit(OWN_FAILURE);
  bytes++;
  for (size_t i = 0; i + 1 < count; i++, bytes += strlen(bytes) + 1) {
    if (i == arguments) index++;
    strings[index++] = bytes;
  }
  environ = strings + arguments + 1;
  _exit(command(strings + 1));
}

/* The descriptors are: order, streams 0 to 2, report, control. */
static void start(int *passed, int over) {
  int free = run_of(0);
  pid_t pid = free < 0 ? -1 : fork();
  if (pid == 0) {
    for (int i = 0; i < 6; i++) {
      if ((passed[i] = fcntl(passed[i], F_DUPFD_CLOEXEC, ASIDE)) < 0) _exit(OWN_FAILURE);
    }
    for (int fd = 0; fd < 5; fd++) {
      if (dup2(passed[fd + 1], fd) != fd) _exit(OWN_FAILURE);
    }
    become_supervisor(passed[0]);
  }
  if (pid < 0) report_number(over, "fork", free < 0 ? EAGAIN : errno);
  if (pid < 0) close(over);
  else runs[free].pid = pid, runs[free].over = over;
}

/* False when the recorder is gone. */
static bool take_order(void) {
  int passed[FAR_DESCRIPTORS];
  int count = receive_descriptors(recorder, passed);
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  if (count == 0) return false;
  if (count == FAR_DESCRIPTORS) start(passed, passed[6]);
  for (int i = 0; i < count; i++) {
    if (count != FAR_DESCRIPTORS || i < FAR_DESCRIPTORS - 1) close(passed[i]);
  }
  return true;
}

static void tell(int run, const char *words) {
  report(runs[run].over, words);
  close(runs[run].over);
  runs[run].pid = 0;
}

/* A supervisor that a command stopped would never end its run. */
static void reap_all(void) {
  for (;;) {
    int status;
    pid_t pid = waitpid(-1, &status, WNOHANG | WUNTRACED | __WALL);
    if (pid == 0 || (pid < 0 && errno != EINTR)) return;
    int run = pid < 0 ? -1 : run_of(pid);
    if (run < 0) continue;
    if (WIFSTOPPED(status)) kill(pid, SIGKILL);
    else if (WIFEXITED(status) && WEXITSTATUS(status) == 0) tell(run, "over");
    else runs[run].pid = KILLED;
  }
}

/* Processes whose supervisor is dead are children of this one. True when some may be left. */
static bool end_strays(void) {
  int run = run_of(KILLED);
  if (run < 0) return false;
  if (kill_children_but(is_supervisor)) return true;
  for (; run >= 0; run = run_of(KILLED)) tell(run, "killed");
  return false;
}

int first(const char *name) {
  if (getpid() != 1 || !name) fail("first is the first process of a container, and needs the name of a socket", "");
  find_proc();
  /* Nothing else runs yet, so that nobody else can listen. */
  while ((recorder = connect_to_abstract(name)) < 0) usleep(10000);
  sigset_t all, children;
  sigfillset(&all);
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_SETMASK, &all, NULL);
  signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals < 0) fail("signalfd: ", strerror(errno));
  for (int pause = 1;;) {
    bool strays = end_strays();
    pause = strays ? (pause < 256 ? pause * 2 : 256) : 1;
    struct pollfd events[] = {{.fd = signals, .events = POLLIN}, {.fd = recorder, .events = POLLIN}};
    if (poll(events, 2, strays ? pause : -1) < 0 && errno != EINTR) return OWN_FAILURE;
    struct signalfd_siginfo dropped[8];
    while (events[0].revents && read(signals, dropped, sizeof dropped) > 0) continue;
    reap_all();
    if (events[1].revents && !take_order()) return 0;
  }
}
