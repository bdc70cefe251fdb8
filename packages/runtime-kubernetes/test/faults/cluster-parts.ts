import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject } from "vitest";

/** Kills a part of the tests' own cluster, such as `kubelet`. Settles when it is gone. */
export async function killPart(part: string): Promise<void> {
  const { directory } = own();
  const id = Number(readFileSync(join(directory, `${part}.pid`), "utf8"));
  if (exists(id)) process.kill(id, "SIGKILL");
  await expect.poll(() => exists(id)).toBe(false);
}

function exists(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

/** Kills the first process of the container `work` of a pod, without the cluster. */
export function killWork(podUid: string): void {
  const isOf = (id: string) => {
    try {
      const about = (file: string) => readFileSync(`/proc/${id}/${file}`, "utf8");
      return about("cmdline").includes("\0first\0") && about("cgroup").replaceAll("_", "-").includes(podUid);
    } catch {
      return false;
    }
  };
  const id = readdirSync("/proc").find((name) => /^\d+$/.test(name) && isOf(name));
  if (!id) throw new Error(`The pod ${podUid} has no first process.`);
  process.kill(Number(id), "SIGKILL");
}

/** Starts what does not run. A part may end again because of what its killed predecessor left. */
export async function startAllParts(): Promise<void> {
  const { script, directory } = own();
  await promisify(execFile)(script, [directory]);
}

/** Loads an image of Docker's format into the tests' own cluster. */
export async function loadImage(file: string): Promise<void> {
  const { script, directory } = own();
  await promisify(execFile)(script, [directory, "load", file]);
}

function own(): { script: string; directory: string } {
  const cluster = inject("cluster");
  if ("reason" in cluster || !cluster.script || !cluster.directory) throw new Error("It is not our cluster.");
  const { script, directory } = cluster;
  return { script, directory };
}

/** Calls `look` until it returns something; an error counts as nothing. */
export async function untilItIs<T>(look: () => Promise<T | undefined>): Promise<T> {
  let found: T | undefined;
  const hasFound = async () => {
    found = await look();
    return found !== undefined;
  };
  await expect.poll(hasFound, { timeout: 200_000 }).toBe(true);
  return found as T;
}
