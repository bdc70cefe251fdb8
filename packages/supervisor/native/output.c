/* Keeps the output of a run in files: the first segment of each stream, and the last two. */
#include "supervisor.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define PIECE 65536
/* A segment has at least this many bytes, so that short output is never cut. */
#define LEAST_SEGMENT 4096

static unsigned char *masked_piece;

/* The program may open its own streams by name. Nobody else can name this pipe, so that without the capability to give
   it away it may be open to all. The program of another container has another user, and on gVisor no pipe changes: there
   a stream is opened by its name only by the user that made it. */
bool let_program_open(int fd, const struct options *options, mode_t mode) {
  bool given = !options->first && (!options->has_user || fchown(fd, options->user, options->group) == 0);
  return given || fchmod(fd, mode) == 0 || errno == EPERM;
}

static bool open_stream(struct stream *stream, const char *name, const struct options *options) {
  int ends[2];
  *stream = (struct stream){.name = name, .file = -1};
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  stream->from = ends[0];
  stream->to = ends[1];
  stream->held = malloc(mask_room() + PIECE);
  if (!stream->held || fcntl(stream->from, F_SETFL, O_NONBLOCK) < 0) return false;
  return let_program_open(stream->to, options, 0622);
}

bool open_streams(struct record *record, const struct options *options) {
  uint64_t half = options->output_bytes / 2 + options->output_bytes % 2;
  record->most = half > LEAST_SEGMENT ? half : LEAST_SEGMENT;
  masked_piece = malloc(mask_room() + PIECE);
  return masked_piece && open_stream(&record->streams[0], "stdout", options) &&
         open_stream(&record->streams[1], "stderr", options);
}

/* `stdout.<position>`; `name` holds 32 characters. */
static void segment_name(char *name, const struct stream *stream, uint64_t position) {
  char digits[21];
  size_t at = sizeof digits - 1;
  digits[at] = '\0';
  do digits[--at] = (char)('0' + position % 10);
  while ((position /= 10) > 0);
  strcpy(name, stream->name);
  strcat(name, ".");
  strcat(name, digits + at);
}

/* Begins the next segment, and removes one that is neither the first nor one of the last two. */
static bool next_segment(struct record *record, struct stream *stream) {
  char name[32];
  if (stream->file >= 0) close(stream->file);
  if (stream->has_before) {
    segment_name(name, stream, stream->before);
    unlinkat(record->directory, name, 0);
  }
  stream->has_before = stream->has_segment && stream->segment > 0;
  stream->before = stream->segment;
  stream->segment = stream->position;
  stream->has_segment = true;
  segment_name(name, stream, stream->position);
  stream->file = openat(record->directory, name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  return stream->file >= 0;
}

/* A frame: the offset over both streams in eight bytes, the length in four, the lowest first, and the bytes. */
static bool write_frame(int file, uint64_t offset, const unsigned char *bytes, size_t length) {
  unsigned char head[12];
  for (int i = 0; i < 8; i++) head[i] = (unsigned char)(offset >> (8 * i));
  for (int i = 0; i < 4; i++) head[8 + i] = (unsigned char)(length >> (8 * i));
  struct iovec parts[2] = {{head, sizeof head}, {(void *)bytes, length}};
  off_t end = lseek(file, 0, SEEK_END);
  ssize_t written = writev(file, parts, 2);
  if (written == (ssize_t)(sizeof head + length)) return true;
  int error = written < 0 ? errno : ENOSPC;
  if (end < 0 || ftruncate(file, end) != 0) error = EIO;
  errno = error;
  return false;
}

/* Output that cannot be written still counts; a new segment then shows the gap. */
static void keep(struct record *record, struct stream *stream, const unsigned char *bytes, size_t length) {
  while (length > 0) {
    uint64_t used = stream->position - stream->segment;
    bool fits = stream->file >= 0 && used < record->most;
    if (!fits && !next_segment(record, stream)) record->lost = errno;
    uint64_t room = record->most - (stream->position - stream->segment);
    size_t piece = length < room ? length : (size_t)room;
    if (stream->file >= 0 && !write_frame(stream->file, record->offset, bytes, piece)) {
      record->lost = errno;
      close(stream->file);
      stream->file = -1;
    }
    stream->position += piece;
    record->offset += piece;
    bytes += piece;
    length -= piece;
  }
}

/* Reads once. False when there is nothing to read now, or ever again. */
bool read_stream(struct record *record, struct stream *stream) {
  static unsigned char piece[PIECE];
  if (stream->from < 0) return false;
  ssize_t length = read(stream->from, piece, sizeof piece);
  if (length < 0 && errno == EINTR) return true;
  if (length < 0 && errno == EAGAIN) return false;
  if (length <= 0) {
    close(stream->from);
    stream->from = -1;
    return false;
  }
  keep(record, stream, masked_piece, mask_bytes(stream, piece, (size_t)length, false, masked_piece));
  return true;
}

/* Everything the run wrote is in the pipes by now; a process outside the run may hold them open, and go on writing. */
void end_streams(struct record *record) {
  for (int i = 0; i < 2; i++) {
    struct stream *stream = &record->streams[i];
    int waiting = 0;
    if (stream->from < 0 || ioctl(stream->from, FIONREAD, &waiting) != 0) waiting = 0;
    while (waiting > 0 && read_stream(record, stream)) waiting -= PIECE;
    keep(record, stream, masked_piece, mask_bytes(stream, (const unsigned char *)"", 0, true, masked_piece));
  }
}
