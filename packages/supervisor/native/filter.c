/* Compiles the rows of calls.def to a program of classic BPF. */
#include "supervisor.h"
#include <asm/unistd.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

/* Numbers are the same on both architectures from 424 on. Later calls are unknown to this filter. */
#define NEWEST_CALL 470
#define MOST_INSTRUCTIONS 512
#define PERMIT 0

/* Which filters a row belongs to. */
enum which { IN_BOTH, IN_ONLINE, IN_OFFLINE };
enum test { ALWAYS, EQUALS, ANY_BIT };

static const struct row {
  unsigned short numbers[2];
  unsigned char which, test, argument, answer;
  uint32_t operand;
} rows[] = {
#define CALL(name, x64, arm64, which, test, argument, operand, answer) \
  {{x64, arm64}, IN_##which, test, argument, answer, operand},
#include "calls.def"
#undef CALL
};

/* The numbers are those of the kernel's headers for this architecture. */
#if defined(__x86_64__)
#define CALL(name, x64, arm64, ...) _Static_assert(x64 == __NR_##name, #name);
#elif defined(__aarch64__)
#define CALL(name, x64, arm64, ...) _Static_assert(arm64 == __NR_##name, #name);
#else
#error "no filter is written for this architecture"
#endif
#include "calls.def"
#undef CALL

static struct sock_filter program[MOST_INSTRUCTIONS];
static size_t length;

static void add(unsigned short code, uint32_t operand, unsigned char on_true, unsigned char on_false) {
  if (length == MOST_INSTRUCTIONS) fail("the filter is too long", "");
  program[length++] = (struct sock_filter){code, on_true, on_false, operand};
}

static void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0); }

static void answer(unsigned error) {
  add(BPF_RET | BPF_K, error == PERMIT ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | error, 0, 0);
}

/* Each row begins and, where it does not match, ends with the number of the call in the accumulator. */
static void add_row(const struct row *row, enum architecture architecture) {
  uint32_t number = row->numbers[architecture];
  if (row->test == ALWAYS) {
    add(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
    answer(row->answer);
    return;
  }
  add(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4);
  /* Both architectures are little-endian: the low half of an argument comes first. */
  load(offsetof(struct seccomp_data, args) + sizeof(uint64_t) * row->argument);
  add(BPF_JMP | BPF_K | (row->test == EQUALS ? BPF_JEQ : BPF_JSET), row->operand, 0, 1);
  answer(row->answer);
  load(offsetof(struct seccomp_data, nr));
}

size_t filter_program(enum filter filter, enum architecture architecture, const void **instructions) {
  static const uint32_t abis[] = {[X64] = AUDIT_ARCH_X86_64, [ARM64] = AUDIT_ARCH_AARCH64};
  length = 0;
  load(offsetof(struct seccomp_data, arch));
  add(BPF_JMP | BPF_JEQ | BPF_K, abis[architecture], 1, 0);
  answer(ENOSYS);
  load(offsetof(struct seccomp_data, nr));
  /* The calls of x32 have numbers far above. */
  add(BPF_JMP | BPF_JGT | BPF_K, NEWEST_CALL, 0, 1);
  answer(ENOSYS);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].which != (filter == ONLINE ? IN_OFFLINE : IN_ONLINE)) add_row(&rows[i], architecture);
  }
  answer(PERMIT);
  *instructions = program;
  return length * sizeof *program;
}

bool set_filter(enum filter filter) {
#if defined(__aarch64__)
  const enum architecture own = ARM64;
#else
  const enum architecture own = X64;
#endif
  const void *instructions;
  filter_program(filter, own, &instructions);
  struct sock_fprog compiled = {.len = (unsigned short)length, .filter = program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &compiled, 0, 0) == 0;
}
