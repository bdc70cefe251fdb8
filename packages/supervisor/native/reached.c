/* The limits that a run reached: counters of control groups that rose, and file systems that are full. */
#include "supervisor.h"
#include <fcntl.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The number after the word at the start of a line, as in `memory.events`. 0 where there is none. */
static uint64_t value_of(const struct counter *counter) {
  char text[1024];
  int fd = open(counter->file, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return 0;
  text[length] = '\0';
  size_t word = strlen(counter->word);
  for (const char *line = text; line; line = strchr(line, '\n')) {
    if (*line == '\n') line++;
    if (strncmp(line, counter->word, word) != 0 || line[word] != ' ') continue;
    uint64_t value = 0;
    for (line += word + 1; *line >= '0' && *line <= '9'; line++) value = value * 10 + (uint64_t)(*line - '0');
    return value;
  }
  return 0;
}

void read_counters(struct counter *counters, int count) {
  for (int i = 0; i < count; i++) counters[i].before = value_of(&counters[i]);
}

void report_reached(const struct options *options) {
  for (int i = 0; i < options->counter_count; i++) {
    const struct counter *counter = &options->counters[i];
    if (value_of(counter) > counter->before) report_about(options->report, "reached", counter->name);
  }
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
