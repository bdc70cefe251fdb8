/* How much of a file system a run may take before its host measures: then the whole run is held until the host answers. */
#include "supervisor.h"
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* More than a run can take in a millisecond. */
#define BYTES_A_MS (UINT64_C(4) << 20)
#define INODES_A_MS UINT64_C(500)
#define LONGEST_PAUSE_MS 100

static uint64_t less(uint64_t from, uint64_t what) { return from > what ? from - what : 0; }

/* What others take counts too; what anyone gives back does not, or it would hide what the run takes. */
static bool look(struct room *room) {
  struct statvfs now;
  if (fstatvfs(room->place, &now) != 0) return false;
  uint64_t bytes = (uint64_t)now.f_bfree * now.f_frsize, inodes = now.f_ffree;
  if (room->looked) {
    room->bytes = less(room->bytes, less(room->free_bytes, bytes));
    room->inodes = less(room->inodes, less(room->free_inodes, inodes));
  }
  room->free_bytes = bytes;
  room->free_inodes = inodes;
  return room->looked = true;
}

/* Standard output is the host: this end of it is kept when the streams are left. */
void begin_room(struct room *room, const struct options *options) {
  *room = (struct room){.place = -1, .host = -1, .bytes = options->room_bytes, .inodes = options->room_inodes};
  if (!options->room) return;
  room->host = fcntl(1, F_DUPFD_CLOEXEC, 3);
  room->place = open(options->room, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (room->host < 0 || room->place < 0 || !look(room)) end_room(room);
}

/* The host is gone, or the file system cannot be looked at: the run goes on without this. */
void end_room(struct room *room) {
  if (room->held) release_descendants();
  if (room->host >= 0) close(room->host);
  if (room->place >= 0) close(room->place);
  room->host = room->place = -1;
  room->held = false;
}

void add_room(struct room *room, uint64_t bytes, uint64_t inodes) {
  if (room->place < 0) return;
  look(room);
  room->bytes = bytes;
  room->inodes = inodes;
  if (room->held) release_descendants();
  room->held = false;
}

/* The time in which even the fastest run takes no more than half of what is left; -1 where nothing is to be looked at. */
int room_pause(const struct room *room) {
  if (room->place < 0 || room->held) return -1;
  uint64_t bytes = room->bytes / BYTES_A_MS, inodes = room->inodes / INODES_A_MS;
  uint64_t pause = (bytes < inodes ? bytes : inodes) / 2;
  return pause < 1 ? 1 : pause > LONGEST_PAUSE_MS ? LONGEST_PAUSE_MS : (int)pause;
}

void watch_room(struct room *room) {
  if (room->place < 0 || room->held) return;
  if (!look(room)) return end_room(room);
  if (room->bytes > 0 && room->inodes > 0) return;
  hold_descendants();
  room->held = true;
  if (!write_all(room->host, "held\n", 5)) end_room(room);
}
