/* What a run used, and the limits that it reached: counters of control groups that rose, and file systems that are full. */
#include "supervisor.h"
#include <fcntl.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

static uint64_t digits(const char *text) {
  uint64_t value = 0;
  for (; *text >= '0' && *text <= '9'; text++) value = value * 10 + (uint64_t)(*text - '0');
  return value;
}

/* The number after the word at the start of a line, as in `memory.events`, or the first of the file without a word. 0 where
   there is none. */
static uint64_t value_in(const char *file, const char *word) {
  char text[1024];
  int fd = open(file, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return 0;
  text[length] = '\0';
  if (!word) return digits(text);
  size_t size = strlen(word);
  for (const char *line = text; line; line = strchr(line, '\n')) {
    if (*line == '\n') line++;
    if (strncmp(line, word, size) == 0 && line[size] == ' ') return digits(line + size + 1);
  }
  return 0;
}

static uint64_t value_of(const struct counter *counter) { return value_in(counter->file, counter->word); }

void read_counters(struct counter *counters, int count) {
  for (int i = 0; i < count; i++) counters[i].before = value_of(&counters[i]);
}

void report_reached(const struct options *options) {
  for (int i = 0; i < options->counter_count; i++) {
    const struct counter *counter = &options->counters[i];
    if (value_of(counter) > counter->before) report_about(options->report, "reached", counter->name);
  }
}

/* A number in a file of a control group, which one of its other files names. */
static uint64_t value_beside(const char *group, const char *name, const char *word) {
  char path[4096];
  const char *end = strrchr(group, '/');
  size_t length = end ? (size_t)(end - group) + 1 : 0;
  if (length + strlen(name) >= sizeof path) return 0;
  memcpy(path, group, length);
  strcpy(path + length, name);
  return value_in(path, word);
}

/* Version 2 has the first name, and version 1 the second. The groups are those of this run alone. */
void report_usage(const struct options *options) {
  uint64_t memory = 0, time = 0;
  for (int i = 0; i < options->group_count; i++) {
    const char *group = options->groups[i];
    if (!memory) memory = value_beside(group, "memory.peak", NULL);
    if (!memory) memory = value_beside(group, "memory.max_usage_in_bytes", NULL);
    if (!time) time = value_beside(group, "cpu.stat", "usage_usec");
  }
  if (memory) report_number(options->report, "used memory", (long)memory);
  if (time) report_number(options->report, "used cpu", (long)time);
}

/* A file system that counts no inodes says that it has none. */
void report_space(const struct options *options) {
  for (int i = 0; i < options->space_count; i++) {
    struct statvfs space;
    if (statvfs(options->spaces[i], &space) != 0 || space.f_blocks == 0) continue;
    if (space.f_bavail > 0 && (space.f_files == 0 || space.f_favail > 0)) continue;
    report_about(options->report, "full", options->spaces[i]);
  }
}
