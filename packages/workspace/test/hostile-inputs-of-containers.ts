import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunEvent, SkillError, type WorkspaceRun, type WorkspaceRuntime } from "@skillwright/core";
import { memoryArtifacts, memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { threadTime } from "../../../test/timing/thread-time.js";
import {
  destroy,
  idleFor,
  policy,
  type WorkspaceManager,
  type WorkspaceManagerOptions,
  workspaceManager,
} from "../src/index.js";
import { HOUR_MS, handClock } from "./hand-clock.js";
import { makeOpenFolder } from "./open-folder.js";
import { DEMO, ownDiagnostics, SESSION } from "./workspace-fixture.js";

/** A container costs a thousand times as much as a directory; the local runtime's test covers 1,000 workspaces. */
const EXPIRING = 30;

/**
 * Registers tests of what hostile inputs cannot do, for runtimes whose commands run in containers.
 * @param make Returns a new runtime, which shares its workspaces with no other one.
 * @param expiresMany Whether to test many workspaces that expire together.
 */
export function hostileInputs(make: () => WorkspaceRuntime, expiresMany: boolean): void {
  const directory = mkdtempSync(join(tmpdir(), "skillwright-hostile-inputs-"));
  const skills = skillBox({ own: memoryRepository({ skills: { demo: DEMO } }) });
  const artifacts = memoryArtifacts();
  let runtime: WorkspaceRuntime;
  let workspaces: WorkspaceManager;
  let id: string;

  beforeAll(async () => {
    runtime = make();
    makeOpenFolder(join(directory, "open"));
    await artifacts.save(SESSION, "a", "content");
    await artifacts.save({ ...SESSION, session: "other-session" }, "report", "theirs");
    workspaces = manager({ hostInputRoots: [join(directory, "open"), "/dev"] });
    ({ id } = await workspaces.forSession(SESSION));
  });

  afterAll(async () => {
    await workspaces.destroy(id);
    await workspaces.close();
    await runtime.close();
    rmSync(directory, { recursive: true });
  });

  function manager(options: Partial<WorkspaceManagerOptions> = {}): WorkspaceManager {
    return workspaceManager({ skills, runtime, artifacts, ...options });
  }

  async function refusal(run: Omit<WorkspaceRun, "command">, at = workspaces, workspace = id) {
    const events: RunEvent[] = [];
    const before = await at.files(workspace);
    const error: unknown = await at
      .run(workspace, { command: "touch out/ran", ...run }, { onEvent: (event) => void events.push(event) })
      .catch((caught: unknown) => caught);
    expect(events.map(({ type }) => type)).not.toContain("run.started");
    expect(await at.files(workspace)).toEqual(before);
    expect((await at.run(workspace, { command: "echo ok" })).stdout.text).toBe("ok\n");
    return SkillError.is(error) ? error : expect.fail(String(error));
  }

  for (const [title, run, code] of [
    ["PATH-04: a directory that is a file", { skill: "demo", cwd: "scripts/hello.sh" }, "PATH_INVALID"],
    ["PATH-07: a name from a hostile source", { inputs: [{ from: "artifact://.." }] }, "PATH_OUTSIDE"],
    ["INPUT-16: a link out of the open folder", { inputs: [{ from: "host://OPEN/l" }] }, "REFUSED"],
    ["INPUT-17: a pipe", { inputs: [{ from: "host://OPEN/fifo" }] }, "FILE_NOT_FOUND"],
    ["INPUT-17: a file of 10 GiB", { inputs: [{ from: "host://OPEN/huge" }] }, "LIMIT_EXCEEDED"],
    ["INPUT-17: a device", { inputs: [{ from: "host:///dev/zero" }] }, "FILE_NOT_FOUND"],
    [
      "INPUT-18: the workspace into itself",
      { inputs: [{ from: "workspace://.", to: "work/copy" }] },
      "PATH_INVALID",
    ],
    [
      "INPUT-19: a skill that is not enabled",
      { inputs: [{ from: "skill://secret/key.txt" }] },
      "SKILL_NOT_FOUND",
    ],
    [
      "INPUT-20: an artifact of another session by its path",
      { inputs: [{ from: "artifact://../../other-session/report" }] },
      "PATH_OUTSIDE",
    ],
    [
      "INPUT-20: an artifact of another session by its name",
      { inputs: [{ from: "artifact://report" }] },
      "ARTIFACT_NOT_FOUND",
    ],
    ...["-1", "1e9", "latest;rm", "__proto__"].map(
      (version) =>
        [
          `INPUT-21: "${version}" as a version`,
          { inputs: [{ from: `artifact://a@${version}` }] },
          "ARTIFACT_NOT_FOUND",
        ] as const,
    ),
  ] as const)
    test(`${title} is refused with ${code}, and nothing ran`, async () => {
      const inputs = ("inputs" in run ? run.inputs : []).map((input) => ({
        ...input,
        from: input.from.replace("OPEN", join(directory, "open")),
      }));
      expect((await refusal({ ...run, inputs })).code).toBe(code);
    });

  test("INPUT-15: without an allowed folder a host file is refused, whether or not it exists", async () => {
    await using closed = manager();
    const { id: own } = await closed.create();
    const [there, missing] = [
      await refusal({ inputs: [{ from: "host:///etc/passwd" }] }, closed, own),
      await refusal({ inputs: [{ from: "host:///etc/none" }] }, closed, own),
    ];
    expect(there.message).toContain("hostInputRoots");
    expect(there.message.replaceAll("passwd", "none")).toBe(missing.message);
    await closed.destroy(own);
  });

  test("INPUT-17: the regular files of a directory are copied; links and pipes are reported", async () => {
    const inputs = [{ from: `host://${join(directory, "open", "tree")}`, to: "work/tree" }];
    const result = await workspaces.run(id, { command: "cd work; find tree -type f | sort", inputs });
    expect(result.stdout.text).toBe("tree/a.txt\ntree/sub/b.sh\n");
    const told = ownDiagnostics(result.diagnostics).map(({ code }) => code);
    expect(told).toEqual(["input.skipped", "input.skipped", "input.skipped"]);
  });

  test("INPUT-22: where one input fails nothing runs, and staged inputs are reported", async () => {
    const inputs = [
      { from: "artifact://a", to: "work/staged" },
      { from: "artifact://missing", to: "work/b" },
    ];
    await expect(workspaces.run(id, { command: "touch out/ran", inputs })).rejects.toMatchObject({
      code: "ARTIFACT_NOT_FOUND",
      details: { input: "artifact://missing", staged: ["work/staged"] },
    });
    const paths = (await workspaces.files(id)).map(({ path }) => path);
    expect(paths).toContain("work/staged");
    expect(paths).not.toContain("out/ran");
  });

  test("CONC-02: of two concurrent destroys one returns true, one false", async () => {
    await using other = manager();
    const { id: own } = await other.create();
    const answers = await Promise.all([other.destroy(own), other.destroy(own)]);
    expect(answers.sort()).toEqual([false, true]);
  });

  test("LIFE-07: a run in progress counts as use: the workspace is reaped only afterwards", async () => {
    const clock = handClock();
    // Its sweeps concern all workspaces of its runtime.
    await using own = make();
    await using other = manager({
      runtime: own,
      clock,
      policies: [policy({ when: idleFor("1h"), do: destroy() })],
    });
    const { id: used } = await other.create();
    await other.sweep();
    const begun = new AbortController();
    const running = other.run(
      used,
      { command: 'echo up; until [ -e "$WORK_DIR/go" ]; do sleep 0.1; done; echo ok' },
      { onEvent: ({ type }) => type === "run.output" && begun.abort() },
    );
    await new Promise((resolve) => begun.signal.addEventListener("abort", resolve));
    clock.pass(2 * HOUR_MS);
    await other.sweep();
    await other.write(used, "work/go", "");
    expect(await running).toMatchObject({ exitCode: 0, stdout: { text: "up\nok\n" } });
    clock.pass(HOUR_MS);
    await other.sweep();
    expect(await other.list()).toEqual([]);
  });

  if (expiresMany)
    test(`LIFE-10: ${EXPIRING} workspaces that expire together are gone after one sweep, which never blocks the thread for 250 ms`, async () => {
      let isExpired = false;
      await using own = make();
      await using other = manager({
        runtime: own,
        policies: [policy({ when: () => isExpired, do: destroy() })],
      });
      for (let made = 0; made < EXPIRING; made += 5)
        await Promise.all(Array.from({ length: 5 }, () => other.create()));
      expect(await other.list()).toHaveLength(EXPIRING);
      isExpired = true;
      let longest = 0;
      let last = threadTime();
      const ticker = setInterval(() => {
        longest = Math.max(longest, threadTime() - last);
        last = threadTime();
      }, 5);
      await other.sweep().finally(() => clearInterval(ticker));
      expect(await other.list()).toEqual([]);
      expect(longest).toBeGreaterThan(0);
      expect(longest).toBeLessThan(250);
    });
}
