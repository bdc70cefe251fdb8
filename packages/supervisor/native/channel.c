/* A command that a host has started: a copy of this process with pipes for descriptors. */
#include "supervisor.h"
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Descriptors of a command: those that its host writes to, and those that its host reads. */
static const int input_numbers[INPUTS] = {0, 4, 5};
static const int output_numbers[OUTPUTS] = {1, 2, 3};
#define FIRST_FOREIGN 6
/* How many bytes of an input a host may send before it is told that they were taken. */
#define WINDOW 65536

/* What the frame of a start asks for. */
struct request {
  unsigned inputs; /* a bit for each descriptor that the host writes to */
  char *note, **arguments, **variables;
};

/* The bytes: the inputs, two numbers of strings, and the strings, each with a null byte: the note, the arguments, the
   variables. The strings are copied, since the frame goes. */
static bool read_request(const struct frame *frame, struct request *request) {
  if (frame->length < 10 || frame->bytes[frame->length - 1] != '\0') return false;
  uint32_t arguments = read_number(frame->bytes + 1), variables = read_number(frame->bytes + 5);
  size_t length = frame->length - 9, count = 0;
  const unsigned char *text = frame->bytes + 9;
  for (size_t i = 0; i < length; i++) count += text[i] == '\0';
  if (count != (size_t)arguments + variables + 1) return false;
  char **strings = calloc(count + 2, sizeof *strings), *at = malloc(length);
  if (!strings || !at) fail("no memory for a command", "");
  memcpy(at, text, length);
  *request = (struct request){frame->bytes[0], at, strings, strings + arguments + 1};
  at += strlen(at) + 1;
  for (uint32_t i = 0; i < arguments; i++, at += strlen(at) + 1) request->arguments[i] = at;
  for (uint32_t i = 0; i < variables; i++, at += strlen(at) + 1) request->variables[i] = at;
  return true;
}

static void free_request(struct request *request) {
  free(request->note);
  free(request->arguments);
}

/* Nobody else can name these pipes, so that they may be open to the user of the program, who opens its own streams by name. */
static bool open_pipe(int *ours, int *theirs, bool is_input) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  *ours = ends[is_input ? 1 : 0];
  *theirs = ends[is_input ? 0 : 1];
  /* gVisor has no rights on pipes that could be changed, and asks for none. */
  return fcntl(*ours, F_SETFL, O_NONBLOCK) == 0 && (fchmod(*theirs, is_input ? 0644 : 0622) == 0 || errno == EPERM);
}

static int become_command(const struct request *request, const int *inputs, const int *outputs) {
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null < 0 || dup2(null, 0) < 0) _exit(OWN_FAILURE);
  for (unsigned fd = 3; fd < FIRST_FOREIGN; fd++) close((int)fd);
  for (int i = 0; i < INPUTS; i++) {
    if (inputs[i] >= 0 && dup2(inputs[i], input_numbers[i]) < 0) _exit(OWN_FAILURE);
  }
  for (int i = 0; i < OUTPUTS; i++) {
    if (dup2(outputs[i], output_numbers[i]) < 0) _exit(OWN_FAILURE);
  }
  close_from_to(FIRST_FOREIGN, ~0u);
  environ = request->variables;
  return command(request->arguments);
}

static bool open_pipes(struct channel *channel, const struct request *request, int *inputs, int *outputs) {
  for (int i = 0; i < INPUTS; i++) {
    if (request->inputs >> input_numbers[i] & 1 && !open_pipe(&channel->inputs[i].fd, &inputs[i], true)) return false;
  }
  for (int i = 0; i < OUTPUTS; i++) {
    if (!open_pipe(&channel->outputs[i], &outputs[i], false)) return false;
  }
  return true;
}

/* Returns null for a frame that no host of this protocol sends. */
struct channel *start_channel(struct connection *connection, const struct frame *frame) {
  struct request request;
  int inputs[INPUTS] = {-1, -1, -1}, outputs[OUTPUTS] = {-1, -1, -1};
  if (!read_request(frame, &request)) return NULL;
  struct channel *channel = calloc(1, sizeof *channel);
  if (!channel) fail("no memory for a command", "");
  channel->connection = connection;
  channel->number = frame->channel;
  for (int i = 0; i < INPUTS; i++) channel->inputs[i].fd = -1;
  for (int i = 0; i < OUTPUTS; i++) channel->outputs[i] = -1;
  bool opened = open_pipes(channel, &request, inputs, outputs);
  channel->pid = opened ? fork() : -1;
  if (channel->pid == 0) _exit(become_command(&request, inputs, outputs));
  if (channel->pid < 0) {
    /* As if the command had failed at once, with the reason. */
    const char *why = strerror(errno);
    frame_add(&connection->out, 'D', frame->channel, 2, why, strlen(why));
    channel->ended = true;
    channel->status = OWN_FAILURE << 8;
  }
  for (int i = 0; i < INPUTS; i++) close(inputs[i]);
  for (int i = 0; i < OUTPUTS; i++) close(outputs[i]);
  channel->note = strdup(request.note);
  free_request(&request);
  return channel;
}

static void close_input(struct input *input) {
  if (input->fd >= 0) close(input->fd);
  input->fd = -1;
  queue_free(&input->queue);
}

/* False for a frame that no host of this protocol sends. */
bool take_input(struct channel *channel, const struct frame *frame) {
  int at = 0;
  if (frame->length == 0) return false;
  while (at < INPUTS && input_numbers[at] != frame->bytes[0]) at++;
  if (at == INPUTS) return false;
  struct input *input = &channel->inputs[at];
  if (input->queue.length + frame->length - 1 > WINDOW) return false;
  /* A program may have stopped reading. */
  if (input->fd < 0) return true;
  if (frame->length == 1) input->ends = true;
  else if (!queue_add(&input->queue, frame->bytes + 1, frame->length - 1)) return false;
  pass_input(channel, at);
  return true;
}

void pass_input(struct channel *channel, int at) {
  struct input *input = &channel->inputs[at];
  ssize_t written = input->queue.length > 0 ? queue_write(&input->queue, input->fd) : 0;
  unsigned char number[4];
  write_number(number, (uint32_t)(written < 0 ? 0 : written));
  if (written > 0 && channel->connection)
    frame_add(&channel->connection->out, 'A', channel->number, input_numbers[at], number, sizeof number);
  /* An empty frame tells that nobody reads it any more. */
  if (written < 0 && channel->connection)
    frame_add(&channel->connection->out, 'A', channel->number, input_numbers[at], NULL, 0);
  if (written < 0 || (input->ends && input->queue.length == 0)) close_input(input);
}

/* Reads once. A host that is gone gets nothing, but the program goes on. */
void pass_output(struct channel *channel, int at) {
  static unsigned char piece[65536];
  ssize_t length = read(channel->outputs[at], piece, sizeof piece);
  if (length < 0 && errno == EINTR) return;
  /* Everything that a command wrote that has ended is in the pipe. */
  if (length < 0 && errno == EAGAIN && !channel->ended) return;
  struct connection *host = channel->connection;
  if (length > 0) {
    if (host) frame_add(&host->out, 'D', channel->number, output_numbers[at], piece, (size_t)length);
    return;
  }
  close(channel->outputs[at]);
  channel->outputs[at] = -1;
  if (host) frame_add(&host->out, 'D', channel->number, output_numbers[at], NULL, 0);
}

/* True when the command has ended and all its output was passed on; its host is told then. */
bool is_over(struct channel *channel) {
  for (int i = 0; i < OUTPUTS; i++) {
    if (channel->outputs[i] >= 0) return false;
  }
  if (!channel->ended) return false;
  unsigned char how = WIFSIGNALED(channel->status) ? 1 : 0;
  unsigned char number = (unsigned char)(how ? WTERMSIG(channel->status) : WEXITSTATUS(channel->status));
  if (channel->connection) frame_add(&channel->connection->out, 'E', channel->number, how, &number, 1);
  return true;
}

/* The host is gone: what belongs to it ends with its control pipe. */
void leave_channel(struct channel *channel) {
  channel->connection = NULL;
  for (int i = 0; i < INPUTS; i++) close_input(&channel->inputs[i]);
}

void free_channel(struct channel *channel) {
  for (int i = 0; i < INPUTS; i++) close_input(&channel->inputs[i]);
  for (int i = 0; i < OUTPUTS; i++) {
    if (channel->outputs[i] >= 0) close(channel->outputs[i]);
  }
  free(channel->note);
  free(channel);
}
