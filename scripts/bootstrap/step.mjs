import { spawn } from "node:child_process";
import { createWriteStream, mkdirSync } from "node:fs";
import { cacheDirectory } from "./root.mjs";

const tailLines = 40;
const heartbeatMilliseconds = 15_000;

/** A failed step of the preparation; the message contains everything that the user needs to read. */
export class StepFailed extends Error {}

/** Prints a line for the user, on stderr, because stdout belongs to the started program. */
export function tell(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs a command as one step: prints its start, how long it takes, and how it ended. Its output is written to
 * `.cache/logs/<log>.log`; if it fails, the end of the output is in the message of the StepFailed, with `remedy`.
 *
 * @param {{ title: string, log: string, remedy: string, command: string, args: string[], env?: NodeJS.ProcessEnv, cwd?: string }} step
 */
export async function runStep({ title, log, remedy, command, args, env, cwd }) {
  tell(`${mark(36, "•")} ${title} ...`);
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  const logFile = `${cacheDirectory}/logs/${log}.log`;
  mkdirSync(`${cacheDirectory}/logs`, { recursive: true });

  const output = { lines: /** @type {string[]} */ ([]) };
  const heartbeat = setInterval(() => {
    tell(`  still at it after ${seconds()}: ${output.lines.at(-1) ?? "no output yet"}`);
  }, heartbeatMilliseconds);
  const ended = await runLogged({ command, args, env, cwd, logFile, output }).finally(() =>
    clearInterval(heartbeat),
  );

  if (ended !== "exit code 0") {
    const tail = output.lines.map((line) => `  | ${line}\n`).join("");
    throw new StepFailed(
      `${mark(31, "✗")} ${title}: failed after ${seconds()} (${ended}).\n${tail}` +
        `  The command was: ${[command, ...args].join(" ")}\n  All of its output: ${logFile}\n  What to do: ${remedy}`,
    );
  }
  tell(`  done in ${seconds()}`);
}

/** Resolves to how the process ended. A signal to this process is forwarded, so that no child outlives it. */
function runLogged({ command, args, env, cwd, logFile, output }) {
  return new Promise((resolve) => {
    const log = createWriteStream(logFile);
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const end = (/** @type {string} */ how) => {
      for (const signal of signals) process.off(signal, passOn);
      log.end();
      resolve(how);
    };
    const passOn = (/** @type {NodeJS.Signals} */ signal) => {
      child.kill(signal);
      process.exit(signal === "SIGINT" ? 130 : 143);
    };
    for (const signal of signals) process.on(signal, passOn);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        log.write(text);
        output.lines = [...output.lines, ...text.split("\n").filter((line) => line.trim() !== "")].slice(
          -tailLines,
        );
      });
    }
    child.on("error", (error) => end(error.message));
    child.on("close", (code, signal) => end(signal ? `signal ${signal}` : `exit code ${code}`));
  });
}

const signals = /** @type {const} */ (["SIGINT", "SIGTERM"]);

function mark(colour, text) {
  return process.stderr.isTTY && !process.env.NO_COLOR ? `\u001b[${colour}m${text}\u001b[39m` : text;
}
