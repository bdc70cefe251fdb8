/* What a run with --files takes from the directory of its record, where nobody can pass it descriptors. */
#include "supervisor.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* Opens a file that only this run reads, and removes it. -1 where there is none. */
static int take_file(int directory, const char *name) {
  int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0 && errno != ENOENT) fail("a file of the record cannot be read: ", name);
  if (fd >= 0 && unlinkat(directory, name, 0) != 0) fail("a file of the record cannot be removed: ", name);
  return fd;
}

/* The strings end with a null byte each. */
static void use_environment(int fd) {
  size_t length, count = 0;
  char *bytes = (char *)read_whole(fd, &length);
  if (!bytes || (length > 0 && bytes[length - 1] != '\0')) fail("the environment is incomplete", "");
  for (size_t i = 0; i < length; i++) count += bytes[i] == '\0';
  char **strings = calloc(count + 1, sizeof *strings);
  if (!strings) fail("no memory for the environment", "");
  char *at = bytes;
  for (size_t i = 0; i < count; i++, at += strlen(at) + 1) strings[i] = at;
  environ = strings;
  close(fd);
}

void take_files(struct options *options) {
  int directory = open(options->record, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) fail("the record cannot be opened: ", strerror(errno));
  int environment = take_file(directory, "environment");
  int input = take_file(directory, "input");
  if (options->mask < 0) options->mask = take_file(directory, "mask");
  int report = openat(directory, "report", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (report < 0) fail("the report cannot be written: ", strerror(errno));
  if (options->report >= 0) {
    /* The host cannot read this in the file when another one removes the record meanwhile. */
    report_number(options->report, "supervisor", getpid());
    options->told = true;
    if (dup2(report, options->report) < 0) fail("the report: ", strerror(errno));
    close(report);
  } else {
    options->report = report;
  }
  if (environment >= 0) use_environment(environment);
  if (input < 0) input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (input < 0 || dup2(input, 0) != 0) fail("the input: ", strerror(errno));
  close(input);
  close(directory);
}
