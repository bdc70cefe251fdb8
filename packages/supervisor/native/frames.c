/* Frames on a stream, and queues of bytes between descriptors that may not be ready. */
#include "supervisor.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE 65536

static bool has_room(struct queue *queue, size_t length) {
  if (queue->start > 0) {
    memmove(queue->bytes, queue->bytes + queue->start, queue->length);
    queue->start = 0;
  }
  if (queue->room - queue->length >= length) return true;
  size_t room = queue->room > 0 ? queue->room : 4096;
  while (room - queue->length < length) room *= 2;
  unsigned char *bytes = realloc(queue->bytes, room);
  if (!bytes) return false;
  queue->bytes = bytes;
  queue->room = room;
  return true;
}

static void put(struct queue *queue, const void *bytes, size_t length) {
  if (length > 0) memcpy(queue->bytes + queue->start + queue->length, bytes, length);
  queue->length += length;
}

bool queue_add(struct queue *queue, const void *bytes, size_t length) {
  if (queue->room - queue->start - queue->length < length && !has_room(queue, length)) return false;
  put(queue, bytes, length);
  return true;
}

void queue_drop(struct queue *queue, size_t length) {
  queue->start += length;
  queue->length -= length;
  if (queue->length == 0) queue->start = 0;
}

void queue_free(struct queue *queue) {
  free(queue->bytes);
  *queue = (struct queue){0};
}

/* Reads once. False at the end of the file, and after an error. */
bool queue_read(struct queue *queue, int fd) {
  static unsigned char piece[PIECE];
  ssize_t length = read(fd, piece, sizeof piece);
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  return length > 0 && queue_add(queue, piece, (size_t)length);
}

/* Writes what the descriptor takes now, and returns its number. Negative when nobody reads it. */
ssize_t queue_write(struct queue *queue, int fd) {
  ssize_t written = write(fd, queue->bytes + queue->start, queue->length);
  if (written < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
  queue_drop(queue, (size_t)written);
  return written;
}

void write_number(unsigned char *bytes, uint32_t number) {
  for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(number >> (8 * i));
}

uint32_t read_number(const unsigned char *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* `first` is a byte before the others, or -1. */
bool frame_add(struct queue *queue, char kind, uint32_t channel, int first, const void *bytes, size_t length) {
  unsigned char head[FRAME_HEAD + 1] = {(unsigned char)kind};
  size_t extra = first >= 0 ? 1 : 0;
  write_number(head + 1, channel);
  write_number(head + 5, (uint32_t)(length + extra));
  if (extra) head[FRAME_HEAD] = (unsigned char)first;
  if (!queue_add(queue, head, FRAME_HEAD + extra)) return false;
  return queue_add(queue, bytes, length);
}

/* The next whole frame, whose bytes are valid until the queue changes. -1 for one that is too long, 0 for none yet. */
int frame_next(const struct queue *queue, struct frame *frame) {
  const unsigned char *bytes = queue->bytes + queue->start;
  if (queue->length < FRAME_HEAD) return 0;
  *frame = (struct frame){(char)bytes[0], read_number(bytes + 1), read_number(bytes + 5), bytes + FRAME_HEAD};
  if (frame->length > MOST_FRAME) return -1;
  return queue->length - FRAME_HEAD >= frame->length;
}
