import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readlinkSync } from "node:fs";
import { keptProgram } from "./kept-program.mjs";

/**
 * Another network namespace, connected to ours by a pair of interfaces and to nothing else. It stays while its engine
 * ends and restarts: calls of an absent engine are refused there, and never leave the machine.
 *
 * @param {string} log
 * @returns `address` is its side of the pair and `ours` the other one; `command` followed by arguments runs a program inside.
 */
export async function otherNetwork(log) {
  const holder = keptProgram(["unshare", "--net", "sleep", "infinity"], { log });
  const network = `/proc/${holder.pid()}/ns/net`;
  await holder.ready(() => readlinkSync(network) !== readlinkSync("/proc/self/ns/net"));

  const id = randomInt(0, 2 ** 15) * 4;
  // 198.18.0.0/15 is reserved for tests of network devices and not used by real networks.
  const address = (/** @type {number} */ host) =>
    `198.${18 + (id >> 16)}.${(id >> 8) & 255}.${(id & 255) + host}`;
  const ours = `swe${id}`;
  const inside = ["nsenter", `--net=${network}`];
  for (const command of [
    ["ip", "link", "add", ours, "type", "veth", "peer", "name", "eth0", "netns", String(holder.pid())],
    ["ip", "address", "add", `${address(1)}/30`, "dev", ours],
    ["ip", "link", "set", ours, "up"],
    [...inside, "ip", "address", "add", `${address(2)}/30`, "dev", "eth0"],
    [...inside, "ip", "link", "set", "lo", "up"],
    [...inside, "ip", "link", "set", "eth0", "up"],
  ]) {
    const [program = "", ...args] = command;
    execFileSync(program, args);
  }
  return { address: address(2), ours: address(1), command: inside, end: () => holder.end("SIGTERM", 1_000) };
}
