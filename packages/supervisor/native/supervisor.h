/* What the files of the supervisor share. The commands and the report are described in ../PROTOCOL.md. */
#ifndef SUPERVISOR_H
#define SUPERVISOR_H

#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PROTOCOL "2"
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
  int report, control, child_control, whole, mask; /* descriptors, or -1 */
  int keep[MOST_KEPT];
  int keeps;
  const char *groups[MOST_GROUPS]; /* control group files */
  int group_count;
  struct limit limits[MOST_LIMITS];
  int limit_count;
  const char *spaces[MOST_SPACES]; /* directories */
  int space_count;
  bool has_user, has_group, session, files;
  uint32_t user, group;
  int64_t time, lease; /* milliseconds, or -1 */
  const char *record, *claim; /* a directory, and the name of a link beside it */
  uint64_t output_bytes;
  enum filter filter;
  enum architecture architecture;
  const char *cwd;
  char **program; /* ends with a null pointer; null when no program was given */
};

/* A stream of the program that the supervisor keeps in files. */
struct stream {
  const char *name;
  int from, to;      /* the ends of its pipe, or -1 */
  int file;          /* the segment that is written to, or -1 */
  uint64_t position; /* bytes of the stream so far */
  uint64_t segment, before; /* where the last segments begin */
  bool has_segment, has_before;
  unsigned char *held; /* bytes that may begin a secret */
  size_t held_length, masked;
};

/* The files of a recorded run. */
struct record {
  int directory; /* or -1 */
  int control;
  struct stream streams[2];
  uint64_t offset; /* bytes of both streams so far */
  uint64_t most;   /* bytes of a segment */
  int lost;        /* why output could not be kept, or 0 */
  int64_t renewed[2], renewed_at;
};

/* What a supervisor watches while its child lives. */
struct watch {
  struct record *record; /* or null */
  const char *asked;     /* the line of the host that ended the run */
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

/* whole.c */
unsigned char *read_whole(int fd, size_t *length);
bool replace_by_copy(int fd);

/* files.c */
void take_files(struct options *options);

/* mask.c */
bool read_mask(int fd);
size_t mask_room(void);
size_t mask_bytes(struct stream *stream, const unsigned char *bytes, size_t length, bool last, unsigned char *out);

/* output.c */
bool open_streams(struct record *record, const struct options *options);
bool read_stream(struct record *record, struct stream *stream);
void end_streams(struct record *record);

/* record.c */
const char *open_record(struct record *record, const struct options *options);
bool lease_is_over(struct record *record, int64_t lease, int64_t now);

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
int follow(const struct options *options);

#endif
