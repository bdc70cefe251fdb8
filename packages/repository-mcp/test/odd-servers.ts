import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SkillRepository } from "@skillwright/core";
import { onTestFinished, vi } from "vitest";
import { type McpRepositoryOptions, mcpRepository } from "../src/index.js";

const PROGRAM = fileURLToPath(new URL("./children/odd-server.mjs", import.meta.url));

export interface OddServer {
  readonly repository: SkillRepository;
  /** The ids of its processes, once it has written them. */
  ids(): Promise<readonly number[]>;
}

/** A program that behaves as `kind` says, which is ended with the test. */
export async function oddServer(
  kind: string,
  options: Omit<McpRepositoryOptions, "server"> & { environment?: Record<string, string> } = {},
): Promise<OddServer> {
  const { environment, ...others } = options;
  const folder = await mkdtemp(join(tmpdir(), "skillwright-mcp-"));
  const mark = join(folder, "ids");
  const repository = mcpRepository({
    server: { command: oddCommand(kind, mark), environment },
    ...others,
  });
  onTestFinished(async () => {
    await repository.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { repository, ids: () => idsIn(mark) };
}

export function oddCommand(kind: string, mark: string): readonly string[] {
  return [process.execPath, PROGRAM, kind, mark];
}

export async function idsIn(mark: string): Promise<readonly number[]> {
  return await vi.waitFor(
    async () => {
      const ids = (await readFile(mark, "utf8")).split(" ").map(Number);
      if (ids.some((id) => !id)) throw new Error("The ids are not complete yet.");
      return ids;
    },
    { timeout: 180_000 },
  );
}

/** Waits until none of the processes runs any more. */
export async function untilEnded(ids: readonly number[]): Promise<void> {
  await vi.waitUntil(async () => (await Promise.all(ids.map(isRunning))).every((running) => !running), {
    timeout: 180_000,
  });
}

/** A process that has ended but was not collected by its parent does not run. */
export async function isRunning(id: number): Promise<boolean> {
  const status = await readFile(`/proc/${id}/stat`, "utf8").catch(() => undefined);
  return status !== undefined && !/\) [ZX] /.test(status);
}
