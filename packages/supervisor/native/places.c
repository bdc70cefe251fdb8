/* Names below the root of a workspace. No link is ever followed, because a command may have made it. */
#include "supervisor.h"
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEEPEST 4096

/* Opens a directory beside `at`; ELOOP for a link, ENOTDIR for anything else that is no directory. gVisor follows a link
   where O_DIRECTORY and O_NOFOLLOW are given together, so the entry itself is looked at first. */
int open_directory_at(int at, const char *name) {
  struct stat what;
  int entry = openat(at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (entry < 0) return -1;
  int error = fstat(entry, &what) != 0 ? errno : S_ISLNK(what.st_mode) ? ELOOP : S_ISDIR(what.st_mode) ? 0 : ENOTDIR;
  int fd = error ? -1 : openat(entry, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (!error && fd < 0) error = errno;
  close(entry);
  errno = error;
  return fd;
}

/* Opens the directory that holds the last name of the path, creating missing ones where `make`. `name` becomes that last
   name, in the text itself. */
int open_parent(int root, char *path, bool make, const char **name) {
  int at = fcntl(root, F_DUPFD_CLOEXEC, 3);
  for (char *slash; at >= 0 && (slash = strchr(path, '/')); path = slash + 1) {
    *slash = '\0';
    int next = open_directory_at(at, path);
    if (next < 0 && errno == ENOENT && make && (mkdirat(at, path, 0755) == 0 || errno == EEXIST)) next = open_directory_at(at, path);
    int error = errno;
    close(at);
    errno = error;
    at = next;
  }
  *name = path;
  return at;
}

/* Removes a file, or a directory with all in it, without a recursion that a deep tree could exhaust. */
bool remove_tree(int at, const char *name) {
  struct stat what;
  if (unlinkat(at, name, 0) == 0) return true;
  if (errno != EISDIR && errno != EPERM) return false;
  if (fstatat(at, name, &what, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(what.st_mode)) return false;
  for (int round = 0; round < DEEPEST; round++) {
    if (unlinkat(at, name, AT_REMOVEDIR) == 0) return true;
    if (errno != ENOTEMPTY && errno != EEXIST) return false;
    int fd = open_directory_at(at, name);
    if (fd < 0 && errno == EACCES && fchmodat(at, name, 0700, 0) == 0) fd = open_directory_at(at, name);
    if (fd < 0) return false;
    fchmod(fd, 0700);
    DIR *listing = fdopendir(fd);
    if (!listing) return false;
    for (struct dirent *entry; (entry = readdir(listing));) {
      if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
      if (unlinkat(fd, entry->d_name, 0) == 0 || unlinkat(fd, entry->d_name, AT_REMOVEDIR) == 0) continue;
      if (!remove_tree(fd, entry->d_name)) return closedir(listing), false;
    }
    closedir(listing);
  }
  return false;
}
