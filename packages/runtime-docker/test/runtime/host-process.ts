import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { RunLimits, RunResult } from "@skillwright/core";
import { expect, onTestFinished } from "vitest";
import type { DockerSubject } from "../docker-subject.js";
import type { TestEngine } from "../engine-setup/engines.js";

const script = fileURLToPath(new URL("children/host.mjs", import.meta.url));

export interface HostCommand {
  readonly text: string;
  readonly limits?: RunLimits;
  /** How often it is run, one after the other. Default 1. */
  readonly times?: number;
  readonly runId?: string;
  readonly keep?: boolean;
  readonly endsWithHost?: boolean;
  readonly leaseMs?: number;
}

/** Another process that runs a command in the workspace `w`. */
export function hostProcess(
  { host, image }: TestEngine,
  { namespace }: Pick<DockerSubject, "namespace">,
  command: HostCommand,
): ChildProcess {
  const args = [script, host, image, namespace, "w", JSON.stringify(command)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Returns when its command has said `on`. */
export async function startHost(...started: Parameters<typeof hostProcess>): Promise<ChildProcess> {
  const child = hostProcess(...started);
  const [first] = await Promise.race([
    once(child.stdout as NonNullable<typeof child.stdout>, "data"),
    once(child, "exit").then(() => ["it ended"]),
  ]);
  expect(String(first)).toBe("on\n");
  return child;
}

export async function outputOf(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const bytes of child.stdout ?? []) text += String(bytes);
  return text;
}

/** The results of its commands, after it has ended. */
export async function resultsOf(child: ChildProcess): Promise<readonly RunResult[]> {
  const lines = (await outputOf(child)).split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line) as RunResult);
}
