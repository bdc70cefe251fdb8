import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { tell } from "../../scripts/bootstrap/step.mjs";
import { seededRandom } from "../format/random.mjs";
import { temporaryDirectory } from "../workspace/house.mjs";
import { baselineOf, finalCheck } from "./final-check.mjs";
import { machineTime, readLedgers } from "./ledger.mjs";
import { soakReport } from "./report.mjs";
import { startProcess } from "./running-process.mjs";
import { prepareSoak } from "./soak-house.mjs";
import { verdictOn } from "./verdict.mjs";

const PROCESSES = 2;
const WORKERS = 4;
const PROGRESS_MS = 30_000;
const STOPPING_MS = 90_000;

/** True if nothing was lost and nothing left; prints operations and findings. */
export async function soak({ minutes, seed, keep }) {
  const { directory, remove } = temporaryDirectory();
  const tag = `${randomInt(1e9, 1e10)}`;
  tell(`Soak of ${minutes} minutes, seed ${seed}, in ${directory}`);
  prepareSoak(directory);
  const baseline = await baselineOf(directory);
  const ran = await workAndKill({ directory, minutes, seed, tag });
  const operations = readLedgers(`${directory}/ledgers`);
  const ended = await finalCheck(directory, { operations, tag, baseline, ...ran });
  const findings = [...ran.crashes, ...verdictOn(operations, ran.kills), ...ended.findings];
  console.log(soakReport({ minutes, seed, operations, baseline, ...ran, ...ended, findings }));
  if (keep) tell(`Everything is still in ${directory}`);
  else remove();
  return findings.length === 0;
}

/** Starts processes, kills and restarts them until the time is over; then they finish their current operations. */
async function workAndKill({ directory, minutes, seed, tag }) {
  const random = seededRandom(seed);
  const until = machineTime() + minutes * 60_000;
  const kills = /** @type {{ name: string, at: number }[]} */ ([]);
  const crashes = /** @type {string[]} */ ([]);
  const pids = /** @type {(number | undefined)[]} */ ([]);
  const told = /** @type {Record<string, any>[]} */ ([]);
  let started = 0;
  const start = () => {
    const name = `p${started}`;
    const one = startProcess({ directory, tag, name, workers: WORKERS, seed: seed * 100 + started++ });
    pids.push(one.pid);
    return one;
  };
  const running = Array.from({ length: PROCESSES }, start);
  const progress = setInterval(() => tellProgress(until, running, kills), PROGRESS_MS);
  while (machineTime() < until) {
    await setTimeout(
      Math.min(random.pick([300, 1000, 2500, 5000, 8000]), Math.max(0, until - machineTime())),
    );
    for (const [index, one] of running.entries()) {
      if (one.ended === undefined) continue;
      crashes.push(
        `unexpected: the process ${one.name} ended by itself (${one.ended}): ${one.latest.crash ?? "it said nothing"}`,
      );
      running[index] = start();
    }
    if (machineTime() >= until) break;
    const index = random.pick(running.map((_, place) => place));
    kills.push(await running[index].kill());
    running[index] = start();
  }
  clearInterval(progress);
  const stops = await Promise.all(running.map((one) => one.stop(STOPPING_MS)));
  for (const [index, how] of stops.entries()) {
    if (how !== 0)
      crashes.push(`unexpected: the process ${running[index].name} did not stop as told: ${how}`);
    told.push(running[index].latest);
  }
  return { kills, crashes, pids, told };
}

function tellProgress(until, running, kills) {
  const left = Math.max(0, Math.round((until - machineTime()) / 1000));
  const done = running.map(({ name, latest }) => `${name} ${JSON.stringify(latest.done ?? {})}`);
  tell(`  ${left} s left, ${kills.length} kills; ${done.join("; ")}`);
}
