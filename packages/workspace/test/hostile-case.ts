import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { SkillError, type WorkspaceRun, type WorkspaceRunResult } from "@skillwright/core";
import { expect, test } from "vitest";
import { withinMemory } from "../../../test/memory/within-memory.js";
import type { WorkspaceManagerOptions } from "../src/index.js";
import {
  type Fixture,
  ownDiagnostics,
  SESSION,
  type TestIsolation,
  workspaceFixture,
} from "./workspace-fixture.js";

/** Above the limits of outputs, and a fraction of what hostile commands write. */
const MOST_HELD = 24 * 1024 * 1024;

export interface HostileCase extends Fixture {
  /** The session's workspace. */
  readonly id: string;
  /** A folder of this machine that no command and no call may touch; it contains `secret.txt`. */
  readonly outside: string;
  /** Runs in the session's workspace, and also returns the codes of the manager's own diagnostics. */
  readonly run: (run: WorkspaceRun) => Promise<WorkspaceRunResult & { codes: readonly string[] }>;
}

/**
 * Registers a hostile case as a separate test. After each case, common invariants are checked: nothing outside was
 * touched, no process is left, memory stayed bounded, there is no unhandled exception, and a harmless run works, in the
 * same workspace and in a new one.
 */
export function hostileCase(
  title: string,
  isolation: TestIsolation,
  attack: (place: HostileCase) => Promise<void>,
  options: (directory: string) => Partial<WorkspaceManagerOptions> = () => ({}),
): void {
  test(title, async () => {
    await using fixture = await workspaceFixture(isolation, options);
    const outside = path.join(fixture.directory, "outside");
    await mkdir(outside);
    await writeFile(path.join(outside, "secret.txt"), "canary-of-the-host");
    const { id } = await fixture.workspaces.forSession(SESSION);
    const unheard: unknown[] = [];
    const hear = (error: unknown) => void unheard.push(error);
    process.on("unhandledRejection", hear).on("uncaughtExceptionMonitor", hear);
    const before = await stateOutside(fixture, outside);
    try {
      await withinMemory(MOST_HELD, () =>
        attack({ ...fixture, id, outside, run: (run) => coded(fixture, id, run) }),
      );
      expect(await stateOutside(fixture, outside), "what lies outside").toEqual(before);
      expect(await processesOf(fixture), "processes left").toEqual([]);
      expect(unheard, "errors nobody heard").toEqual([]);
      await worksStill(fixture, id);
    } finally {
      process.off("unhandledRejection", hear).off("uncaughtExceptionMonitor", hear);
    }
  });
}

async function coded(fixture: Fixture, id: string, run: WorkspaceRun) {
  const result = await fixture.workspaces.run(id, run, { onEvent: fixture.onEvent });
  return { ...result, codes: ownDiagnostics(result.diagnostics).map(({ code }) => code) };
}

/** The folder beside the workspaces, and the skill that runs are staged from. */
async function stateOutside({ skills }: Fixture, outside: string): Promise<unknown> {
  const secret = await readFile(path.join(outside, "secret.txt"), "utf8");
  return { names: (await readdir(outside)).sort(), secret, digest: (await skills.load("demo")).digest };
}

/** Every process of a run has the run's id in its environment, unless it hides; only a sandbox ends those that do. */
async function processesOf({ events }: Fixture): Promise<readonly string[]> {
  if (process.platform !== "linux") return [];
  const runIds = events.flatMap((event) => (event.type === "run.started" ? [event.runId] : []));
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const alive = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
      return runIds.some((runId) => environment.includes(runId)) ? [pid] : [];
    }),
  );
  return alive.flat();
}

/** Always in a new workspace; in the same one unless a command broke its layout, which is then reported. */
async function worksStill({ workspaces }: Fixture, id: string): Promise<void> {
  const fresh = await workspaces.create();
  expect((await workspaces.run(fresh.id, { command: "echo ok" })).stdout.text).toBe("ok\n");
  const same = await workspaces.run(id, { command: "echo ok" }).then(
    ({ stdout }) => stdout.text,
    (error: unknown) => (SkillError.is(error, "PATH_OUTSIDE") ? "ok\n" : error),
  );
  expect(same).toBe("ok\n");
}
