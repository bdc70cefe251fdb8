import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { built } from "../built.mjs";
import { seededRandom } from "../format/random.mjs";

/** The programs that the soak requires. */
export const needs = ["bubblewrap", "supervisor", "packages/runtime-local/dist"];

const KILLS = 500;
const AT_ONCE = 4;
const LATEST_KILL_MS = 60;
const GONE_MS = 120_000;
const ORDINARY = { uid: 61_234, gid: 61_234 };
const host = fileURLToPath(new URL("../soak/starting-host.mjs", import.meta.url));

/**
 * Kills hosts at random moments while they start runs, sandboxed and without isolation: as this user, and if that is root
 * as an ordinary user who can read the checkout too. After the next runtime was used, nothing of any run may be left.
 */
export async function soak({ seed, share, tell }) {
  const { localRuntime } = await built("runtime-local");
  const kills = Math.max(1, Math.round(KILLS * share));
  const own = process.geteuid?.();
  // A checkout below a home directory may be closed to others.
  const hasOther = own === 0 && spawnSync(process.execPath, ["--check", host], ORDINARY).status === 0;
  const users = hasOther ? [undefined, ORDINARY] : [undefined];
  const results = [];
  for (const { isolation, user } of ["sandbox", "none"].flatMap((one) =>
    users.map((user) => ({ isolation: one, user })),
  )) {
    const root = await mkdtemp(join(tmpdir(), "skillwright-killed-"));
    if (user) await chown(root, user.uid, user.gid);
    // A number of seconds that no other process sleeps; a command and its remains both have it on their command lines.
    const mark = `600.${process.pid}${seed}${results.length + 1}`;
    const seen = await killAll({ root, isolation, mark, user, kills, random: seededRandom(seed) });
    const runtime = user ? undefined : localRuntime({ root, isolation });
    await runtime?.capabilities();
    const left = await leftAfter(mark);
    await runtime?.close();
    if (left.length > 0) throw new Error(`${left.length} processes are left: ${left.join("; ")}`);
    // A program that a killed host had started to create pipes may still do so.
    await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    results.push(`${kills} kills as user ${user?.uid ?? own}, isolation ${isolation}`);
    tell(`${results.at(-1)}: ${seen} processes were there at the kills, and none is left`);
    if (seen === 0 && kills >= 100) throw new Error("No kill came during a start.");
  }
  return `${results.join("; ")}: nothing left`;
}

async function killAll({ root, isolation, mark, user, kills, random }) {
  let seen = 0;
  const delays = Array.from({ length: kills }, () => random.pick([...Array(LATEST_KILL_MS).keys()]));
  const killer = async (_, index) => {
    for (let delay = delays.pop(); delay !== undefined; delay = delays.pop())
      seen += await killDuringStart({ root, isolation, mark, user, id: `w${index}`, delay });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, killer));
  return seen;
}

/** Returns the number of processes that were seen while it was killed, including those of its neighbours. */
async function killDuringStart({ root, isolation, mark, user, id, delay }) {
  const text = `sleep ${mark} & sleep ${mark}`;
  const child = spawn(process.execPath, [host, root, isolation, id, text], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, HOME: "/nonexistent" },
    ...user,
  });
  const exited = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), exited]);
  if (child.exitCode !== null) throw new Error(`The host ended with ${child.exitCode} before it was killed.`);
  await setTimeout(delay);
  child.kill("SIGKILL");
  const seen = await processesWith(mark);
  await exited;
  return seen.length;
}

/** The processes that still exist when no more of them end, or after the time limit. */
async function leftAfter(mark) {
  const deadline = performance.now() + GONE_MS;
  let left = await processesWith(mark);
  while (left.length > 0 && performance.now() < deadline) {
    await setTimeout(20);
    left = await processesWith(mark);
  }
  return left;
}

/** Supervisors, bubblewraps and shells have the command's text on their command line, and `sleep` its number. */
async function processesWith(mark) {
  const found = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (new RegExp(`sleep[ \\0]${mark}(?!\\d)`).test(line))
      found.push(`${pid} ${line.slice(0, 60).replaceAll("\0", " ")}`);
  }
  return found;
}
