/* Tells everything below a directory. */
#include "supervisor.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEEPEST 64
#define ROOM 60000
#define LONGEST 16384

static char block[ROOM + LONGEST], path[LONGEST];
static size_t used;

static void add_number(int64_t number) {
  char text[24];
  decimal(text, (long)number);
  size_t length = strlen(text);
  memcpy(block + used, text, length);
  used += length;
  block[used++] = ' ';
}

/* Kind, size, two times in nanoseconds, mode, names, device and inode, and the path. */
static void add_entry(const struct stat *what, char kind) {
  if (used > ROOM - 512) answer_frame('l', block, used), used = 0;
  block[used++] = kind;
  block[used++] = ' ';
  add_number(what->st_size);
  add_number(what->st_mtim.tv_sec);
  add_number(what->st_mtim.tv_nsec);
  add_number(what->st_ctim.tv_sec);
  add_number(what->st_ctim.tv_nsec);
  add_number(what->st_mode & 07777);
  add_number((int64_t)what->st_nlink);
  add_number((int64_t)what->st_dev);
  add_number((int64_t)what->st_ino);
  size_t length = strlen(path);
  memcpy(block + used, path, length + 1);
  used += length + 1;
}

static char kind_of(const struct stat *what) {
  return S_ISREG(what->st_mode) ? 'f' : S_ISDIR(what->st_mode) ? 'd' : S_ISLNK(what->st_mode) ? 'l' : 's';
}

static void list_directory(int fd, int depth) {
  size_t end = strlen(path);
  DIR *listing = fdopendir(fd);
  if (!listing) return;
  for (struct dirent *entry; (entry = readdir(listing));) {
    struct stat what;
    const char *name = entry->d_name;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
    if (end + strlen(name) + 2 > sizeof path) continue;
    if (fstatat(dirfd(listing), name, &what, AT_SYMLINK_NOFOLLOW) != 0) continue;
    path[end] = '/';
    strcpy(path + end + 1, name);
    char kind = kind_of(&what);
    int inner = kind != 'd' || depth == DEEPEST ? -1 : open_directory_at(dirfd(listing), name);
    add_entry(&what, kind == 'd' && inner < 0 ? 's' : kind);
    if (inner >= 0) list_directory(inner, depth + 1);
  }
  path[end] = '\0';
  closedir(listing);
}

void list_tree(int root, char *wanted) {
  const char *name;
  used = 0;
  if (strlen(wanted) >= sizeof path / 2) return answer_frame('x', "36", 2);
  strcpy(path, wanted);
  int parent = open_parent(root, wanted, false, &name);
  int fd = parent < 0 ? -1 : open_directory_at(parent, name);
  char error[24];
  decimal(error, fd < 0 ? errno : 0);
  if (parent >= 0) close(parent);
  if (fd < 0) return answer_frame('x', error, strlen(error));
  list_directory(fd, 1);
  if (used > 0) answer_frame('l', block, used);
  answer_frame('o', "", 0);
}
