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

int main(int count, char **arguments) {
  static const char version[] = "skillwright-supervisor " PROTOCOL "\n";
  static struct options options;

  /* First of all: from here on no process of the same user can read this one or attach to it. */
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) fail("prctl: ", strerror(errno));
  fill_standard_streams();
  if (count < 2) fail("a command is needed: run, init, follow, filter, program or --version", "");

  const char *command = arguments[1];
  if (strcmp(command, "--version") == 0) return write_all(1, version, sizeof version - 1) ? 0 : OWN_FAILURE;
  parse_options(&options, arguments + 2);
  if (strcmp(command, "run") == 0 && options.files) take_files(&options);
  if (strcmp(command, "run") == 0) return run(&options);
  if (strcmp(command, "follow") == 0) return follow(&options);
  if (strcmp(command, "init") == 0) return init(&options);
  if (strcmp(command, "filter") == 0) return exec_filtered(&options);
  if (strcmp(command, "program") == 0) return print_program(&options);
  fail("unknown command: ", command);
}
