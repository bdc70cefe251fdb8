/* The events of a supervisor: its child's start and end, its host's lines, and signals. */
#include "supervisor.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

void begin_watch(struct watch *watch, const struct options *options, const char *ended, bool inside) {
  *watch = (struct watch){.options = options, .ended = ended, .control = options->control, .outcome = -1, .host = -1, .far = {-1, -1}, .room = {.place = -1, .host = -1}};

  /* Blocked signals have no effect of their own; those named here are read from the descriptor. The program inside can
     send signals to its supervisor, so that one reads none but SIGCHLD, which makes it look for dead children. */
  sigset_t all, read;
  sigfillset(&all);
  sigemptyset(&read);
  sigaddset(&read, SIGCHLD);
  if (!inside) {
    sigaddset(&read, SIGTERM);
    sigaddset(&read, SIGINT);
    sigaddset(&read, SIGHUP);
  }
  struct sigaction action = {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP};
  if (sigaction(SIGCHLD, &action, NULL) != 0 || sigprocmask(SIG_SETMASK, &all, NULL) != 0) {
    fail("signals: ", strerror(errno));
  }
  watch->signals = signalfd(-1, &read, SFD_CLOEXEC | SFD_NONBLOCK);
  if (watch->signals < 0) fail("signalfd: ", strerror(errno));
}

/* True when SIGTERM, SIGINT or SIGHUP was among the signals. */
static bool read_signals(int fd) {
  struct signalfd_siginfo signals[8];
  bool asked_to_end = false;
  for (;;) {
    ssize_t length = read(fd, signals, sizeof signals);
    if (length <= 0) return asked_to_end;
    for (size_t i = 0; i < (size_t)length / sizeof *signals; i++) {
      if (signals[i].ssi_signo != SIGCHLD) asked_to_end = true;
    }
  }
}

/* Two numbers with a blank between them. */
static void take_room_line(struct watch *watch, const char *text) {
  uint64_t numbers[2] = {0, 0};
  int count = 0;
  for (; *text; text++) {
    if (*text == ' ' && count++ == 0) continue;
    if (*text < '0' || *text > '9' || numbers[count] > INT64_MAX / 16) return;
    numbers[count] = numbers[count] * 10 + (uint64_t)(*text - '0');
  }
  if (count == 1) add_room(&watch->room, numbers[0], numbers[1]);
}

static void take_line(struct watch *watch) {
  static const char word[] = "signal ";
  const char *line = watch->line;
  if (strcmp(line, "taken") == 0) watch->taken = true;
  if (strcmp(line, "end-input") == 0 && watch->record) {
    watch->record->feed.ends = true;
    pass_feed(&watch->record->feed);
  }
  if (strcmp(line, "end") == 0 || strcmp(line, "abort") == 0) {
    watch->ending = true;
    if (!watch->asked) watch->asked = *line == 'a' ? "asked abort" : "asked end";
  }
  if (strncmp(line, "room ", 5) == 0) take_room_line(watch, line + 5);
  if (strncmp(line, word, sizeof word - 1) != 0) return;
  const char *digits = line + sizeof word - 1;
  unsigned number = 0;
  for (; *digits >= '0' && *digits <= '9' && number < 65; digits++) number = number * 10 + (unsigned)(*digits - '0');
  if (*digits == '\0' && number >= 1 && number <= 64) watch->held |= UINT64_C(1) << (number - 1);
}

/* A line that is unknown or too long has no effect. */
static void read_control(struct watch *watch) {
  char text[256];
  ssize_t length = read(watch->control, text, sizeof text);
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (length <= 0) {
    watch->control = -1;
    watch->ending = true;
    return;
  }
  for (ssize_t i = 0; i < length; i++) {
    if (text[i] != '\n') {
      if (watch->line_length < sizeof watch->line) watch->line[watch->line_length++] = text[i];
      continue;
    }
    if (watch->line_length < sizeof watch->line) {
      watch->line[watch->line_length] = '\0';
      take_line(watch);
    }
    watch->line_length = 0;
  }
}

/* The host of a recorded run writes its lines to the control pipe in the record. Here only the end of the host counts. */
static void read_host(struct watch *watch) {
  char text[256];
  ssize_t length = read(watch->host, text, sizeof text);
  if (length > 0 || (length < 0 && (errno == EAGAIN || errno == EINTR))) return;
  watch->host = -1;
  watch->ending = true;
  if (!watch->asked) watch->asked = "limit host";
}

/* Says whether the program was started. An end of the pipe while the tree is being ended proves neither. */
static void read_outcome(struct watch *watch) {
  char text[128];
  ssize_t length;
  do length = read(watch->outcome, text, sizeof text);
  while (length < 0 && errno == EINTR);
  close(watch->outcome);
  watch->outcome = -1;
  if (length > 0) {
    watch->failed = true;
    if (watch->options->report >= 0) write_all(watch->options->report, text, (size_t)length);
    return;
  }
  watch->begun = true;
  if (!watch->ending && watch->options->child_control < 0) report(watch->options->report, "begun");
}

static void report_end(const struct watch *watch, int status) {
  char words[32];
  const char *how = WIFSIGNALED(status) ? " signal" : " exit";
  strcpy(words, watch->ended);
  strcat(words, how);
  report_number(watch->options->report, words, WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* Collects every child that has ended. False when there is no child left, dead or alive. */
bool reap(struct watch *watch) {
  for (;;) {
    int status;
    pid_t pid = waitpid(-1, &status, WNOHANG | __WALL);
    if (pid == 0) return true;
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) return false;
    if (pid != watch->child) continue;
    watch->child_ended = true;
    if (watch->outcome >= 0) read_outcome(watch);
    if (!watch->failed) report_end(watch, status);
  }
}

/* Waits for at most `timeout` milliseconds. Returns false when the time went by without an event. */
bool wait_for_event(struct watch *watch, int timeout) {
  struct pollfd events[] = {
      {.fd = watch->signals, .events = POLLIN},
      {.fd = watch->outcome, .events = POLLIN},
      {.fd = watch->control, .events = POLLIN},
      {.fd = watch->record ? watch->record->streams[0].from : -1, .events = POLLIN},
      {.fd = watch->record ? watch->record->streams[1].from : -1, .events = POLLIN},
      {.fd = watch->far[0], .events = POLLIN},
      {.fd = watch->far[1], .events = POLLIN},
      {.fd = watch->host, .events = POLLIN},
      {.fd = -1},
      {.fd = -1},
      {.fd = watch->room.host}, /* tells its end without being asked */
  };
  if (watch->record) watch_feed(&watch->record->feed, events + 8);
  int ready = poll(events, 11, timeout);
  if (ready == 0) return false;
  if (ready < 0) {
    /* A supervisor that cannot wait for its host ends the tree. */
    if (errno != EINTR) watch->ending = true;
    return true;
  }
  if (events[1].revents) read_outcome(watch);
  if (events[0].revents && read_signals(watch->signals)) watch->ending = true;
  if (events[2].revents) read_control(watch);
  if (events[7].revents) read_host(watch);
  if (events[10].revents) end_room(&watch->room);
  if (watch->record) take_feed(&watch->record->feed, events + 8);
  for (int i = 0; i < 2; i++) {
    if (events[3 + i].revents) read_stream(watch->record, &watch->record->streams[i]);
    if (events[5 + i].revents) read_far(watch, i);
  }
  return true;
}

/* The next signal for the program, or 0. Signals wait for it to begin, so that each reaches it and not what comes before. */
int next_signal(struct watch *watch) {
  if (watch->held == 0 || !watch->begun) return 0;
  int signal = __builtin_ctzll(watch->held) + 1;
  watch->held &= watch->held - 1;
  return signal;
}
