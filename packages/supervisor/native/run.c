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

/* -1 stands for never. */
static int64_t sooner(int64_t one, int64_t other) { return one < 0 || (other >= 0 && other < one) ? other : one; }

/* A lease is looked at eight times before it can be over. */
static int64_t pause_of(const struct options *options, int64_t left) {
  return options->lease >= 0 ? sooner(left, options->lease / 8 + 1) : left;
}

static void supervise(struct watch *watch, int to_child) {
  const struct options *options = watch->options;
  int64_t end = options->time < 0 ? -1 : now() + options->time;
  while (!watch->child_ended && !watch->ending) {
    int64_t left = end < 0 ? -1 : end - now();
    if (end >= 0 && left <= 0) {
      report(options->report, "limit time");
      return;
    }
    if (options->lease >= 0 && lease_is_over(watch->record, options->lease, now())) {
      report(options->report, "limit lease");
      return;
    }
    wait_for_event(watch, (int)sooner(pause_of(options, left), room_pause(&watch->room)));
    reap(watch);
    watch_room(&watch->room);
    for (int signal; (signal = next_signal(watch));) pass_on(to_child, watch, signal);
  }
}

/* The proof of the end is that no child is left: orphans become children of this process. */
static void end_tree(struct watch *watch) {
  if (watch->record && watch->asked) report(watch->options->report, watch->asked);
  watch->ending = true;
  watch->control = watch->host = -1;
  /* A tree that is held is killed as it is. */
  watch->room.held = false;
  end_room(&watch->room);
  if (watch->record) stop_feed(&watch->record->feed);
  if (!watch->child_ended) kill(watch->child, SIGKILL);
  for (int pause = 1; reap(watch); pause = pause < 512 ? pause * 2 : 512) {
    kill_descendants();
    wait_for_event(watch, pause);
  }
}

/* False when the run may not begin; the report says why. */
static bool begin_record(struct watch *watch) {
  static struct record record = {.directory = -1, .feed = {.from = -1, .to = -1}};
  const struct options *options = watch->options;
  const char *failed = open_record(&record, options);
  int error = errno;
  if (failed) report_failed(options->report, failed, error);
  if (failed && options->put >= 0) {
    report_failed(1, failed, error);
    remove_record(&record, options);
  }
  watch->record = &record;
  watch->host = watch->control;
  watch->control = record.control;
  return !failed;
}

static void end_record(struct watch *watch, int64_t started) {
  if (!watch->record) return;
  end_streams(watch->record);
  if (watch->record->lost) report_number(watch->options->report, "lost", watch->record->lost);
  report_number(watch->options->report, "took", now() - started);
}

/* Nobody keeps the record: it goes when its host has read it, or was not heard of for the length of the lease. */
static void end_unkept(struct watch *watch) {
  watch->control = watch->record->control;
  /* A process outside the run may hold them open. */
  watch->record->streams[0].from = watch->record->streams[1].from = -1;
  while (!watch->taken && !lease_is_over(watch->record, watch->options->lease, now())) {
    wait_for_event(watch, (int)pause_of(watch->options, -1));
  }
  remove_record(watch->record, watch->options);
}

int run(struct options *options) {
  static struct watch watch;
  int to_child = -1;
  if (!options->program) fail("run needs a program", "");
  if (options->mask >= 0 && !read_mask(options->mask)) fail("the bytes to mask are incomplete", "");
  if (options->whole >= 0 && !replace_by_copy(options->whole)) fail("the bytes of --whole are incomplete", "");
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
  report_number(options->report, "supervisor", getpid());

  read_counters(options->counters, options->counter_count);
  int64_t started = now();
  bool recorded = !options->record || begin_record(&watch);
  /* Reported before the program starts, because the program may stop this process. */
  if (recorded && options->told) report(1, "recorded");
  if (recorded && options->first) {
    if (run_elsewhere(&watch) && options->unkept) end_unkept(&watch);
    return 0;
  }
  if (recorded) begin_room(&watch.room, options);
  if (recorded && start_child(&watch, false)) {
    report_number(options->report, "child", watch.child);
    if (options->files) report(1, "started");
    for (int i = 0; i < options->keeps; i++) {
      if (options->keep[i] != options->report && options->keep[i] != options->control) close(options->keep[i]);
    }
    if (options->child_control >= 0) close(options->child_control);
    if (watch.record) {
      for (int i = 0; i < 2; i++) close(watch.record->streams[i].to);
    }
    leave_streams();
    supervise(&watch, to_child);
    if (to_child >= 0) close(to_child);
    end_tree(&watch);
    report_usage(options);
    report_reached(options);
    report_space(options);
    end_record(&watch, started);
  }
  report(options->report, "gone");
  if (options->files && !watch.child) report(1, "failed");
  if (recorded && options->unkept) end_unkept(&watch);
  return 0;
}
