/* `files`: reads and writes the files of a workspace for a host that is elsewhere, one request after the other. A frame is
   its length in four bytes, the lowest first, the kind in one, and its content. */
#include "supervisor.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_REQUEST (1 << 20)
#define FRAME_START 5
#define MOST_TOGETHER 65536
#define ASIDE ".aside"
#define EXCHANGE 2u /* RENAME_EXCHANGE */

static int root;
/* What was read and not yet obeyed, and answers that wait for the next read: system calls cost more than bytes. */
static char input[2 * MOST_REQUEST + 1], output[MOST_TOGETHER];
static size_t input_start, input_end, output_length;
/* The content of a request, and the byte after it, which a null byte replaces meanwhile. */
static char *frame = input, after;
static size_t frame_length;
/* The file that is being written, and why it cannot be. */
static int file = -1, trouble;
static struct digest digest;
/* The directory of the last file, which only this session knows, and its token and path. */
static int parent_kept = -1;
static char parent_token[64], parent_path[4096];

static void flush(void) {
  if (!write_all(1, output, output_length)) _exit(0);
  output_length = 0;
}

/* False at the end of the input. */
static bool read_until(size_t length) {
  if (input_start == input_end) input_start = input_end = 0;
  if (input_start + length > sizeof input - 1) {
    memmove(input, input + input_start, input_end - input_start);
    input_end -= input_start;
    input_start = 0;
  }
  while (input_end - input_start < length) {
    flush();
    ssize_t got = read(0, input + input_end, sizeof input - 1 - input_end);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    input_end += (size_t)got;
  }
  return true;
}

/* The kind of the next request, or 0 at the end. Its content ends with a null byte. */
static char next_frame(void) {
  frame[frame_length] = after;
  if (!read_until(FRAME_START)) return 0;
  uint32_t length = read_number((unsigned char *)input + input_start);
  if (length < 1 || length > MOST_REQUEST || !read_until(4 + length)) return 0;
  char kind = input[input_start + 4];
  frame = input + input_start + FRAME_START;
  frame_length = length - 1;
  input_start += 4 + length;
  after = frame[frame_length];
  frame[frame_length] = '\0';
  return kind;
}

static void add_answer(const void *bytes, size_t length) {
  if (length > sizeof output - output_length) flush();
  if (length > sizeof output) {
    if (!write_all(1, bytes, length)) _exit(0);
    return;
  }
  memcpy(output + output_length, bytes, length);
  output_length += length;
}

void answer_frame(char kind, const void *content, size_t length) {
  unsigned char head[FRAME_START];
  write_number(head, (uint32_t)length + 1);
  head[4] = (unsigned char)kind;
  add_answer(head, sizeof head);
  add_answer(content, length);
}

static void answer_error(int error) {
  char words[32];
  decimal(words, error);
  answer_frame('x', words, strlen(words));
}

static void answer(bool worked) {
  if (worked) answer_frame('o', "", 0);
  else answer_error(errno);
}

/* The strings of a request, each after a null byte. */
static char *part(int number) {
  char *at = frame;
  for (; number > 0 && at < frame + frame_length; number--) at += strlen(at) + 1;
  return at <= frame + frame_length ? at : frame + frame_length;
}

static int open_aside(const char *token) {
  int aside = open_directory_at(root, ASIDE);
  int fd = aside < 0 ? -1 : open_directory_at(aside, token);
  if (aside >= 0) close(aside);
  return fd;
}

static void new_aside(void) {
  mkdirat(root, ASIDE, 0700);
  int aside = open_directory_at(root, ASIDE);
  answer(aside >= 0 && mkdirat(aside, frame, 0700) == 0);
  if (aside >= 0) close(aside);
}

static void drop_aside(void) {
  int aside = open_directory_at(root, ASIDE);
  answer(aside >= 0 && remove_tree(aside, frame));
  if (aside >= 0) close(aside);
}

static void forget_parent(void) {
  if (parent_kept >= 0) close(parent_kept);
  parent_kept = -1;
}

/* Opens the directory of a name aside, which most often is that of the file before. */
static int parent_of(const char *token, char *path, const char **name) {
  char *slash = strrchr(path, '/');
  size_t length = slash ? (size_t)(slash - path) : 0;
  *name = path + (slash ? length + 1 : 0);
  if (parent_kept >= 0 && strcmp(parent_token, token) == 0 && strlen(parent_path) == length &&
      memcmp(parent_path, path, length) == 0) return parent_kept;
  forget_parent();
  bool fits = length < sizeof parent_path && strlen(token) < sizeof parent_token;
  if (fits) {
    strcpy(parent_token, token);
    memcpy(parent_path, path, length);
    parent_path[length] = '\0';
  }
  int aside = fits ? open_aside(token) : (errno = ENAMETOOLONG, -1);
  if (aside < 0) return -1;
  parent_kept = open_parent(aside, path, true, name);
  int error = errno;
  close(aside);
  errno = error;
  return parent_kept;
}

static void begin_file(void) {
  const char *name;
  mode_t mode = *part(2) == 'x' ? 0755 : 0644;
  int parent = parent_of(part(0), part(1), &name);
  file = parent < 0 ? -1 : openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
  trouble = file < 0 ? errno : 0;
  begin_digest(&digest);
}

static void add_to_file(void) {
  add_to_digest(&digest, (unsigned char *)frame, frame_length);
  if (!trouble && !write_all(file, frame, frame_length)) trouble = errno ? errno : EIO;
}

static void end_file(void) {
  char text[65];
  end_digest(&digest, text);
  if (!trouble && strcmp(text, frame) != 0) trouble = EILSEQ;
  if (file >= 0 && close(file) != 0 && !trouble) trouble = errno;
  file = -1;
  errno = trouble;
  answer(!trouble);
}

static void link_aside(void) {
  int aside = open_aside(part(0));
  answer(aside >= 0 && symlinkat(part(2), aside, part(1)) == 0);
  if (aside >= 0) close(aside);
}

static bool is_directory(int at, const char *name) {
  struct stat what;
  return fstatat(at, name, &what, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(what.st_mode);
}

static void move_in(void) {
  const char *name;
  int aside = open_aside(part(0)), parent = aside < 0 ? -1 : open_parent(root, part(2), true, &name);
  if (parent >= 0 && is_directory(parent, name)) answer_error(EISDIR);
  else answer(parent >= 0 && renameat(aside, part(1), parent, name) == 0);
  if (parent >= 0) close(parent);
  if (aside >= 0) close(aside);
}

/* The old directory is exchanged for the new one where the system can, and removed afterwards. */
static void stage(void) {
  const char *name = part(2);
  int aside = open_aside(part(0)), skills = open_directory_at(root, "skills");
  bool there = skills >= 0 && is_directory(skills, name);
  bool done = aside >= 0 && skills >= 0;
  if (done && there && syscall(SYS_renameat2, aside, part(1), skills, name, EXCHANGE) == 0) there = false;
  else {
    if (done && there) done = renameat(skills, name, aside, ".old") == 0;
    if (done) done = renameat(aside, part(1), skills, name) == 0;
  }
  answer(done);
  if (skills >= 0) close(skills);
  if (aside >= 0) close(aside);
}

static void unstage(void) {
  int skills = open_directory_at(root, "skills");
  answer(skills >= 0 && (remove_tree(skills, frame) || errno == ENOENT));
  if (skills >= 0) close(skills);
}

static void link_to(void) {
  static unsigned count;
  char fresh[40] = ".skillwright-link-", number[16];
  const char *name, *target = part(1);
  decimal(number, (long)getpid() * 1000 + count++ % 1000);
  strcat(fresh, number);
  int parent = open_parent(root, part(0), true, &name);
  if (parent >= 0 && is_directory(parent, name)) answer_error(EISDIR);
  else answer(parent >= 0 && symlinkat(target, parent, fresh) == 0 && renameat(parent, fresh, parent, name) == 0);
  if (parent >= 0) close(parent);
}

static void remove_path(void) {
  const char *name;
  int parent = open_parent(root, frame, false, &name);
  answer(parent >= 0 && remove_tree(parent, name));
  if (parent >= 0) close(parent);
}

static void send_file(void) {
  static char piece[MOST_TOGETHER];
  struct stat what;
  const char *name;
  char text[65];
  int parent = open_parent(root, frame, false, &name);
  int fd = parent < 0 ? -1 : openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  int error = fd < 0 ? errno : fstat(fd, &what) != 0 ? errno : S_ISREG(what.st_mode) ? 0 : EISDIR;
  if (parent >= 0) close(parent);
  begin_digest(&digest);
  if (!error) answer_frame('s', "", 0);
  for (ssize_t got; !error && (got = read(fd, piece, sizeof piece)) != 0;) {
    if (got < 0) error = errno;
    else {
      add_to_digest(&digest, (unsigned char *)piece, (size_t)got);
      answer_frame('d', piece, (size_t)got);
    }
  }
  if (fd >= 0) close(fd);
  end_digest(&digest, text);
  if (error) answer_error(error);
  else answer_frame('e', text, 64);
}

/* Where a directory lies when all links are followed. */
static void resolve(const char *root_path) {
  static char real[4096];
  char path[8192];
  struct stat what;
  if (strlen(root_path) + frame_length + 2 > sizeof path) return answer_error(ENAMETOOLONG);
  strcpy(path, root_path);
  strcat(path, "/");
  strcat(path, frame);
  if (!realpath(path, real) || stat(real, &what) != 0) return answer_error(errno);
  if (!S_ISDIR(what.st_mode)) return answer_error(ENOTDIR);
  answer_frame('o', real, strlen(real));
}

int give_files(const char *root_path) {
  root = root_path ? open(root_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (root < 0) fail("files needs a directory", "");
  umask(022);
  answer_frame('o', PROTOCOL, 1);
  for (char kind; (kind = next_frame());) {
    if (!strchr("FDE", kind)) forget_parent();
    switch (kind) {
      case 'N': new_aside(); break;
      case 'U': drop_aside(); break;
      case 'F': begin_file(); break;
      case 'D': add_to_file(); break;
      case 'E': end_file(); break;
      case 'L': link_aside(); break;
      case 'M': move_in(); break;
      case 'S': stage(); break;
      case 'X': unstage(); break;
      case 'K': link_to(); break;
      case 'R': remove_path(); break;
      case 'G': send_file(); break;
      case 'T': list_tree(root, frame); break;
      case 'C': resolve(root_path); break;
      default: answer_error(ENOSYS);
    }
  }
  return 0;
}
