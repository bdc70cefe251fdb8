/* Writes lines to the host. A line is shorter than PIPE_BUF, so that lines of two writers never mix. */
#include "supervisor.h"
#include <poll.h>
#include <string.h>
#include <unistd.h>

struct line {
  char text[128];
  size_t length;
};

static void add(struct line *line, const char *text) {
  size_t length = strlen(text);
  if (length > sizeof line->text - line->length) return;
  memcpy(line->text + line->length, text, length);
  line->length += length;
}

/* `text` holds 24 characters; a negative number is written as 0. */
void decimal(char *text, long number) {
  char digits[24];
  size_t at = sizeof digits - 1;
  digits[at] = '\0';
  unsigned long rest = number < 0 ? 0 : (unsigned long)number;
  do {
    digits[--at] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest > 0);
  memcpy(text, digits + at, sizeof digits - at);
}

static void add_number(struct line *line, long number) {
  char digits[24];
  decimal(digits, number);
  add(line, digits);
}

bool write_all(int fd, const char *text, size_t length) {
  while (length > 0) {
    ssize_t written = write(fd, text, length);
    if (written > 0) {
      text += written;
      length -= (size_t)written;
    } else if (written < 0 && errno == EAGAIN) {
      struct pollfd ready = {.fd = fd, .events = POLLOUT};
      if (poll(&ready, 1, -1) < 0 && errno != EINTR) return false;
    } else if (written == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

/* A host that no longer reads has closed its control pipe too, and that ends the run: the result is not needed here. */
static void send_line(int fd, struct line *line) {
  add(line, "\n");
  if (fd >= 0) write_all(fd, line->text, line->length);
}

void report(int fd, const char *words) {
  struct line line = {.length = 0};
  add(&line, words);
  send_line(fd, &line);
}

void report_about(int fd, const char *word, const char *name) {
  struct line line = {.length = 0};
  add(&line, word);
  add(&line, " ");
  add(&line, name);
  send_line(fd, &line);
}

void report_number(int fd, const char *words, long number) {
  struct line line = {.length = 0};
  add(&line, words);
  add(&line, " ");
  add_number(&line, number);
  send_line(fd, &line);
}

void report_failed(int fd, const char *step, int error) {
  struct line line = {.length = 0};
  add(&line, "failed ");
  add(&line, step);
  add(&line, " ");
  add_number(&line, error);
  send_line(fd, &line);
}
