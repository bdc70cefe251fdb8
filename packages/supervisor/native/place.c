/* Where the program of a run begins, as its user, whose directories may be hostile. */
#include "supervisor.h"
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_PATH 4096

/* The name that the kernel gives to the directory, whatever led there. */
static bool is_within(const char *root) {
  char here[MOST_PATH];
  size_t length = strlen(root);
  if (!getcwd(here, sizeof here)) return false;
  return strncmp(here, root, length) == 0 && (here[length] == '/' || here[length] == '\0');
}

/* Why the directory cannot be entered: EXDEV for one that leads out, ENOENT, ENOTDIR, or EACCES. */
static int reason(const char *root, const char *path) {
  char part[MOST_PATH];
  struct stat status;
  size_t length = strlen(path);
  if (length >= sizeof part || strncmp(path, root, strlen(root)) != 0) return ENAMETOOLONG;
  for (size_t i = strlen(root) + 1; i <= length; i++) {
    if (path[i] != '/' && path[i] != '\0') continue;
    memcpy(part, path, i);
    part[i] = '\0';
    if (chdir(part) == 0) {
      if (!is_within(root)) return EXDEV;
      continue;
    }
    if (stat(part, &status) == 0) return S_ISDIR(status.st_mode) ? EACCES : ENOTDIR;
    if (lstat(part, &status) == 0) return EXDEV;
    return ENOENT;
  }
  return EACCES;
}

/* A directory that cannot be made is reported, and the run goes on; but nothing is started where a symlink is. */
static bool make_directory(const struct options *options) {
  struct stat status;
  int error = mkdir(options->make, 0755) == 0 ? 0 : errno;
  if (error == EEXIST && lstat(options->make, &status) == 0) {
    if (S_ISDIR(status.st_mode)) return true;
    errno = ELOOP;
    if (S_ISLNK(status.st_mode)) return false;
  }
  if (error != 0) report_number(options->report, "unmade", error);
  return true;
}

/* Null, or the step that failed. */
const char *enter_place(const struct options *options) {
  if (options->make && !make_directory(options)) return "make";
  if (!options->cwd) return NULL;
  if (chdir(options->cwd) != 0) {
    if (options->within) errno = reason(options->within, options->cwd);
    return "cwd";
  }
  if (!options->within || is_within(options->within)) return NULL;
  errno = EXDEV;
  return "cwd";
}
