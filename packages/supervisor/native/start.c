/* Starts the child. Every step between fork and exec is one that can be reported by name. */
#include "supervisor.h"
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

extern char **environ;

static bool join_group(const char *file) {
  int fd = open(file, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return false;
  /* "0" moves the writer itself. */
  bool joined = write(fd, "0", 1) == 1;
  int error = errno;
  close(fd);
  errno = error;
  return joined;
}

/* A value above the hard limit leaves the hard limit, which is stricter. */
static bool set_limit(const struct limit *limit) {
  struct rlimit now;
  if (getrlimit(limit->resource, &now) != 0) return false;
  rlim_t value = limit->value < now.rlim_max ? limit->value : now.rlim_max;
  return setrlimit(limit->resource, &(struct rlimit){value, value}) == 0;
}

static bool become(uint32_t user, uint32_t group) {
  return setgroups(0, NULL) == 0 && setresgid(group, group, group) == 0 && setresuid(user, user, user) == 0;
}

static bool keep(int fd) { return fcntl(fd, F_SETFD, 0) == 0; }

static bool default_signals(void) {
  sigset_t none;
  struct sigaction action = {.sa_handler = SIG_DFL};
  /* It fails for SIGKILL, SIGSTOP and numbers of the C library's own, which never had a handler. */
  for (int signal = 1; signal < 65; signal++) sigaction(signal, &action, NULL);
  sigemptyset(&none);
  return sigprocmask(SIG_SETMASK, &none, NULL) == 0;
}

/* Asks for the child's death with its parent. A change of user takes that back, so it comes after it. */
static bool die_with(pid_t parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return false;
  if (getppid() != parent) _exit(OWN_FAILURE);
  return true;
}

static bool use_streams(const struct record *record) {
  return !record || (dup2(record->streams[0].to, 1) == 1 && dup2(record->streams[1].to, 2) == 2);
}

static const char *prepare_outside(const struct options *options, pid_t parent) {
  for (int i = 0; i < options->group_count; i++) {
    if (!join_group(options->groups[i])) return "tasks";
  }
  if (options->session && setsid() < 0) return "session";
  for (int i = 0; i < options->limit_count; i++) {
    if (!set_limit(&options->limits[i])) return "limit";
  }
  if (options->has_user && !become(options->user, options->group)) return "user";
  const char *failed = enter_place(options);
  if (failed) return failed;
  if (!die_with(parent)) return "parent";
  for (int i = 0; i < options->keeps; i++) {
    if (!keep(options->keep[i])) return "keep";
  }
  if (options->child_control >= 0 && !keep(options->child_control)) return "keep";
  if (options->filter != NO_FILTER && !set_filter(options->filter)) return "filter";
  return NULL;
}

static const char *prepare_inside(const struct options *options) {
  if (setsid() < 0) return "session";
  for (int i = 0; i < options->limit_count; i++) {
    if (!set_limit(&options->limits[i])) return "limit";
  }
  if (options->filter != NO_FILTER && !set_filter(options->filter)) return "filter";
  return NULL;
}

/* One exec costs less than a shell that looks for another one. */
static void become_shell(char *text) {
  static const char *const places[] = {"/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    char *arguments[] = {(char *)places[i], "--noprofile", "--norc", "-c", text, NULL};
    execve(places[i], arguments, environ);
  }
  execve("/bin/sh", (char *[]){"/bin/sh", "-c", text, NULL}, environ);
}

static void become_program(const struct watch *watch, bool inside, pid_t parent, int outcome) {
  const struct options *options = watch->options;
  const char *step = default_signals() ? NULL : "signals";
  if (!step && !use_streams(watch->record)) step = "streams";
  if (!step) step = inside ? prepare_inside(options) : prepare_outside(options, parent);
  if (!step) {
    if (options->shell) become_shell(options->program[0]);
    else execve(options->program[0], options->program, environ);
    step = "exec";
  }
  report_failed(outcome, step, errno);
  _exit(OWN_FAILURE);
}

/* The outcome pipe ends without a word when the exec succeeded. */
bool start_child(struct watch *watch, bool inside) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    report_failed(watch->options->report, "pipe", errno);
    return false;
  }
  pid_t parent = getpid();
  watch->child = fork();
  if (watch->child == 0) become_program(watch, inside, parent, ends[1]);
  int error = errno;
  close(ends[1]);
  watch->outcome = ends[0];
  if (watch->child > 0) return true;
  report_failed(watch->options->report, "fork", error);
  return false;
}
