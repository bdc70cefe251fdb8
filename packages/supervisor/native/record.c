/* The directory of a recorded run: its control pipe, its claim and its lease. */
#include "supervisor.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The link beside the directory names the one run of several that may begin. */
static bool claim(const struct record *record, const struct options *options) {
  char beside[300] = "../";
  const char *name = strrchr(options->record, '/') + 1;
  if (strlen(options->claim) > 255) return (errno = ENAMETOOLONG, false);
  strcat(beside, options->claim);
  return symlinkat(name, record->directory, beside) == 0;
}

/* Returns the step that failed, or null. The supervisor holds both ends of the control pipe, which so never ends; any
   process that may write to it can ask whether a supervisor still reads. */
const char *open_record(struct record *record, const struct options *options) {
  record->directory = open(options->record, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (record->directory < 0 || mkfifoat(record->directory, "control", 0600) != 0) return "record";
  record->control = openat(record->directory, "control", O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
  if (record->control < 0) return "record";
  if (!open_streams(record, options) || !open_feed(record, options)) return "streams";
  record->renewed_at = -1;
  if (options->claim && !claim(record, options)) return "claim";
  return NULL;
}

/* Removes the record, its claim, and the directory of both, where nothing else is in it. */
void remove_record(const struct record *record, const struct options *options) {
  char text[256], path[4096];
  const char *name = strrchr(options->record, '/') + 1;
  if (record->directory < 0) return;
  int beside = openat(record->directory, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (beside < 0) return;
  ssize_t length = options->claim ? readlinkat(beside, options->claim, text, sizeof text - 1) : -1;
  bool claimed = length > 0 && (size_t)length == strlen(name) && memcmp(text, name, (size_t)length) == 0;
  /* First: a run that is claimed has a record. */
  if (claimed) unlinkat(beside, options->claim, 0);
  remove_tree(beside, name);
  close(beside);
  size_t parent = (size_t)(name - options->record) - 1;
  if (parent == 0 || parent >= sizeof path) return;
  memcpy(path, options->record, parent);
  path[parent] = '\0';
  rmdir(path);
}

/* The file's time is compared with itself only, so that a clock that is set has no effect. A file that is gone is a
   lease that was taken back. */
bool lease_is_over(struct record *record, int64_t lease, int64_t now) {
  struct stat file;
  if (fstatat(record->directory, "lease", &file, AT_SYMLINK_NOFOLLOW) != 0) return errno == ENOENT;
  int64_t time[2] = {file.st_mtim.tv_sec, file.st_mtim.tv_nsec};
  if (record->renewed_at < 0 || memcmp(time, record->renewed, sizeof time) != 0) {
    memcpy(record->renewed, time, sizeof time);
    record->renewed_at = now;
  }
  return now - record->renewed_at > lease;
}
