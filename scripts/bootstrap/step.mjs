import { spawn } from "node:child_process";
import { createWriteStream, mkdirSync } from "node:fs";
import { styleText } from "node:util";
import { cacheDirectory } from "./root.mjs";

const tailLines = 40;
const heartbeatMilliseconds = 15_000;

/** A step of the preparation that did not work; the message holds all that the user is to read. */
export class StepFailed extends Error {}

/** Prints a line for the person who waits. On stderr, so that stdout is the started program's alone. */
export function tell(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs a command as one step: tells that it starts, how long it goes on, and how it ended. Its output goes to
 * `.cache/logs/<log>.log`; when it fails its tail is in the message of the StepFailed, with `remedy`.
 *
 * @param {{ title: string, log: string, remedy: string, command: string, args: string[], env?: NodeJS.ProcessEnv, cwd?: string }} step
 */
export async function runStep({ title, log, remedy, command, args, env, cwd }) {
  tell(`${mark("cyan", "•")} ${title} ...`);
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
      `${mark("red", "✗")} ${title}: failed after ${seconds()} (${ended}).\n${tail}` +
        `  The command was: ${[command, ...args].join(" ")}\n  All of its output: ${logFile}\n  What to do: ${remedy}`,
    );
  }
  tell(`  done in ${seconds()}`);
}

/** Resolves to how the process ended. A signal sent to this process is passed on, so that no child outlives it. */
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
  return process.stderr.isTTY && !process.env.NO_COLOR ? styleText(colour, text) : text;
}
