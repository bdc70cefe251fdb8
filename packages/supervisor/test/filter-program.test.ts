import { execFileSync } from "node:child_process";
import { constants } from "node:os";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { systemCallFilter } from "../src/index.js";
import { answerTo, instructionsOf } from "./classic-bpf.js";
import { type Architecture, type Filter, type FilterRow, filterRows, rowsWritten } from "./filter-rows.js";
import { ownProgram } from "./supervised.js";

const { EPERM, ENOSYS, EAFNOSUPPORT } = constants.errno;
const abis = { x64: 0xc000003e, arm64: 0xc00000b7 };
const i386 = 0x40000003;
const arm = 0x40000028;
const newestCall = 470;

test("the package has no filter for other architectures", () => {
  expect(systemCallFilter({ network: false, arch: "riscv64" })).toBeUndefined();
});

test("the tests read every row of the table", () => {
  expect(filterRows.length).toBe(rowsWritten);
});

test("the table names every call that must not reach the kernel", () => {
  const required =
    "ptrace process_vm_readv process_vm_writev pidfd_getfd add_key request_key keyctl userfaultfd bpf perf_event_open " +
    "io_uring_setup io_uring_enter io_uring_register mount umount2 pivot_root open_tree move_mount fsopen fsconfig " +
    "fsmount fspick mount_setattr open_tree_attr setns clone3 pidfd_send_signal";
  const always = filterRows.filter(({ test, filter }) => test === "ALWAYS" && filter === "BOTH");
  expect(always.map(({ name }) => name)).toEqual(expect.arrayContaining(required.split(" ")));
});

if (hasAll("supervisor"))
  describe.each([
    ["x64", "online"],
    ["x64", "offline"],
    ["arm64", "online"],
    ["arm64", "offline"],
  ] as const)("the filter for %s, %s", (architecture, filter) => {
    const instructions = instructionsOf(
      execFileSync(ownProgram, ["program", "--filter", filter, "--arch", architecture]),
    );
    const answer = (number: number, ...args: bigint[]) =>
      answerTo(instructions, { number, abi: abis[architecture], args });
    const call = (name: string, ...args: bigint[]) => answer(numberOf(name, architecture), ...args);

    test("is part of the package for launchers that set it themselves", () => {
      const own = systemCallFilter({ network: filter === "online", arch: architecture });
      expect(instructionsOf(Buffer.from(own ?? []))).toEqual(instructions);
    });

    test("decides each call of the table by the first matching row, for any high half of its argument", () => {
      for (const row of rowsOf(filter)) {
        for (const value of argumentsFor(row)) {
          const args = [0n, 0n, 0n].with(row.argument, value);
          const expected = rowsOf(filter).find((other) => other.name === row.name && fits(other, args));
          expect(call(row.name, ...args), `${row.name}(${args})`).toBe(expected?.answer ?? 0);
        }
      }
    });

    test("permits every call that is not in the table", () => {
      const named = new Set(filterRows.map(({ numbers }) => numbers[architecture]));
      for (let number = 0; number <= newestCall; number++)
        if (!named.has(number)) expect(answer(number, 1n, 1n, 1n), String(number)).toBe(0);
    });

    test("permits no call of another ABI, of x32, or newer than itself", () => {
      for (const number of [0, 1, 20, 57, 101, 310, newestCall])
        for (const abi of [i386, arm, abis[architecture === "x64" ? "arm64" : "x64"], 0])
          expect(answerTo(instructions, { number, abi })).toBe(ENOSYS);
      for (const number of [newestCall + 1, 1000, 0x40000000, 0x40000027, 0x40000209, 0x7fffffff, -1])
        expect(answer(number)).toBe(ENOSYS);
    });

    test("permits processes and threads, and refuses namespaces", () => {
      const thread = 0x3d0f00n; // What the C library gives for a thread.
      expect([call("clone", thread), call("clone", 17n), call("unshare", 0x400n)]).toEqual([0, 0, 0]);
      for (const flag of [
        0x20000n,
        0x2000000n,
        0x4000000n,
        0x8000000n,
        0x10000000n,
        0x20000000n,
        0x40000000n,
      ]) {
        expect(call("clone", flag | 17n)).toBe(EPERM);
        expect(call("unshare", flag)).toBe(EPERM);
      }
      expect(call("unshare", 0x80n)).toBe(EPERM);
      expect(call("clone3")).toBe(ENOSYS);
    });

    test("permits local and internet sockets, and netlink with a network", () => {
      const refused = Array.from({ length: 64 }, (_, family) => family).filter((family) => {
        const error = call("socket", BigInt(family));
        if (error !== 0) expect(error).toBe(EAFNOSUPPORT);
        return error !== 0;
      });
      const permitted = filter === "online" ? [1, 2, 10, 16] : [1, 2, 10];
      expect(refused).toHaveLength(64 - permitted.length);
      for (const family of permitted) expect(refused).not.toContain(family);
    });

    test("refuses signals to the first process and changes of it, and permits them for others", () => {
      const byFirst = "kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_open prlimit64".split(" ");
      for (const name of [...byFirst, "sched_setscheduler", "sched_setparam", "sched_setattr"]) {
        expect([call(name, 1n, 9n), call(name, 0x7700000001n, 9n)], name).toEqual([EPERM, EPERM]);
        expect([call(name, 0n, 1n), call(name, 2n, 1n), call(name, -1n, 1n)], name).toEqual([0, 0, 0]);
      }
      for (const [name, user] of [
        ["setpriority", 2n],
        ["ioprio_set", 3n],
      ] as const) {
        expect([call(name, 0n, 1n), call(name, user, 0n), call(name, user, 1000n)], name).toEqual([
          EPERM,
          EPERM,
          EPERM,
        ]);
        expect([call(name, 0n, 0n), call(name, 0n, 2n)], name).toEqual([0, 0]);
      }
    });
  });

function numberOf(name: string, architecture: Architecture): number {
  const row = filterRows.find((one) => one.name === name);
  if (!row) throw new Error(`${name} is not in the table`);
  return row.numbers[architecture];
}

function rowsOf(filter: Filter): FilterRow[] {
  return filterRows.filter((row) => row.filter === "BOTH" || row.filter === filter.toUpperCase());
}

/** Boundary values of the test of a row. */
function argumentsFor({ operand }: FilterRow): bigint[] {
  const low = [0, 1, 2, 3, operand, operand + 1, operand - 1, ~operand, 0xffffffff].map(
    (value) => value >>> 0,
  );
  return low.flatMap((value) => [BigInt(value), BigInt(value) | 0xdead00000000n]);
}

function fits({ test, argument, operand }: FilterRow, args: readonly bigint[]): boolean {
  const low = Number(BigInt.asUintN(32, args[argument] ?? 0n));
  if (test === "ALWAYS") return true;
  return test === "EQUALS" ? low === operand : (low & operand) !== 0;
}
