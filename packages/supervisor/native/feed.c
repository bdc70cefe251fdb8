/* The standard input of a recorded run: what any process writes to the FIFO `input` is passed on to the program. */
#include "supervisor.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE 65536

/* The supervisor holds both ends of the FIFO, which so never ends, and keeps what a host wrote before it was killed. The
   program gets a pipe of its own: a FIFO that nobody writes to any more could not be opened by its name again. */
bool open_feed(struct record *record, const struct options *options) {
  struct feed *feed = &record->feed;
  int ends[2];
  *feed = (struct feed){.from = -1, .to = -1};
  if (!options->input) return true;
  if (mkfifoat(record->directory, "input", 0600) != 0) return false;
  feed->from = openat(record->directory, "input", O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
  feed->bytes = malloc(PIECE);
  if (feed->from < 0 || !feed->bytes || pipe2(ends, O_CLOEXEC) != 0) return false;
  feed->to = ends[1];
  if (fcntl(feed->to, F_SETFL, O_NONBLOCK) < 0 || dup2(ends[0], 0) != 0) return false;
  close(ends[0]);
  return let_program_open(0, options, 0644);
}

/* Writers get an error from now on. The program's pipe stays open: the program must be killed before it sees the end of its input. */
void stop_feed(struct feed *feed) {
  if (feed->from >= 0) close(feed->from);
  feed->from = -1;
  feed->length = 0;
  feed->ends = false;
}

static void close_feed(struct feed *feed) {
  stop_feed(feed);
  if (feed->to >= 0) close(feed->to);
  feed->to = -1;
}

/* False when there is nothing to pass on now. */
static bool fill(struct feed *feed) {
  ssize_t length = read(feed->from, feed->bytes, PIECE);
  if (length < 0 && errno == EINTR) return true;
  if (length <= 0) return false;
  feed->start = 0;
  feed->length = (size_t)length;
  return true;
}

void pass_feed(struct feed *feed) {
  while (feed->to >= 0) {
    if (feed->length == 0 && !fill(feed)) {
      if (feed->ends) close_feed(feed);
      return;
    }
    ssize_t length = write(feed->to, feed->bytes + feed->start, feed->length);
    if (length > 0) {
      feed->start += (size_t)length;
      feed->length -= (size_t)length;
    } else if (errno == EAGAIN) {
      return;
    } else if (errno != EINTR) {
      close_feed(feed);
    }
  }
}

/* Sets the events to wait for. `poll` always reports that the program has closed its input. */
void watch_feed(const struct feed *feed, struct pollfd events[2]) {
  events[0] = (struct pollfd){.fd = feed->length == 0 ? feed->from : -1, .events = POLLIN};
  events[1] = (struct pollfd){.fd = feed->to, .events = feed->length > 0 ? POLLOUT : 0};
}

void take_feed(struct feed *feed, const struct pollfd events[2]) {
  if (events[1].revents & (POLLERR | POLLNVAL)) close_feed(feed);
  else if (events[0].revents || events[1].revents) pass_feed(feed);
}
