/* A recorded run whose program is in another container: `first` starts another supervisor there, which ends its tree. */
#include "supervisor.h"
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static struct {
  int control;
  bool child, ended, gone, over, killed;
} far;


static bool write_string(int fd, const char *text) { return write_all(fd, text, strlen(text) + 1); }

static void write_counter(int fd, const struct counter *counter) {
  write_all(fd, counter->name, strlen(counter->name));
  write_all(fd, "=", 1);
  write_all(fd, counter->file, strlen(counter->file));
  write_all(fd, ":", 1);
  write_string(fd, counter->word);
}

/* The arguments of the other supervisor: what it can hold there, and the program. */
static int write_arguments(int fd, const struct options *options) {
  char number[24];
  int count = 0;
#define ADD(text) (count++, fd >= 0 && write_string(fd, text))
  ADD("supervisor"), ADD("run"), ADD("--report"), ADD("3"), ADD("--control"), ADD("4");
  if (options->session) ADD("--session");
  if (options->shell) ADD("--shell");
  if (options->time >= 0) decimal(number, (long)options->time), ADD("--time"), ADD(number);
  for (int i = 0; i < options->limit_count; i++) {
    char text[48];
    decimal(number, (long)options->limits[i].value);
    strcpy(text, resource_name(options->limits[i].resource));
    strcat(text, "=");
    strcat(text, number);
    ADD("--limit"), ADD(text);
  }
  for (int i = 0; i < options->space_count; i++) ADD("--space"), ADD(options->spaces[i]);
  for (int i = 0; i < options->counter_count; i++) {
    ADD("--count"), count++;
    if (fd >= 0) write_counter(fd, &options->counters[i]);
  }
  if (options->filter != NO_FILTER) ADD("--filter"), ADD(options->filter == ONLINE ? "online" : "offline");
  if (options->make) ADD("--make"), ADD(options->make);
  if (options->cwd) ADD("--cwd"), ADD(options->cwd);
  if (options->within) ADD("--within"), ADD(options->within);
  ADD("--");
  for (char **argument = options->program; *argument; argument++) ADD(*argument);
#undef ADD
  return count;
}

static bool write_head(int fd, uint64_t length) {
  unsigned char head[8];
  for (int i = 0; i < 8; i++) head[i] = (unsigned char)(length >> (8 * i));
  return pwrite(fd, head, sizeof head, 0) == sizeof head;
}

/* A file in memory, whose length stands before it. */
static int write_order(const struct options *options) {
  char number[24];
  int fd = (int)syscall(SYS_memfd_create, "order", 1u /* MFD_CLOEXEC */);
  if (fd < 0 || lseek(fd, 8, SEEK_SET) < 0) return -1;
  decimal(number, write_arguments(-1, options));
  if (!write_string(fd, number)) return -1;
  write_arguments(fd, options);
  for (char **variable = environ; *variable; variable++) {
    if (!write_string(fd, *variable)) return -1;
  }
  off_t end = lseek(fd, 0, SEEK_END);
  return end > 8 && write_head(fd, (uint64_t)end - 8) && lseek(fd, 0, SEEK_SET) == 0 ? fd : -1;
}

/* False when nothing was started. */
static bool order(struct watch *watch) {
  const struct options *options = watch->options;
  int report_ends[2], control_ends[2], over_ends[2], connection;
  int asking = connect_to_path(options->first);
  if (asking < 0 || receive_descriptors(asking, &connection) != 1) return false;
  if (pipe2(report_ends, O_CLOEXEC) || pipe2(control_ends, O_CLOEXEC) || pipe2(over_ends, O_CLOEXEC)) return false;
  int passed[FAR_DESCRIPTORS] = {
      write_order(options), 0, watch->record ? watch->record->streams[0].to : 1, watch->record ? watch->record->streams[1].to : 2,
      report_ends[1], control_ends[0], over_ends[1],
  };
  bool sent = passed[0] >= 0 && pass_descriptors(connection, passed, FAR_DESCRIPTORS);
  int error = errno;
  for (int i = 4; i < FAR_DESCRIPTORS; i++) close(passed[i]);
  for (int i = 0; i < 2 && watch->record; i++) close(watch->record->streams[i].to);
  close(passed[0]);
  close(connection);
  close(asking);
  far.control = control_ends[1];
  fcntl(far.control, F_SETFL, O_NONBLOCK);
  watch->far[0] = report_ends[0];
  watch->far[1] = over_ends[0];
  errno = error;
  return sent;
}

static void take_far_line(struct watch *watch, const char *line) {
  if (strncmp(line, "protocol ", 9) == 0) return;
  if (strcmp(line, "gone") == 0) {
    far.gone = true;
    return;
  }
  if (strncmp(line, "child ", 6) == 0) {
    far.child = true;
    if (watch->options->files) report(1, "started");
    leave_streams();
  }
  if (strncmp(line, "failed ", 7) == 0) watch->failed = true;
  if (strcmp(line, "begun") == 0) watch->begun = true;
  if (strncmp(line, "ended ", 6) == 0) far.ended = watch->child_ended = true;
  report(watch->options->report, line);
}

static void take_over_line(struct watch *watch, const char *line) {
  far.over = true;
  far.killed = strcmp(line, "killed") == 0;
  if (strncmp(line, "fork ", 5) != 0) return;
  char words[64] = "failed ";
  watch->failed = true;
  report(watch->options->report, strcat(words, line));
}

/* Calls `take` for each line; the rest of a line stays in `kept`. False at the end. */
static bool read_lines(struct watch *watch, int fd, char *kept, size_t *length, void (*take)(struct watch *, const char *)) {
  char text[512];
  ssize_t got = read(fd, text, sizeof text);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  for (ssize_t i = 0; i < got; i++) {
    if (text[i] == '\n') {
      kept[*length] = '\0';
      *length = 0;
      take(watch, kept);
    } else if (*length < 127) {
      kept[(*length)++] = text[i];
    }
  }
  return got > 0;
}

void read_far(struct watch *watch, int which) {
  static char kept[2][128];
  static size_t length[2];
  if (read_lines(watch, watch->far[which], kept[which], &length[which], which ? take_over_line : take_far_line)) return;
  close(watch->far[which]);
  watch->far[which] = -1;
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void tell_end(struct watch *watch, const char *why) {
  if (watch->record && why && !far.ended) report(watch->options->report, why);
  report(far.control, "end");
}

/* Until the other container has told everything. What it cannot tell any more nobody knows. */
static void follow_far(struct watch *watch) {
  const struct options *options = watch->options;
  bool told = false;
  while (watch->far[0] >= 0 || watch->far[1] >= 0) {
    if (!told && options->lease >= 0 && lease_is_over(watch->record, options->lease, now())) {
      told = true;
      tell_end(watch, "limit lease");
    }
    if (!told && watch->ending) {
      told = true;
      tell_end(watch, watch->asked);
    }
    for (int signal; (signal = next_signal(watch));) report_number(far.control, "signal", signal);
    wait_for_event(watch, options->lease >= 0 && !told ? (int)(options->lease / 8 + 1) : -1);
  }
}

/* False when nobody knows whether the tree has ended. */
bool run_elsewhere(struct watch *watch) {
  const struct options *options = watch->options;
  int64_t started = now();
  if (!order(watch)) {
    report_failed(options->report, "first", errno);
    report(options->report, "gone");
    return true;
  }
  follow_far(watch);
  if (watch->record) end_streams(watch->record);
  if (!far.over) return false;
  if (far.killed && !far.ended && watch->begun) report(options->report, "ended signal 9");
  if (!far.child && !watch->failed) report_failed(options->report, "first", ECHILD);
  if (watch->record && watch->record->lost) report_number(options->report, "lost", watch->record->lost);
  if (watch->record) report_number(options->report, "took", now() - started);
  report(options->report, "gone");
  if (options->files && !far.child) report(1, "failed");
  return true;
}
