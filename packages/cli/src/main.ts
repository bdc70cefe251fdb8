#!/usr/bin/env node
import { fstatSync } from "node:fs";
import { runCli } from "./run-cli.js";

const interrupt = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) onFirst(name, () => interrupt.abort());
// A reader such as `head` that stops early is not a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

process.exitCode = await runCli(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: hasInput() ? process.stdin : undefined,
  cwd: process.cwd(),
  env: process.env,
  signal: interrupt.signal,
});
// A command that did not read its input to the end leaves it open.
if (hasInput()) process.stdin.destroy();

/**
 * Calls back at the first signal; the second one ends the process. With `once` there would be no listener any more while
 * the libraries that end child processes are told, and these then end this process too.
 */
function onFirst(name: NodeJS.Signals, told: () => void): void {
  const listener = () => {
    told();
    setImmediate(() => process.off(name, listener));
  };
  process.on(name, listener);
}

/** True for a pipe or a file. A terminal is excluded, because its user would not know that input is expected. */
function hasInput(): boolean {
  try {
    // A non-bigint stat leaves numbers in a buffer that makes Node's realpathSync later mistake a folder for this pipe
    // and resolve no links.
    const input = fstatSync(0, { bigint: true });
    return input.isFIFO() || input.isFile() || input.isSocket();
  } catch {
    return false;
  }
}
