#!/usr/bin/env node
import { fstatSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

// `--help` and `--version` load so little that reading what was kept takes longer than compiling it.
if (!process.argv[2]?.startsWith("-")) keepCompiledCode();
const { runCli } = await import("./run-cli.js");

const interrupt = new AbortController();
const SIGNALS = ["SIGINT", "SIGTERM"] as const;
for (const name of SIGNALS) process.on(name, interrupted);
let isOutputLost = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // The workspace of an MCP host that has ended is removed before this process exits.
  if (process.argv[2] === "mcp") interrupt.abort();
  // A reader such as `head` that stops early is not a failure: the command goes on to its end and keeps its outputs and its exit code.
  else if (error.code !== "EPIPE") isOutputLost = true;
});
// The reader of standard error has left, so that nobody would see a message.
process.stderr.on("error", () => undefined);

const exitCode = await runCli(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: hasInput() ? process.stdin : undefined,
  cwd: workingDirectory(),
  env: process.env,
  signal: interrupt.signal,
});
process.exitCode = isOutputLost ? exitCode || 1 : exitCode;
// A command that did not read its input to the end leaves it open.
if (hasInput()) process.stdin.destroy();

/**
 * The first signal interrupts the command, and the second one ends the process, however soon it comes. The listeners stay
 * until then: without one, the libraries that end child processes would end this process at the first signal.
 */
function interrupted(name: NodeJS.Signals): void {
  if (!interrupt.signal.aborted) {
    interrupt.abort();
    return;
  }
  for (const each of SIGNALS) process.off(each, interrupted);
  process.kill(process.pid, name);
}

/** If the directory was removed, this is its former path, and commands report the files that they do not find there. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env["PWD"] ?? "/";
  }
}

/**
 * Lets Node keep what it compiled for the next start, in the user's own cache directory: another user could put code
 * into the one that Node chooses, below `/tmp`. `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE`
 * take precedence. A directory that cannot be written is no error. Without an absolute home directory nothing is kept.
 */
function keepCompiledCode(): void {
  const { XDG_CACHE_HOME: given = "" } = process.env;
  const cache = isAbsolute(given) ? given : join(homedir(), ".cache");
  const directory = isAbsolute(cache) ? join(cache, "skillwright", "compiled") : undefined;
  const chosen = process.env["NODE_COMPILE_CACHE"] ?? directory;
  if (chosen !== undefined) enableCompileCache(chosen);
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
