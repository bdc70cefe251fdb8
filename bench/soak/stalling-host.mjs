/**
 * `stalling-host.mjs <root> <runs> <seed>`: runs commands of known outcomes, several at once, while it blocks its own event
 * loop for 50 to 500 ms at random. Prints each wrongly reported run, one line each, and finally the count.
 */
import { built } from "../built.mjs";
import { seededRandom } from "../format/random.mjs";

const { run } = await built("core/adapter");
const { localRuntime } = await built("runtime-local");

const AT_ONCE = 16;
const [root, wanted, seed] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const random = seededRandom(seed);
const stalls = Array.from({ length: 451 }, (_, index) => 50 + index);
const sleeping = new Int32Array(new SharedArrayBuffer(4));
const kinds = [
  { command: "echo a; exit 0", exitCode: 0, text: "a\n" },
  { command: "echo b >> out/lines; echo b; exit 3", exitCode: 3, text: "b\n" },
  { command: "head -c 40000 /dev/zero | tr '\\0' c; (sleep 60 &); exit 9", exitCode: 9, size: 40_000 },
  { command: "echo d; kill -SEGV $$", exitCode: 139, text: "d\n" },
  // It ends in time by itself, though the host learns of it only later.
  { command: "echo e; sleep 0.05", exitCode: 0, text: "e\n", timeoutMs: 20_000 },
  { command: "echo f; sleep 60", exitCode: 137, text: "f\n", timeoutMs: 4000, timedOut: true },
];
let left = wanted;
let stalling = true;

for (const isolation of ["sandbox", "none"]) {
  const runtime = localRuntime({ root: `${root}/${isolation}`, isolation });
  const workspace = await runtime.create("w1");
  left = Math.ceil(wanted / 2);
  stalling = true;
  setImmediate(stall);
  await Promise.all(Array.from({ length: AT_ONCE }, () => worker(workspace)));
  stalling = false;
  await runtime.close();
}
console.log(`${2 * Math.ceil(wanted / 2)} runs`);

function stall() {
  if (!stalling) return;
  Atomics.wait(sleeping, 0, 0, random.pick(stalls));
  // Yields some turns of the loop, in which results, timers and starts proceed.
  setTimeout(stall, random.pick([0, 1, 5, 20, 50]));
}

async function worker(workspace) {
  while (left > 0) {
    const number = left--;
    const kind = random.pick(kinds.slice(0, random.chance(0.1) ? kinds.length : kinds.length - 1));
    const fault = await faultOf(workspace, `run-${number}`, kind);
    if (fault) console.log(`run ${number} of "${kind.command}": ${fault}`);
  }
}

async function faultOf(
  workspace,
  runId,
  { command, exitCode, text, size, timedOut = false, timeoutMs = 60_000 },
) {
  const base = { runId, command, cwd: ".", env: {}, timeoutMs, maxOutputBytes: 100_000, network: true };
  let result;
  try {
    result = await run(workspace, base);
  } catch (error) {
    return `it was not run: ${error}`;
  }
  const told = [result.exitCode, result.timedOut, result.aborted, result.treeEnded];
  if (String(told) !== String([exitCode, timedOut, false, true])) return `it was told as ${told}`;
  if (size !== undefined && result.stdout.totalBytes !== size)
    return `${result.stdout.totalBytes} bytes were kept`;
  if (text !== undefined && result.stdout.text !== text) return `its output is ${result.stdout.text}`;
  return undefined;
}
