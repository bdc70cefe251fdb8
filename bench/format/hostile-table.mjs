import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { tell } from "../../scripts/bootstrap/step.mjs";
import { hostileCases } from "./hostile-cases.mjs";
import { markdownTable } from "./markdown-table.mjs";
import { median } from "./statistics.mjs";

const program = fileURLToPath(new URL("hostile-reader.mjs", import.meta.url));
const limitMilliseconds = 10_000;

/**
 * Runs every hostile text against every reader, each in a new process that is killed after 10 s.
 *
 * @returns the table, and the slowest case of the first reader (ours)
 */
export async function hostileTable(readers, { node, cwd }) {
  const rows = [];
  let slowest = { milliseconds: 0 };
  for (const [index, [title]] of hostileCases.entries()) {
    const cells = [];
    for (const [position, { module }] of readers.entries()) {
      const result = await measure(module, index, { node, cwd });
      if (position === 0 && result.milliseconds > slowest.milliseconds) slowest = { title, ...result };
      cells.push(shown(result));
    }
    rows.push([title, ...cells]);
    tell(`  hostile texts: ${index + 1} of ${hostileCases.length}`);
  }
  return { table: markdownTable(["text", ...readers.map(({ title }) => title)], rows), slowest };
}

/** The median of its calls, or how the process ended without one. */
function measure(module, index, { node, cwd }) {
  return new Promise((resolve) => {
    const child = fork(program, [module, `${index}`], {
      cwd,
      execPath: node,
      execArgv: ["--no-warnings", "--max-old-space-size=1024"],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const calls = [];
    let timer;
    let tooLong = false;
    child.on("message", (/** @type {any} */ message) => {
      if (!message.ready) return calls.push(message);
      timer = setTimeout(() => {
        tooLong = true;
        child.kill("SIGKILL");
      }, limitMilliseconds);
    });
    child.on("exit", (code, signal) => {
      clearTimeout(timer);
      if (calls.length > 0) {
        const times = calls.map(({ milliseconds }) => milliseconds);
        resolve({ milliseconds: median(times), first: times[0], outcome: calls[0].outcome });
      } else {
        const outcome = tooLong ? "over 10 s, killed" : `process died (${signal ?? `exit code ${code}`})`;
        resolve({ milliseconds: Number.POSITIVE_INFINITY, outcome });
      }
    });
  });
}

function shown({ milliseconds, first, outcome }) {
  if (first === undefined) return outcome;
  return `${milliseconds.toFixed(1)} (${first.toFixed(1)}) ${outcome}`;
}
