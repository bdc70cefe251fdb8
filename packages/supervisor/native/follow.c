/* `follow`: tells a host that cannot see the files of a recorded run what is added to them, and passes on its lines and
   its input. */
#include "supervisor.h"
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_FILES 32
#define PIECE 65536
/* No event tells of a supervisor that was killed. */
#define LOOK_MS 100

static struct followed {
  char name[32];
  off_t at;
  bool seen;
} files[MOST_FILES];
static int directory;
/* What passes from the host to the FIFO of the run. */
static struct {
  int from, to; /* or -1 */
  bool ended, ends; /* nothing more comes; the host has said that this is all */
  size_t start, length;
  char bytes[PIECE];
} feed = {.from = -1, .to = -1};

static void say(const char *words) {
  if (!write_all(1, words, strlen(words))) _exit(0);
}

static int control_pipe(void) {
  return openat(directory, "control", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
}

static bool is_supervised(void) {
  int fd = control_pipe();
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static struct followed *entry_of(const char *name) {
  struct followed *free = NULL;
  for (int i = 0; i < MOST_FILES; i++) {
    if (strcmp(files[i].name, name) == 0) return &files[i];
    if (!files[i].name[0] && !free) free = &files[i];
  }
  if (free) *free = (struct followed){.at = 0};
  if (free) strcpy(free->name, name);
  return free;
}

static bool is_told(const char *name) {
  if (strlen(name) >= sizeof files[0].name) return false;
  return strcmp(name, "report") == 0 || strcmp(name, "run.json") == 0 || strncmp(name, "stdout.", 7) == 0 ||
         strncmp(name, "stderr.", 7) == 0;
}

/* True when the file has grown. One that was removed after it was listed has nothing to tell. */
static bool tell_file(struct followed *file) {
  static char piece[PIECE];
  int fd = openat(directory, file->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  bool grew = false;
  for (ssize_t length; fd >= 0 && (length = pread(fd, piece, sizeof piece, file->at)) > 0;) {
    say(file->name);
    report_number(1, "", length);
    if (!write_all(1, piece, (size_t)length)) _exit(0);
    file->at += length;
    grew = true;
  }
  if (fd >= 0) close(fd);
  return grew;
}

static bool tell_files(void) {
  bool any = false;
  int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *listing = fd < 0 ? NULL : fdopendir(fd);
  if (!listing) return false;
  for (int i = 0; i < MOST_FILES; i++) files[i].seen = false;
  for (struct dirent *entry; (entry = readdir(listing));) {
    struct followed *file = is_told(entry->d_name) ? entry_of(entry->d_name) : NULL;
    if (!file) continue;
    file->seen = true;
    if (tell_file(file)) any = true;
  }
  closedir(listing);
  for (int i = 0; i < MOST_FILES; i++) {
    if (!files[i].seen) files[i].name[0] = '\0';
  }
  /* The scan after the last bytes tells that nothing was written before them. */
  static bool was_any;
  if (any || was_any) say("scan\n");
  was_any = any;
  return any;
}

static void obey(const char *line, size_t length) {
  if (length == 10 && strncmp(line, "end-input\n", 10) == 0 && feed.from >= 0) {
    feed.ends = true;
    return;
  }
  if (length == 6 && strncmp(line, "renew\n", 6) == 0) {
    utimensat(directory, "lease", NULL, AT_SYMLINK_NOFOLLOW);
    return;
  }
  int fd = control_pipe();
  /* A supervisor that does not read its lines has plenty of them. */
  if (fd < 0) return;
  if (write(fd, line, length) < 0) errno = 0;
  close(fd);
}

/* False when the host is gone. */
static bool read_lines(void) {
  static char line[64];
  static size_t length;
  char text[256];
  ssize_t got = read(0, text, sizeof text);
  if (got < 0 && errno == EINTR) return true;
  for (ssize_t i = 0; i < got; i++) {
    if (length < sizeof line) line[length++] = text[i];
    if (text[i] != '\n') continue;
    if (line[length - 1] == '\n') obey(line, length);
    length = 0;
  }
  return got > 0;
}

/* Without a program that reads it, the host is told at once that nobody does. */
static void open_feed_of_host(int from) {
  signal(SIGPIPE, SIG_IGN);
  feed.to = openat(directory, "input", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
  if (feed.to >= 0 && fcntl(from, F_SETFL, O_NONBLOCK) == 0) feed.from = from;
  else close(from);
}

static void stop_feed_of_host(void) {
  if (feed.from >= 0) close(feed.from);
  if (feed.to >= 0) close(feed.to);
  feed.from = feed.to = -1;
}

/* The pipe from the host is at its end when it has nothing to read and no writer. */
static void pass_feed_of_host(void) {
  if (feed.length == 0) {
    ssize_t got = read(feed.from, feed.bytes, sizeof feed.bytes);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    feed.start = 0;
    feed.length = got > 0 ? (size_t)got : 0;
    feed.ended = got <= 0;
  }
  ssize_t length = feed.length > 0 ? write(feed.to, feed.bytes + feed.start, feed.length) : 0;
  if (length < 0 && errno != EAGAIN && errno != EINTR) return stop_feed_of_host();
  if (length > 0) {
    feed.start += (size_t)length;
    feed.length -= (size_t)length;
  }
}

/* Opens the run that was claimed. False where there is none. */
static bool open_claimed(const struct options *options) {
  char name[256];
  ssize_t length = readlinkat(directory, options->claim, name, sizeof name - 1);
  if (length <= 0) return false;
  name[length] = '\0';
  int run = openat(directory, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (run < 0) return false;
  close(directory);
  directory = run;
  say("run ");
  say(name);
  say("\n");
  return true;
}

int follow(const struct options *options) {
  if (!options->record) fail("follow needs --record", "");
  directory = open(options->record, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0 && errno != ENOENT) fail("the record cannot be opened: ", strerror(errno));
  if (directory < 0 || (options->claim && !open_claimed(options))) {
    say("none\n");
    return 0;
  }
  if (options->feed >= 0) open_feed_of_host(options->feed);
  int changes = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  char place[64] = "/proc/self/fd/";
  char digits[12];
  size_t at = sizeof digits - 1;
  digits[at] = '\0';
  for (int rest = directory; rest > 0; rest /= 10) digits[--at] = (char)('0' + rest % 10);
  strcat(place, digits + at);
  if (changes >= 0) inotify_add_watch(changes, place, IN_MODIFY | IN_CREATE);
  for (;;) {
    bool supervised = is_supervised(), told = tell_files();
    if (!told && !supervised) break;
    if (feed.ended && feed.ends && feed.from >= 0) {
      stop_feed_of_host();
      obey("end-input\n", 10);
    }
    struct pollfd events[] = {
        {.fd = 0, .events = POLLIN},
        {.fd = changes, .events = POLLIN},
        {.fd = feed.length == 0 && !feed.ended ? feed.from : -1, .events = POLLIN},
        /* An error tells that the program reads no more. */
        {.fd = feed.to, .events = feed.length > 0 ? POLLOUT : 0},
    };
    if (poll(events, 4, told ? 0 : LOOK_MS) < 0) continue;
    char dropped[4096];
    while (changes >= 0 && read(changes, dropped, sizeof dropped) > 0) continue;
    if (events[3].revents & (POLLERR | POLLNVAL)) stop_feed_of_host();
    else if (events[2].revents || events[3].revents) pass_feed_of_host();
    if (events[0].revents && !read_lines()) return 0;
  }
  say("over\n");
  return 0;
}
