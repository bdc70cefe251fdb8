import { spawn } from "node:child_process";
import { chownSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { RunLimits, RunResult } from "@skillwright/core";
import { unreachablePart } from "../src/host/reachable.js";
import { temporaryDirectory } from "./local-subject.js";

const USER = { uid: 61_234, gid: 61_234 };
const script = fileURLToPath(new URL("children/host.mjs", import.meta.url));

/**
 * True where an unprivileged host can be started from here: this process is root, and other users can read the
 * packages.
 */
export async function canBeOrdinary(): Promise<boolean> {
  return process.geteuid?.() === 0 && (await unreachablePart(script, USER)) === undefined;
}

/** Runs the command in a new workspace of a host that is an ordinary user, with the built packages. */
export async function runAsOrdinaryUser(
  isolation: string,
  command: string,
  { limits = {}, below }: { readonly limits?: RunLimits; readonly below?: string } = {},
): Promise<RunResult> {
  const { path, remove } = await temporaryDirectory(below);
  chownSync(path, USER.uid, USER.gid);
  try {
    const ids = [`--reuid=${USER.uid}`, `--regid=${USER.gid}`, "--clear-groups"];
    const host = [process.execPath, script, path, isolation, "w1", command, JSON.stringify(limits)];
    return JSON.parse(await output("setpriv", [...ids, ...host]));
  } finally {
    await remove();
  }
}

async function output(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (bytes: Buffer) => {
    text += bytes.toString();
  });
  await new Promise((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", reject);
  });
  return text;
}
