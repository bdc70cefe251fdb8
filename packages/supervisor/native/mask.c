/* Replaces secrets in the output before it is kept, so that none is ever in a file. */
#include "supervisor.h"
#include <stdlib.h>
#include <string.h>

static const unsigned char mask[] = {'*', '*', '*'};

static struct pattern {
  const unsigned char *bytes;
  size_t length;
} *patterns;
static size_t pattern_count, longest;
static bool begins[256];

static size_t number_at(const unsigned char *bytes) {
  return bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
}

/* Each pattern is its length in four bytes, the lowest first, and then its bytes. */
bool read_mask(int fd) {
  size_t length;
  unsigned char *bytes = read_whole(fd, &length);
  if (!bytes) return false;
  for (size_t at = 0; at < length;) {
    if (length - at < 4) return false;
    size_t size = number_at(bytes + at);
    at += 4;
    if (size < sizeof mask || size > length - at) return false;
    struct pattern *more = realloc(patterns, (pattern_count + 1) * sizeof *patterns);
    if (!more) return false;
    patterns = more;
    patterns[pattern_count++] = (struct pattern){bytes + at, size};
    begins[bytes[at]] = true;
    if (size > longest) longest = size;
    at += size;
  }
  return true;
}

/* How many bytes can be held back. */
size_t mask_room(void) { return longest; }

/* The length of the longest pattern at the start of the bytes; `open` when more bytes could make one, or a longer one. */
static size_t match(const unsigned char *bytes, size_t length, bool *open) {
  size_t found = 0;
  *open = false;
  if (!begins[*bytes]) return 0;
  for (size_t i = 0; i < pattern_count; i++) {
    const struct pattern *pattern = &patterns[i];
    size_t known = pattern->length < length ? pattern->length : length;
    if (memcmp(bytes, pattern->bytes, known) != 0) continue;
    if (pattern->length > length) *open = true;
    else if (pattern->length > found) found = pattern->length;
  }
  return found;
}

/* Writes what is certain to `out`, which has room for the held bytes and `length` more, and holds back the rest. Matches
   that overlap get one mask. */
size_t mask_bytes(struct stream *stream, const unsigned char *bytes, size_t length, bool last, unsigned char *out) {
  size_t total = stream->held_length + length, written = 0, at = 0;
  if (longest == 0) {
    memcpy(out, bytes, length);
    return length;
  }
  memcpy(stream->held + stream->held_length, bytes, length);
  for (; at < total; at++) {
    bool open;
    size_t found = match(stream->held + at, total - at, &open);
    if (open && !last) break;
    if (found > 0 && at >= stream->masked) {
      memcpy(out + written, mask, sizeof mask);
      written += sizeof mask;
    }
    if (at + found > stream->masked) stream->masked = at + found;
    if (at >= stream->masked) out[written++] = stream->held[at];
  }
  stream->held_length = total - at;
  stream->masked -= stream->masked < at ? stream->masked : at;
  memmove(stream->held, stream->held + at, stream->held_length);
  return written;
}
