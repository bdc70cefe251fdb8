/* What the files of the supervisor share. The commands and the report are described in ../PROTOCOL.md. */
#ifndef SUPERVISOR_H
#define SUPERVISOR_H

#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PROTOCOL "1"
/* The exit code of a supervisor that could not do its own work. */
#define OWN_FAILURE 125
#define MOST_KEPT 16
#define MOST_GROUPS 16
#define MOST_LIMITS 8
#define MOST_SPACES 4
#define HIGHEST_DESCRIPTOR 1023

enum filter { NO_FILTER, ONLINE, OFFLINE };
enum architecture { X64, ARM64 };

struct limit {
  int resource;
  uint64_t value;
};

struct options {
  int report, control, child_control; /* descriptors, or -1 */
  int keep[MOST_KEPT];
  int keeps;
  const char *groups[MOST_GROUPS]; /* control group files */
  int group_count;
  struct limit limits[MOST_LIMITS];
  int limit_count;
  const char *spaces[MOST_SPACES]; /* directories */
  int space_count;
  bool has_user, has_group, session;
  uint32_t user, group;
  int64_t time; /* milliseconds, or -1 */
  enum filter filter;
  enum architecture architecture;
  const char *cwd;
  char **program; /* ends with a null pointer; null when no program was given */
};

/* What a supervisor watches while its child lives. */
struct watch {
  const struct options *options;
  const char *ended; /* the word that reports the child's end */
  int signals, control, outcome;
  pid_t child;
  bool child_ended, begun, failed, ending;
  uint64_t held; /* signals that arrived before the program began */
  char line[64];
  size_t line_length;
};

/* options.c */
void parse_options(struct options *options, char **arguments);
void fail(const char *what, const char *about) __attribute__((noreturn));

/* report.c */
bool write_all(int fd, const char *text, size_t length);
void report(int fd, const char *words);
void report_number(int fd, const char *words, long number);
void report_failed(int fd, const char *step, int error);
void report_full(int fd, const char *directory);

/* descriptors.c */
void fill_standard_streams(void);
void close_others(const struct options *options);
int place_child_control(int fd);
void leave_streams(void);

/* start.c */
bool start_child(struct watch *watch, bool inside);

/* watch.c */
void begin_watch(struct watch *watch, const struct options *options, const char *ended, bool inside);
bool wait_for_event(struct watch *watch, int timeout);
int next_signal(struct watch *watch);
bool reap(struct watch *watch);

/* tree.c */
void find_proc(void);
void kill_descendants(void);

/* filter.c */
size_t filter_program(enum filter filter, enum architecture architecture, const void **program);
bool set_filter(enum filter filter);

int run(const struct options *options);
int init(const struct options *options);

#endif
