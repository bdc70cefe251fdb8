/* Finds and kills the descendants of this process. Their parents may be hostile: they fork, detach and stop one another. */
#include "supervisor.h"
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#define SYS_pidfd_send_signal 424
#endif

/* More than these are found after the first of them are dead. */
#define MOST_FOUND 65536
#define MOST_PASSES 16

struct entry {
  uint64_t inode;
  int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[];
};

static struct {
  pid_t pid, parent;
} found[MOST_FOUND];
static size_t found_count;
static bool proc_is_ours, lists_children;

static void add(pid_t pid, pid_t parent) {
  if (found_count == MOST_FOUND) return;
  found[found_count].pid = pid;
  found[found_count++].parent = parent;
}

/* Writes the words and the numbers after them to `path`, which holds 64 characters; a number of 0 is left out. */
static void path_of(char *path, const char *first, pid_t pid, const char *middle, pid_t thread, const char *last) {
  const struct {
    const char *word;
    pid_t number;
  } parts[] = {{first, pid}, {middle, thread}, {last, 0}};
  for (size_t i = 0; i < 3; i++) {
    size_t length = strlen(parts[i].word);
    memcpy(path, parts[i].word, length);
    path += length;
    char digits[12];
    size_t at = sizeof digits;
    for (pid_t rest = parts[i].number; rest > 0; rest /= 10) digits[--at] = (char)('0' + rest % 10);
    memcpy(path, digits + at, sizeof digits - at);
    path += sizeof digits - at;
  }
  *path = '\0';
}

static pid_t number_in(const char *name) {
  pid_t number = 0;
  for (; *name >= '0' && *name <= '9' && number < 100000000; name++) number = number * 10 + (*name - '0');
  return *name == '\0' ? number : 0;
}

/* Calls `visit` for each entry of a directory whose name is a number. */
static void each_number(const char *directory, pid_t about, void (*visit)(pid_t about, pid_t number)) {
  int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  _Alignas(struct entry) char buffer[4096];
  for (;;) {
    long length = syscall(SYS_getdents64, fd, buffer, sizeof buffer);
    if (length <= 0) break;
    for (long at = 0; at < length;) {
      const struct entry *entry = (const void *)(buffer + at);
      pid_t number = number_in(entry->name);
      if (number > 0) visit(about, number);
      at += entry->length;
    }
  }
  close(fd);
}

/* Reads the state and the parent of a process or a thread. The name in between may hold anything, so the last bracket counts. */
static bool status_in(const char *path, char *state, pid_t *parent) {
  char text[512];
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return false;
  text[length] = '\0';
  char *at = strrchr(text, ')');
  if (!at || at + 4 > text + length || at[1] != ' ' || at[3] != ' ') return false;
  *state = at[2];
  *parent = 0;
  for (at += 4; *at >= '0' && *at <= '9'; at++) *parent = *parent * 10 + (*at - '0');
  return true;
}

static bool status_of(pid_t pid, char *state, pid_t *parent) {
  char path[64];
  path_of(path, "/proc/", pid, "/stat", 0, "");
  return status_in(path, state, parent);
}

static bool any_thread_runs;

static void look_at_thread(pid_t pid, pid_t thread) {
  char path[64], state;
  pid_t parent;
  path_of(path, "/proc/", pid, "/task/", thread, "/stat");
  if (status_in(path, &state, &parent) && !strchr("TtZXx", state)) any_thread_runs = true;
}

/* A process whose first thread has ended looks like one that has ended, while its other threads go on. */
static bool can_run(pid_t pid, char state) {
  char path[64];
  if (state != 'Z') return !strchr("TtXx", state);
  any_thread_runs = false;
  path_of(path, "/proc/", pid, "/task", 0, "");
  each_number(path, pid, look_at_thread);
  return any_thread_runs;
}

static void add_children_of_thread(pid_t pid, pid_t thread) {
  char path[64], text[4096];
  path_of(path, "/proc/", pid, "/task/", thread, "/children");
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  pid_t child = 0;
  for (;;) {
    ssize_t length = read(fd, text, sizeof text);
    if (length <= 0) break;
    for (ssize_t i = 0; i < length; i++) {
      if (text[i] >= '0' && text[i] <= '9') {
        child = child * 10 + (text[i] - '0');
      } else {
        if (child > 0) add(child, pid);
        child = 0;
      }
    }
  }
  close(fd);
}

static void add_if_child(pid_t parent, pid_t pid) {
  char state;
  pid_t actual;
  if (status_of(pid, &state, &actual) && actual == parent) add(pid, parent);
}

static void add_children(pid_t pid) {
  char path[64];
  path_of(path, "/proc/", pid, "/task", 0, "");
  if (lists_children) each_number(path, pid, add_children_of_thread);
  else each_number("/proc", pid, add_if_child);
}

/* The processes that were stopped in order to be resumed. */
static pid_t held[MOST_FOUND];
static size_t held_count;

/* Signals a process that is still a child of that parent; the number may be another process's by now, the descriptor
   not. Returns true when the process could still run. One that cannot gets no SIGSTOP. */
static bool signal_if_same(pid_t pid, pid_t parent, int signal) {
  char state;
  pid_t actual;
  int fd = (int)syscall(SYS_pidfd_open, pid, 0);
  if (fd < 0 && errno != ENOSYS && errno != EPERM) return false;
  bool same = status_of(pid, &state, &actual) && (actual == parent || actual == getpid());
  bool runs = same && can_run(pid, state);
  if (same && (runs || signal != SIGSTOP)) {
    if (fd < 0 || (syscall(SYS_pidfd_send_signal, fd, signal, NULL, 0) != 0 && errno == ENOSYS)) kill(pid, signal);
  }
  if (fd >= 0) close(fd);
  return runs;
}

static bool is_held(pid_t pid) {
  for (size_t i = 0; i < held_count; i++) {
    if (held[i] == pid) return true;
  }
  return false;
}

/* Stops each process before it looks for the children of that process, which then has no more of them. A parent is
   therefore stopped before it could see that its child is. */
static bool stop_descendants(bool (*spared)(pid_t pid), bool keeps) {
  bool any_runs = false;
  size_t kept = 0;
  found_count = 0;
  add_children(getpid());
  for (size_t i = 0; i < found_count; i++) {
    if (!spared || !spared(found[i].pid)) found[kept++] = found[i];
  }
  found_count = kept;
  for (size_t i = 0; i < found_count; i++) {
    if (keeps && held_count == MOST_FOUND) break;
    if (signal_if_same(found[i].pid, found[i].parent, SIGSTOP)) {
      any_runs = true;
      if (keeps && !is_held(found[i].pid)) held[held_count++] = found[i].pid;
    }
    add_children(found[i].pid);
  }
  return any_runs;
}

/* Looks at /proc once: it must show this PID namespace, or the numbers in it are those of other processes. */
void find_proc(void) {
  char path[64], link[16];
  ssize_t length = readlink("/proc/self", link, sizeof link - 1);
  if (length <= 0) return;
  link[length] = '\0';
  proc_is_ours = number_in(link) == getpid();
  path_of(path, "/proc/", getpid(), "/task/", getpid(), "/children");
  lists_children = access(path, R_OK) == 0;
}

/* A process that is stopped keeps its place among the processes of its user or control group, so that a tree which forks
   without end runs into its limit of processes and comes to rest. What is left is found by the next call. */
void kill_descendants(void) { kill_children_but(NULL); }

/* True when there was a process to kill. */
bool kill_children_but(bool (*spared)(pid_t pid)) {
  if (!proc_is_ours) return false;
  for (int pass = 0; pass < MOST_PASSES && stop_descendants(spared, false); pass++) sched_yield();
  for (size_t i = 0; i < found_count; i++) signal_if_same(found[i].pid, found[i].parent, SIGKILL);
  return found_count > 0;
}

/* Stops the whole tree. One that the command itself has stopped is not resumed later. */
void hold_descendants(void) {
  held_count = 0;
  if (!proc_is_ours) return;
  for (int pass = 0; pass < MOST_PASSES && stop_descendants(NULL, true); pass++) sched_yield();
}

/* Children first, so that no parent that runs sees a child that is stopped. Signals go also to processes that do not stand still
   yet: they would stop later. A process whose parent has ended meanwhile is found by the second pass. */
void release_descendants(void) {
  for (int pass = 0; pass < 2 && held_count > 0; pass++) {
    found_count = 0;
    add_children(getpid());
    for (size_t i = 0; i < found_count; i++) add_children(found[i].pid);
    for (size_t i = found_count; i > 0; i--) {
      if (is_held(found[i - 1].pid)) signal_if_same(found[i - 1].pid, found[i - 1].parent, SIGCONT);
    }
  }
  held_count = 0;
}
