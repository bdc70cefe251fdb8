/* `serve`: starts the commands of any number of hosts, each of which has one stream to it. */
#include "supervisor.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const char hello[] = "skillwright-stream 1\n";
#define DIAL_MS 50
/* Between two attempts to end what a killed supervisor left. */
#define STRAYS_MS 10
#define MOST_MEMO 4096
/* The numbers below are those of the descriptors of commands. */
#define FIRST_OWN 16

static struct connection *connections;
static struct channel *channels;
static struct queue memo;
static struct pollfd *events;
static size_t event_count, event_room;

static void watch_signals(void) {
  sigset_t all, child;
  sigfillset(&all);
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  struct sigaction action = {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP};
  if (sigaction(SIGCHLD, &action, NULL) != 0 || sigprocmask(SIG_SETMASK, &all, NULL) != 0) {
    fail("signals: ", strerror(errno));
  }
  events[0].fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  if (events[0].fd < 0) fail("signalfd: ", strerror(errno));
}

static int listen_at(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("the path of the socket is too long: ", path);
  strcpy(address.sun_path, path);
  unlink(path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  mode_t before = umask(0177);
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, 64) != 0) {
    fail("the socket cannot be made: ", strerror(errno));
  }
  umask(before);
  return fd;
}

static void greet(int fd) {
  struct connection *connection = calloc(1, sizeof *connection);
  if (!connection || fcntl(fd, F_SETFL, O_NONBLOCK) < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0) {
    close(fd);
    free(connection);
    return;
  }
  connection->fd = fd;
  connection->next = connections;
  connections = connection;
  frame_add(&connection->out, 'H', 0, -1, hello, sizeof hello - 1);
  frame_add(&connection->out, 'M', 0, -1, memo.bytes, memo.length);
}

static bool is_own_user(int fd) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid();
}

static void accept_host(int listener) {
  int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (fd < 0) return;
  if (is_own_user(fd)) greet(fd);
  else close(fd);
}

static struct channel *channel_of(const struct connection *connection, uint32_t number) {
  struct channel *channel = channels;
  while (channel && (channel->connection != connection || channel->number != number)) channel = channel->next;
  return channel;
}

static void list_notes(struct connection *connection, uint32_t number) {
  struct queue notes = {0};
  for (struct channel *channel = channels; channel; channel = channel->next) {
    if (!channel->ended && *channel->note) queue_add(&notes, channel->note, strlen(channel->note) + 1);
  }
  frame_add(&connection->out, 'L', number, -1, notes.bytes, notes.length);
  queue_free(&notes);
}

static void set_memo(const struct frame *frame) {
  queue_drop(&memo, memo.length);
  if (!queue_add(&memo, frame->bytes, frame->length)) fail("no memory for the memo", "");
  for (struct connection *each = connections; each; each = each->next) {
    frame_add(&each->out, 'M', 0, -1, frame->bytes, frame->length);
  }
}

/* False for a frame that no host of this protocol sends. */
static bool obey(struct connection *connection, const struct frame *frame) {
  struct channel *channel = channel_of(connection, frame->channel);
  switch (frame->kind) {
  case 'S':
    if (channel || !(channel = start_channel(connection, frame))) return false;
    channel->next = channels;
    channels = channel;
    return true;
  case 'D':
    /* The command may have ended meanwhile. */
    return !channel || take_input(channel, frame);
  case 'L':
    list_notes(connection, frame->channel);
    return true;
  case 'M':
    if (frame->length <= MOST_MEMO) set_memo(frame);
    return frame->length <= MOST_MEMO;
  default:
    return false;
  }
}

static void leave(struct connection *connection) {
  for (struct channel *channel = channels; channel; channel = channel->next) {
    if (channel->connection == connection) leave_channel(channel);
  }
  close(connection->fd);
  connection->fd = -1;
}

static void read_host(struct connection *connection) {
  struct frame frame;
  bool open = queue_read(&connection->in, connection->fd);
  int next;
  while ((next = frame_next(&connection->in, &frame)) > 0) {
    if (!obey(connection, &frame)) next = -1;
    if (next < 0) break;
    queue_drop(&connection->in, FRAME_HEAD + frame.length);
  }
  if (!open || next < 0) leave(connection);
}

/* True after the supervisor of a run was killed, as by a system that is short of memory: what is left of the run has
   become a child of this process. */
static bool strays;

static struct channel *command_of(pid_t pid) {
  struct channel *channel = channels;
  while (channel && (channel->ended || channel->pid != pid)) channel = channel->next;
  return channel;
}

static bool is_command(pid_t pid) { return command_of(pid); }

static void reap_commands(void) {
  struct signalfd_siginfo signals[8];
  while (read(events[0].fd, signals, sizeof signals) > 0) continue;
  for (;;) {
    int status;
    pid_t pid = waitpid(-1, &status, WNOHANG | __WALL);
    if (pid < 0 && errno == EINTR) continue;
    if (pid <= 0) return;
    struct channel *channel = command_of(pid);
    if (!channel) continue;
    channel->ended = true;
    channel->status = status;
    strays = strays || WIFSIGNALED(status);
  }
}

static void free_ended(void) {
  for (struct channel **at = &channels; *at;) {
    struct channel *channel = *at;
    if (!is_over(channel)) {
      at = &channel->next;
      continue;
    }
    *at = channel->next;
    free_channel(channel);
  }
  for (struct connection **at = &connections; *at;) {
    struct connection *connection = *at;
    if (connection->fd >= 0) {
      at = &connection->next;
      continue;
    }
    *at = connection->next;
    queue_free(&connection->in);
    queue_free(&connection->out);
    free(connection);
  }
}

static void expect(int fd, short what) {
  if (event_count == event_room) {
    event_room = event_room > 0 ? event_room * 2 : 64;
    events = realloc(events, event_room * sizeof *events);
    if (!events) fail("no memory for events", "");
  }
  events[event_count++] = (struct pollfd){.fd = what ? fd : -1, .events = what};
}

/* The same order as in `handle`. */
static void expect_all(void) {
  event_count = 2;
  for (struct connection *each = connections; each; each = each->next) {
    expect(each->fd, (short)(POLLIN | (each->out.length > 0 ? POLLOUT : 0)));
  }
  for (struct channel *channel = channels; channel; channel = channel->next) {
    bool takes = !channel->connection || channel->connection->out.length < MOST_QUEUED;
    for (int i = 0; i < INPUTS; i++) expect(channel->inputs[i].fd, channel->inputs[i].queue.length > 0 ? POLLOUT : 0);
    for (int i = 0; i < OUTPUTS; i++) expect(channel->outputs[i], takes ? POLLIN : 0);
  }
}

/* New connections and channels come first in their lists, where no event belongs to them yet: hosts are read last. */
static void handle(void) {
  size_t at = 2;
  for (struct connection *each = connections; each; each = each->next) at++;
  for (struct channel *channel = channels; channel; channel = channel->next) {
    bool takes = !channel->connection || channel->connection->out.length < MOST_QUEUED;
    for (int i = 0; i < INPUTS; i++, at++) {
      if (events[at].revents && channel->inputs[i].fd >= 0) pass_input(channel, i);
    }
    for (int i = 0; i < OUTPUTS; i++, at++) {
      if (channel->outputs[i] >= 0 && takes && (events[at].revents || channel->ended)) pass_output(channel, i);
    }
  }
  at = 2;
  for (struct connection *each = connections; each; each = each->next, at++) {
    if (events[at].revents & (POLLIN | POLLHUP | POLLERR)) read_host(each);
    if (each->fd >= 0 && each->out.length > 0 && queue_write(&each->out, each->fd) < 0) leave(each);
  }
  if (events[1].revents) accept_host(events[1].fd);
}

/* A command that has ended may leave output that needs no event. */
static int longest_wait(void) {
  if (strays) return STRAYS_MS;
  for (struct channel *channel = channels; channel; channel = channel->next) {
    bool takes = !channel->connection || channel->connection->out.length < MOST_QUEUED;
    if (channel->ended && takes) return 0;
  }
  return -1;
}

static int dialled(const char *path) {
  for (;;) {
    int fd = open_socket(path);
    if (fd >= 0) return fd;
    poll(NULL, 0, DIAL_MS);
  }
}

int serve(const struct options *options) {
  if (!!options->socket + !!options->dial + (options->host >= 0) != 1) fail("serve needs --socket, --dial or --host", "");
  /* The numbers of the descriptors of commands stay free. */
  int host = options->host < 0 ? -1 : fcntl(options->host, F_DUPFD_CLOEXEC, FIRST_OWN);
  if (options->host >= 0 && host < 0) fail("the descriptor of the host: ", strerror(errno));
  /* A command without isolation may have stopped this process, which then sees no end of the connection. */
  if (host >= 0 && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) fail("prctl: ", strerror(errno));
  close_from_to(3, host < 0 ? ~0u : (unsigned)host - 1);
  if (host >= 0) close_from_to((unsigned)host + 1, ~0u);
  for (int fd = 0; fd < FIRST_OWN;) fd = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (getpid() != 1 && prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) fail("prctl: ", strerror(errno));
  expect(-1, 0);
  expect(-1, 0);
  watch_signals();
  find_proc();
  events[0].events = events[1].events = POLLIN;
  events[1].fd = options->socket ? listen_at(options->socket) : -1;
  if (options->dial) host = dialled(options->dial);
  if (host >= 0) greet(host);
  for (;;) {
    expect_all();
    if (poll(events, event_count, longest_wait()) < 0 && errno != EINTR) return OWN_FAILURE;
    handle();
    if (events[0].revents) reap_commands();
    strays = strays && kill_children_but(is_command);
    free_ended();
    if (!options->socket && !connections) return 0;
  }
}
