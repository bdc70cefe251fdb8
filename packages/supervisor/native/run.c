/* `run`: outside. Starts one program, and ends only when no descendant of it is left. */
#include "supervisor.h"
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void pass_on(int to_child, const struct watch *watch, int signal) {
  if (to_child >= 0) {
    report_number(to_child, "signal", signal);
  } else if (!watch->child_ended) {
    kill(watch->options->session ? -watch->child : watch->child, signal);
  }
}

static void supervise(struct watch *watch, int to_child) {
  int64_t limit = watch->options->time;
  int64_t end = limit < 0 ? -1 : now() + limit;
  while (!watch->child_ended && !watch->ending) {
    int64_t left = end < 0 ? -1 : end - now();
    if (end >= 0 && left <= 0) {
      report(watch->options->report, "limit time");
      return;
    }
    wait_for_event(watch, (int)left);
    reap(watch);
    for (int signal; (signal = next_signal(watch));) pass_on(to_child, watch, signal);
  }
}

/* The proof of the end is that no child is left: orphans become children of this process. */
static void end_tree(struct watch *watch) {
  watch->ending = true;
  watch->control = -1;
  if (!watch->child_ended) kill(watch->child, SIGKILL);
  for (int pause = 1; reap(watch); pause = pause < 512 ? pause * 2 : 512) {
    kill_descendants();
    wait_for_event(watch, pause);
  }
}

int run(const struct options *options) {
  static struct watch watch;
  int to_child = -1;
  if (!options->program) fail("run needs a program", "");
  close_others(options);
  /* The first process of a PID namespace gets the orphans anyway. */
  if (getpid() != 1 && prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) fail("prctl: ", strerror(errno));
  if (options->child_control >= 0) {
    to_child = place_child_control(options->child_control);
    if (to_child < 0) fail("the control pipe: ", strerror(errno));
  }
  find_proc();
  begin_watch(&watch, options, options->child_control >= 0 ? "launcher" : "ended", false);
  report(options->report, "protocol " PROTOCOL);

  if (start_child(&watch, false)) {
    report_number(options->report, "child", watch.child);
    for (int i = 0; i < options->keeps; i++) {
      if (options->keep[i] != options->report && options->keep[i] != options->control) close(options->keep[i]);
    }
    if (options->child_control >= 0) close(options->child_control);
    leave_streams();
    supervise(&watch, to_child);
    if (to_child >= 0) close(to_child);
    end_tree(&watch);
  }
  report(options->report, "gone");
  return 0;
}
