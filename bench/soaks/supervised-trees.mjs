import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { built } from "../built.mjs";
import { seededRandom } from "../format/random.mjs";

export const needs = ["supervisor", "bubblewrap"];

const ROUNDS = 2_000;
const TREES = [
  "setsid sleep 1000 & sleep 1000",
  "( ( sleep 1000 & ) & ) ; exit 3",
  "trap '' TERM INT HUP; ( trap '' TERM; while :; do sleep 1000; done ) & sleep 1000",
  "( kill -STOP $BASHPID; sleep 1000 ) & sleep 1000",
  "f() { ( sleep 0.001; f ) & } ; f; sleep 1000",
  "for i in {1..40}; do sleep 1000 & done; wait",
  "true",
];
const ENDS = {
  end: ({ control }) => control.write("end\n"),
  "closed control": ({ control }) => control.destroy(),
  SIGTERM: ({ child }) => child.kill("SIGTERM"),
  signal: ({ control }) => control.write("signal 9\n"),
};
const LONGEST_WAIT_MS = 60;

/**
 * Starts trees of processes that detach, with and without a sandbox, and ends each at a random moment of its start or
 * life. Every report ends with `gone`, and then no process of the tree is left.
 */
export async function soak({ seed, share, tell }) {
  const { supervisorProgram } = await built("supervisor");
  const { path } = supervisorProgram();
  const { pick, chance } = seededRandom(seed);
  const moments = Array.from({ length: LONGEST_WAIT_MS }, (_, index) => index);
  const rounds = Math.max(1, Math.round(ROUNDS * share));
  let unbegun = 0;
  for (let round = 0; round < rounds; round++) {
    const [tree, end, moment, isSandboxed] = [
      pick(TREES),
      pick(Object.keys(ENDS)),
      pick(moments),
      chance(0.5),
    ];
    const name = `round ${round}, ${isSandboxed ? "sandboxed" : "plain"}, "${tree}", ${end} after ${moment} ms`;
    const run = start({ path, tree, isSandboxed });
    await after(moment);
    ENDS[end](run);
    const { lines, signal } = await run.ended;
    const left = processesWith(run.mark);
    // Nothing was started if the signal came before the supervisor could handle it.
    const neverWas = lines.length === 0 && signal === "SIGTERM";
    const isWhole = neverWas || (lines[0] === "protocol 2" && lines.at(-1) === "gone");
    if (!isWhole || left.length > 0) throw new Error(`${name}: ${JSON.stringify({ lines, signal, left })}`);
    if (!lines.includes("begun")) unbegun++;
    if ((round + 1) % 200 === 0) tell(`${round + 1} of ${rounds} trees`);
  }
  return `${rounds} trees were gone when that was reported, ${unbegun} of them ended before their program was seen to begin`;
}

function start({ path, tree, isSandboxed }) {
  const mark = randomUUID();
  const command = ["/bin/bash", "-c", tree];
  const sandbox = [
    ...["/usr/bin/bwrap", "--unshare-all", "--as-pid-1", "--die-with-parent", "--ro-bind", "/", "/"],
    ...[
      "--proc",
      "/proc",
      "--dev",
      "/dev",
      path,
      "init",
      "--report",
      "3",
      "--control",
      "5",
      "--filter",
      "offline",
    ],
  ];
  const options = isSandboxed ? ["--child-control", "5", "--keep", "3", "--", ...sandbox] : ["--session"];
  const child = spawn(path, ["run", "--report", "3", "--control", "4", ...options, "--", ...command], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    env: { PATH: "/usr/bin:/bin", MARK: mark },
  });
  // An ended supervisor accepts no more lines.
  child.stdio[4]?.on("error", () => {});
  return { child, control: child.stdio[4], mark, ended: ended(child) };
}

async function ended(child) {
  let text = "";
  child.stdio[3].setEncoding("utf8").on("data", (piece) => {
    text += piece;
  });
  const [, signal] = await once(child, "close");
  return { lines: text.split("\n").slice(0, -1), signal };
}

function processesWith(mark) {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(mark));
}

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return ""; // Gone, or of another user.
  }
}
