/* Reads the command line. Each option takes one value, but for those in `flags`; anything unknown ends the program. */
#include "supervisor.h"
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const struct {
  const char *name;
  int resource;
} resources[] = {
    {"core", RLIMIT_CORE},   {"cpu", RLIMIT_CPU},       {"data", RLIMIT_DATA},   {"fsize", RLIMIT_FSIZE},
    {"nproc", RLIMIT_NPROC}, {"nofile", RLIMIT_NOFILE}, {"stack", RLIMIT_STACK},
};

void fail(const char *what, const char *about) {
  static const char name[] = "skillwright-supervisor: ";
  write_all(2, name, sizeof name - 1);
  write_all(2, what, strlen(what));
  write_all(2, about, strlen(about));
  write_all(2, "\n", 1);
  _exit(OWN_FAILURE);
}

const char *resource_name(int resource) {
  size_t i = 0;
  while (resources[i].resource != resource) i++;
  return resources[i].name;
}

/* Decimal digits only: no sign, no space, no other base. */
static uint64_t number(const char *option, const char *text, uint64_t most) {
  uint64_t value = 0;
  if (*text == '\0') fail("a number is needed for ", option);
  for (; *text; text++) {
    if (*text < '0' || *text > '9') fail("a number is needed for ", option);
    uint64_t digit = (uint64_t)(*text - '0');
    if (value > (most - digit) / 10) fail("the number is too large for ", option);
    value = value * 10 + digit;
  }
  return value;
}

static int descriptor(const char *option, const char *text) {
  int fd = (int)number(option, text, HIGHEST_DESCRIPTOR);
  if (fd < 3) fail("a descriptor from 3 up is needed for ", option);
  return fd;
}

static int open_descriptor(const char *option, const char *text) {
  int fd = descriptor(option, text);
  if (fcntl(fd, F_GETFD) < 0) fail("this descriptor is not open: ", option);
  return fd;
}

static void add_limit(struct options *options, const char *text) {
  if (options->limit_count == MOST_LIMITS) fail("too many limits", "");
  const char *sign = strchr(text, '=');
  if (!sign) fail("--limit needs NAME=NUMBER: ", text);
  size_t length = (size_t)(sign - text);
  for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
    if (strlen(resources[i].name) != length || strncmp(resources[i].name, text, length) != 0) continue;
    struct limit *limit = &options->limits[options->limit_count++];
    limit->resource = resources[i].resource;
    limit->value = number("--limit", sign + 1, INT64_MAX);
    return;
  }
  fail("unknown limit: ", text);
}

/* NAME=FILE:WORD; the name stands in a line of the report. */
static void add_counter(struct options *options, char *text) {
  if (options->counter_count == MOST_COUNTERS) fail("too many counters", "");
  char *file = strchr(text, '='), *word = file ? strchr(file, ':') : NULL;
  if (!word || file == text || file - text > 32 || !word[1] || strchr(text, '\n')) fail("--count needs NAME=FILE:WORD: ", text);
  *file++ = *word++ = '\0';
  options->counters[options->counter_count++] = (struct counter){text, file, word, 0};
}

/* It stands in a line of the report. */
static void add_space(struct options *options, const char *directory) {
  if (options->space_count == MOST_SPACES) fail("too many directories for --space", "");
  if (*directory != '/' || strlen(directory) > 64 || strchr(directory, '\n')) fail("no directory for --space: ", directory);
  options->spaces[options->space_count++] = directory;
}

/* DIR=BYTES:INODES */
static void take_room(struct options *options, char *text) {
  char *sign = strrchr(text, '='), *colon = sign ? strchr(sign, ':') : NULL;
  if (!colon || *text != '/') fail("--room needs DIR=BYTES:INODES: ", text);
  *sign++ = *colon++ = '\0';
  options->room = text;
  options->room_bytes = number("--room", sign, INT64_MAX);
  options->room_inodes = number("--room", colon, INT64_MAX);
}

static enum filter filter_named(const char *text) {
  if (strcmp(text, "online") == 0) return ONLINE;
  if (strcmp(text, "offline") == 0) return OFFLINE;
  fail("unknown filter: ", text);
}

static enum architecture architecture_named(const char *text) {
  if (strcmp(text, "x64") == 0) return X64;
  if (strcmp(text, "arm64") == 0) return ARM64;
  fail("unknown architecture: ", text);
}

static void take(struct options *options, const char *option, char *value) {
  if (strcmp(option, "--report") == 0) {
    options->report = open_descriptor(option, value);
  } else if (strcmp(option, "--control") == 0) {
    options->control = open_descriptor(option, value);
  } else if (strcmp(option, "--child-control") == 0) {
    options->child_control = descriptor(option, value);
  } else if (strcmp(option, "--keep") == 0) {
    if (options->keeps == MOST_KEPT) fail("too many descriptors to keep", "");
    options->keep[options->keeps++] = open_descriptor(option, value);
  } else if (strcmp(option, "--tasks") == 0 || strcmp(option, "--procs") == 0) {
    if (options->group_count == MOST_GROUPS) fail("too many control groups", "");
    options->groups[options->group_count++] = value;
  } else if (strcmp(option, "--user") == 0) {
    options->user = (uint32_t)number(option, value, UINT32_MAX - 1);
    options->has_user = true;
  } else if (strcmp(option, "--group") == 0) {
    options->group = (uint32_t)number(option, value, UINT32_MAX - 1);
    options->has_group = true;
  } else if (strcmp(option, "--time") == 0) {
    options->time = (int64_t)number(option, value, INT32_MAX);
  } else if (strcmp(option, "--limit") == 0) {
    add_limit(options, value);
  } else if (strcmp(option, "--space") == 0) {
    add_space(options, value);
  } else if (strcmp(option, "--room") == 0) {
    take_room(options, value);
  } else if (strcmp(option, "--filter") == 0) {
    options->filter = filter_named(value);
  } else if (strcmp(option, "--arch") == 0) {
    options->architecture = architecture_named(value);
  } else if (strcmp(option, "--record") == 0) {
    options->record = value;
  } else if (strcmp(option, "--socket") == 0) {
    options->socket = value;
  } else if (strcmp(option, "--dial") == 0) {
    options->dial = value;
  } else if (strcmp(option, "--host") == 0) {
    options->host = open_descriptor(option, value);
  } else if (strcmp(option, "--claim") == 0) {
    options->claim = value;
  } else if (strcmp(option, "--lease") == 0) {
    options->lease = (int64_t)number(option, value, INT32_MAX);
  } else if (strcmp(option, "--output-bytes") == 0) {
    options->output_bytes = number(option, value, INT64_MAX);
  } else if (strcmp(option, "--whole") == 0) {
    options->whole = open_descriptor(option, value);
  } else if (strcmp(option, "--mask") == 0) {
    options->mask = open_descriptor(option, value);
  } else if (strcmp(option, "--feed") == 0) {
    options->feed = open_descriptor(option, value);
  } else if (strcmp(option, "--put") == 0) {
    options->put = open_descriptor(option, value);
  } else if (strcmp(option, "--within") == 0) {
    options->within = value;
  } else if (strcmp(option, "--make") == 0) {
    options->make = value;
  } else if (strcmp(option, "--count") == 0) {
    add_counter(options, value);
  } else if (strcmp(option, "--first") == 0) {
    options->first = value;
  } else if (strcmp(option, "--cwd") == 0) {
    options->cwd = value;
  } else {
    fail("unknown option: ", option);
  }
}

static bool take_flag(struct options *options, const char *option) {
  const struct {
    const char *name;
    bool *value;
  } flags[] = {
      {"--session", &options->session}, {"--files", &options->files}, {"--input", &options->input},
      {"--shell", &options->shell},     {"--unkept", &options->unkept},
  };
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
    if (strcmp(option, flags[i].name) != 0) continue;
    return *flags[i].value = true;
  }
  return false;
}

static void check_record(const struct options *options) {
  if (options->record && *options->record != '/') fail("--record needs an absolute path: ", options->record);
  if (options->claim && (!*options->claim || strchr(options->claim, '/'))) fail("--claim needs a name: ", options->claim);
  bool needs = options->claim || options->lease >= 0 || options->mask >= 0 || options->output_bytes > 0;
  if (needs && !options->record) fail("--claim, --lease, --mask and --output-bytes need --record", "");
  if (options->files && !options->record) fail("--files needs --record", "");
  if (options->room && !options->files) fail("--room needs --files", "");
  if (options->put >= 0 && !options->files) fail("--put needs --files", "");
  if (options->input && !options->record) fail("--input needs --record", "");
  if (options->unkept && (!options->record || options->lease < 0)) fail("--unkept needs --record and --lease", "");
}

static void check_descriptors(const struct options *options) {
  int fd = options->child_control;
  if (fd < 0) return;
  bool taken = fd == options->report || fd == options->control;
  for (int i = 0; i < options->keeps; i++) taken = taken || options->keep[i] == fd;
  if (taken) fail("--child-control names a descriptor that another option names", "");
}

void parse_options(struct options *options, char **arguments) {
  options->report = options->control = options->child_control = options->whole = options->mask = options->put = options->host = options->feed = -1;
  options->time = options->lease = -1;
#if defined(__aarch64__)
  options->architecture = ARM64;
#endif
  for (; *arguments; arguments++) {
    const char *option = *arguments;
    if (strcmp(option, "--") == 0) {
      options->program = arguments + 1;
      break;
    }
    if (take_flag(options, option)) continue;
    if (!*++arguments) fail("a value is missing after ", option);
    take(options, option, *arguments);
  }
  if (options->program && !*options->program) options->program = NULL;
  if (options->has_user != options->has_group) fail("--user and --group are given together", "");
  check_record(options);
  check_descriptors(options);
}
