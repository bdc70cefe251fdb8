/* Chooses the command. */
#include "supervisor.h"
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

extern char **environ;

static int exec_filtered(const struct options *options) {
  if (options->filter == NO_FILTER || !options->program) fail("filter needs --filter and a program", "");
  if (!set_filter(options->filter)) fail("the filter could not be set: ", strerror(errno));
  execve(options->program[0], options->program, environ);
  fail("the program could not be started: ", strerror(errno));
}

static int print_program(const struct options *options) {
  const void *program;
  if (options->filter == NO_FILTER) fail("program needs --filter", "");
  size_t length = filter_program(options->filter, options->architecture, &program);
  return write_all(1, program, length) ? 0 : OWN_FAILURE;
}

/* Runs a command of the supervisor: its name and what follows it. */
int command(char **arguments) {
  static const char version[] = "skillwright-supervisor " PROTOCOL "\n";
  static struct options options;
  const char *name = *arguments;
  if (!name) fail("a command is needed: run, init, serve, connect, first, hold, files, wait, copy, follow, filter, program or --version", "");
  if (strcmp(name, "--version") == 0) return write_all(1, version, sizeof version - 1) ? 0 : OWN_FAILURE;
  if (strcmp(name, "first") == 0) return first(arguments[1]);
  if (strcmp(name, "files") == 0) return give_files(arguments[1]);
  if (strcmp(name, "wait") == 0) return wait_for_nothing();
  if (strcmp(name, "copy") == 0) return copy_self(arguments[1]);
  if (strcmp(name, "hold") == 0) return hold(arguments[1], arguments[1] ? arguments[2] : NULL, arguments + 3);
  parse_options(&options, arguments + 1);
  if (strcmp(name, "run") == 0 && options.put >= 0) put_files(&options);
  if (strcmp(name, "run") == 0 && options.files) take_files(&options);
  if (strcmp(name, "run") == 0) return run(&options);
  if (strcmp(name, "serve") == 0) return serve(&options);
  if (strcmp(name, "connect") == 0) return connect_host(&options);
  if (strcmp(name, "follow") == 0) return follow(&options);
  if (strcmp(name, "init") == 0) return init(&options);
  if (strcmp(name, "filter") == 0) return exec_filtered(&options);
  if (strcmp(name, "program") == 0) return print_program(&options);
  fail("unknown command: ", name);
}

int main(int count, char **arguments) {
  /* First of all: from here on no process of the same user can read this one or attach to it. */
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) fail("prctl: ", strerror(errno));
  fill_standard_streams();
  return command(arguments + (count > 0));
}
