/* What the files of the supervisor share. The commands and the report are described in ../PROTOCOL.md. */
#ifndef SUPERVISOR_H
#define SUPERVISOR_H

#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
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
#define MOST_COUNTERS 8
#define HIGHEST_DESCRIPTOR 1023
/* What passes to `first`: the order, three streams, the report, the control pipe, and where the end is told. */
#define FAR_DESCRIPTORS 7

enum filter { NO_FILTER, ONLINE, OFFLINE };
enum architecture { X64, ARM64 };

struct limit {
  int resource;
  uint64_t value;
};

/* A number in a file that rises when a limit is reached. */
struct counter {
  const char *name, *file, *word;
  uint64_t before;
};

struct options {
  int report, control, child_control, whole, mask, put, host, feed; /* descriptors, or -1 */
  int keep[MOST_KEPT];
  int keeps;
  const char *groups[MOST_GROUPS]; /* control group files */
  int group_count;
  struct limit limits[MOST_LIMITS];
  int limit_count;
  const char *spaces[MOST_SPACES]; /* directories */
  int space_count;
  const char *room; /* a directory, or null */
  uint64_t room_bytes, room_inodes;
  bool has_user, has_group, session, files, shell, input, unkept;
  bool told; /* the host has read which process this is */
  uint32_t user, group;
  int64_t time, lease; /* milliseconds, or -1 */
  const char *record, *claim; /* a directory, and the name of a link beside it */
  const char *socket, *dial;
  const char *first;          /* the socket of `hold`, or null */
  uint64_t output_bytes;
  enum filter filter;
  enum architecture architecture;
  const char *cwd, *within, *make;
  struct counter counters[MOST_COUNTERS];
  int counter_count;
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

#define FRAME_HEAD 9
/* The arguments and variables of a command are one frame. */
#define MOST_FRAME (8u << 20)
/* A queue with more bytes takes none from a program or host. */
#define MOST_QUEUED (256u << 10)

struct queue {
  unsigned char *bytes;
  size_t start, length, room;
};

struct frame {
  char kind;
  uint32_t channel, length;
  const unsigned char *bytes;
};

/* One host, or the recorder. */
struct connection {
  struct connection *next;
  int fd; /* -1 when it has ended */
  struct queue in, out;
};

/* A descriptor of a command that a host writes to. */
struct input {
  int fd; /* or -1 */
  bool ends; /* the host has closed it */
  struct queue queue;
};

#define INPUTS 3
#define OUTPUTS 3

/* A command that a host has started. */
struct channel {
  struct channel *next;
  struct connection *connection; /* null when it has ended */
  uint32_t number;
  pid_t pid;
  bool ended;
  int status;
  char *note;
  struct input inputs[INPUTS];
  int outputs[OUTPUTS];
};

/* What passes from the FIFO of a recorded run to the program's standard input. */
struct feed {
  int from, to; /* or -1 */
  bool ends;    /* nothing more is written */
  unsigned char *bytes;
  size_t start, length;
};

/* The files of a recorded run. */
struct record {
  int directory; /* or -1 */
  int control;
  struct feed feed;
  struct stream streams[2];
  uint64_t offset; /* bytes of both streams so far */
  uint64_t most;   /* bytes of a segment */
  int lost;        /* why output could not be kept, or 0 */
  int64_t renewed[2], renewed_at;
};

/* What a run may still take of a file system before its host measures. */
struct room {
  int place, host; /* or -1 */
  uint64_t bytes, inodes, free_bytes, free_inodes;
  bool looked, held;
};

/* What a supervisor watches while its child lives. */
struct watch {
  struct record *record; /* or null */
  const char *asked;     /* the line that tells who ended the run, or null */
  const struct options *options;
  const char *ended; /* the word that reports the child's end */
  int signals, control, outcome;
  int host;   /* ends with the host of a recorded run; or -1 */
  int far[2]; /* the report of a supervisor elsewhere, and its end; or -1 */
  struct room room;
  pid_t child;
  bool child_ended, begun, failed, ending;
  bool taken; /* the host has read the whole record */
  uint64_t held; /* signals that arrived before the program began */
  char line[64];
  size_t line_length;
};

/* options.c */
void parse_options(struct options *options, char **arguments);
void fail(const char *what, const char *about) __attribute__((noreturn));
const char *resource_name(int resource);

/* report.c */
bool write_all(int fd, const char *text, size_t length);
void report(int fd, const char *words);
void report_number(int fd, const char *words, long number);
void report_failed(int fd, const char *step, int error);
void report_about(int fd, const char *word, const char *name);
void decimal(char *text, long number);

/* descriptors.c */
void fill_standard_streams(void);
void close_others(const struct options *options);
void close_from_to(unsigned first, unsigned last);
int place_child_control(int fd);
void leave_streams(void);

/* whole.c */
unsigned char *read_whole(int fd, size_t *length);
bool replace_by_copy(int fd);

/* put.c */
void put_files(const struct options *options);

/* place.c */
const char *enter_place(const struct options *options);

/* reached.c */
void read_counters(struct counter *counters, int count);
void report_reached(const struct options *options);
void report_usage(const struct options *options);
void report_space(const struct options *options);

/* room.c */
void begin_room(struct room *room, const struct options *options);
void end_room(struct room *room);
void add_room(struct room *room, uint64_t bytes, uint64_t inodes);
int room_pause(const struct room *room);
void watch_room(struct room *room);

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

bool let_program_open(int fd, const struct options *options, mode_t mode);

/* feed.c */
bool open_feed(struct record *record, const struct options *options);
void stop_feed(struct feed *feed);
void pass_feed(struct feed *feed);
void watch_feed(const struct feed *feed, struct pollfd events[2]);
void take_feed(struct feed *feed, const struct pollfd events[2]);

/* record.c */
const char *open_record(struct record *record, const struct options *options);
bool lease_is_over(struct record *record, int64_t lease, int64_t now);
void remove_record(const struct record *record, const struct options *options);

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
void hold_descendants(void);
void release_descendants(void);
bool kill_children_but(bool (*spared)(pid_t pid));

/* passing.c */
int connect_to_abstract(const char *name);
int listen_on_abstract(const char *name);
int connect_to_path(const char *path);
int listen_on_path(const char *path);
bool pass_descriptors(int socket, const int *passed, int count);
int receive_descriptors(int socket, int *passed);

/* elsewhere.c */
bool run_elsewhere(struct watch *watch);
void read_far(struct watch *watch, int which);

/* filter.c */
size_t filter_program(enum filter filter, enum architecture architecture, const void **program);
bool set_filter(enum filter filter);

/* frames.c */
bool queue_add(struct queue *queue, const void *bytes, size_t length);
void queue_drop(struct queue *queue, size_t length);
void queue_free(struct queue *queue);
bool queue_read(struct queue *queue, int fd);
ssize_t queue_write(struct queue *queue, int fd);
void write_number(unsigned char *bytes, uint32_t number);
uint32_t read_number(const unsigned char *bytes);
bool frame_add(struct queue *queue, char kind, uint32_t channel, int first, const void *bytes, size_t length);
int frame_next(const struct queue *queue, struct frame *frame);

/* channel.c */
struct channel *start_channel(struct connection *connection, const struct frame *frame);
bool take_input(struct channel *channel, const struct frame *frame);
void pass_input(struct channel *channel, int input);
void pass_output(struct channel *channel, int output);
bool is_over(struct channel *channel);
void leave_channel(struct channel *channel);
void free_channel(struct channel *channel);

/* connect.c */
int open_socket(const char *path);

int command(char **arguments);
int serve(const struct options *options);
int connect_host(const struct options *options);
int run(struct options *options);
int init(const struct options *options);
int follow(const struct options *options);
int first(const char *name);
int hold(const char *name, const char *path, char **arguments);
int copy_self(const char *path);
int wait_for_nothing(void);
int give_files(const char *root);

/* digest.c */
struct digest {
  uint32_t state[8];
  uint64_t length;
  unsigned char block[64];
};
void begin_digest(struct digest *digest);
void add_to_digest(struct digest *digest, const unsigned char *bytes, size_t length);
void end_digest(struct digest *digest, char *text);

/* places.c */
int open_directory_at(int at, const char *name);
int open_parent(int root, char *path, bool make, const char **name);
bool remove_tree(int at, const char *name);

/* give.c, listing.c */
void answer_frame(char kind, const void *content, size_t length);
void list_tree(int root, char *wanted);

#endif
