import { readlink } from "node:fs/promises";
import { type RuntimeWorkspace, SkillError } from "@skillwright/core";
import { describe, expect, test, vi } from "vitest";
import { type BootstrapStep, workspaceManager } from "../src/index.js";
import { DEMO, SESSION, testIsolations, textOf, workspaceFixture } from "./workspace-fixture.js";

const withCode = (code: string) => expect.toSatisfy((error) => SkillError.is(error) && error.code === code);
const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: SkillError) => error);

/** Records each time it is applied. */
const LOG: BootstrapStep = {
  name: "log",
  files: [{ path: "work/tools/say.sh", content: "echo said $1\n", executable: true }],
  commands: ["sh work/tools/say.sh a >> work/log", "test ! -e out/made && echo two >> work/log"],
};

describe.each(await testIsolations())("bootstrap, isolation %s", (isolation) => {
  test("files and then commands are applied once, before the first run", async () => {
    await using fixture = await workspaceFixture(isolation, { bootstrap: [LOG] });
    const { workspaces, events, onEvent } = fixture;
    const { id } = await workspaces.forSession(SESSION);
    const first = await workspaces.run(id, { command: "cat work/log; touch out/made" }, { onEvent });
    expect(first.stdout.text).toBe("said a\ntwo\n");
    expect(events.map(({ type }) => type)).toEqual([
      "bootstrap.started",
      "bootstrap.ended",
      "run.started",
      "run.output",
      "run.ended",
    ]);
    expect(events[1]).toMatchObject({ step: "log", ok: true, fromCache: false, workspaceId: id });
    const second = await workspaces.run(id, {
      skill: "demo",
      command: 'cat work/log; ls "$WORKSPACE_DIR/runs"',
    });
    expect(second.stdout.text).toBe(`said a\ntwo\n${first.runId}\n${second.runId}\n`);
  });

  test("another process on the same runtime does not apply it again", async () => {
    await using fixture = await workspaceFixture(isolation, { bootstrap: [LOG] });
    const { id } = await fixture.workspaces.forSession(SESSION);
    await fixture.workspaces.run(id, { command: "true" });
    const { skills, runtime } = fixture;
    const other = workspaceManager({ skills, runtime, bootstrap: [LOG] });
    const { run } = other;
    const { id: same } = await other.forSession(SESSION);
    expect(same).toBe(id);
    expect((await run(id, { command: "cat work/log" })).stdout.text).toBe("said a\ntwo\n");
    await runtime.destroy(id);
    await fixture.workspaces.forSession(SESSION);
    expect((await run(id, { command: "cat work/log" })).stdout.text).toBe("said a\ntwo\n");
  });

  test("a changed step is applied again, and so are those after it", async () => {
    const step = (name: string, text: string): BootstrapStep => ({
      name,
      commands: [`echo ${text} >> work/log`],
    });
    await using fixture = await workspaceFixture(isolation);
    const { skills, runtime } = fixture;
    const logOf = async (...bootstrap: BootstrapStep[]) => {
      const workspaces = workspaceManager({ skills, runtime, bootstrap });
      const { id } = await workspaces.forSession(SESSION);
      return (await workspaces.run(id, { command: "cat work/log" })).stdout.text.trim().split("\n");
    };
    expect(await logOf(step("a", "1"), step("b", "2"))).toEqual(["1", "2"]);
    expect(await logOf(step("a", "1"), step("b", "3"))).toEqual(["1", "2", "3"]);
    expect(await logOf(step("a", "4"), step("b", "3"))).toEqual(["1", "2", "3", "4", "3"]);
    expect(await logOf(step("a", "4"), step("b", "3"))).toHaveLength(5);
  });

  test("steps of a skill are derived from it, and applied again for another digest", async () => {
    await using fixture = await workspaceFixture(isolation, {
      environment: () => ({ INDEX: "from-the-application" }),
      bootstrap: ({ name, frontmatter, files, digest }) => [
        {
          name: "packages",
          commands: [
            `echo ${name} ${String(frontmatter["name"])} ${files.length} ${digest.slice(0, 7)} $INDEX >> work/log`,
            'cat "$SKILL_DIR/data/a.csv" >> work/log',
          ],
        },
      ],
    });
    const { workspaces, repository } = fixture;
    const { id } = await workspaces.forSession(SESSION);
    expect((await workspaces.run(id, { command: "ls work" })).stdout.text).toBe("inputs\n");
    const log = async () =>
      (await workspaces.run(id, { skill: "demo", command: "cat work/log" })).stdout.text;
    const line = "demo demo 3 sha256: from-the-application\n";
    expect(await log()).toBe(`${line}a,b\n1,2\n`);
    expect(await log()).toBe(`${line}a,b\n1,2\n`);
    const changed = { ...DEMO, "data/a.csv": "c\n" };
    await repository.upload(Object.entries(changed).map(([path, content]) => ({ path, content })));
    expect(await log()).toBe(`${line}a,b\n1,2\n${line}c\n`);
  });

  test("a step that fails ends the run before its command, gives the reason, and is retried", async () => {
    const commands = [
      "echo part > work/part",
      "test -e work/mended || { echo no such package >&2; exit 7; }",
    ];
    await using fixture = await workspaceFixture(isolation, { bootstrap: [{ name: "packages", commands }] });
    const { workspaces, events, onEvent } = fixture;
    const { id } = await workspaces.forSession(SESSION);
    const error = await failure(workspaces.run(id, { command: "touch out/ran" }, { onEvent }));
    expect(error).toMatchObject({
      code: "BACKEND_FAILED",
      details: { step: "packages", command: 2, exitCode: 7 },
    });
    expect(error?.message).toMatch(
      /"packages" ended with exit code 7.*tries the step again.*no such package/s,
    );
    expect(events.at(-1)).toMatchObject({ type: "bootstrap.ended", ok: false });
    expect((await workspaces.files(id, "out")).length).toBe(0);
    await workspaces.write(id, "work/mended", "");
    expect(await workspaces.run(id, { command: "true" })).toMatchObject({ exitCode: 0 });
  });

  test("a step's timeout is an error of the run, an abort ends it, and neither counts as applied", async () => {
    let timeoutMs = 300;
    const commands = ["test -e work/go || { touch work/waits; sleep 60; }"];
    await using fixture = await workspaceFixture(isolation, {
      bootstrap: () => [{ name: "slow", commands, timeoutMs }],
    });
    const { workspaces } = fixture;
    const { id } = await workspaces.forSession(SESSION);
    const run = (signal?: AbortSignal) =>
      workspaces.run(id, { skill: "demo", command: "echo ran" }, { signal });
    expect(await failure(run())).toMatchObject({ code: "BACKEND_FAILED", details: { timedOut: true } });
    await (await fixture.runtime.attach(id))?.remove?.("work/waits");
    timeoutMs = 60_000;
    const caller = new AbortController();
    const aborted = failure(run(caller.signal));
    await vi.waitFor(async () => await textOf(await workspaces.download(id, "work/waits")), {
      timeout: 180_000,
    });
    caller.abort();
    expect(await aborted).toMatchObject({ code: "ABORTED" });
    await workspaces.write(id, "work/go", "");
    expect((await run()).stdout.text).toBe("ran\n");
  });

  test("a skill's commands cannot fake that a step was applied", async () => {
    await using fixture = await workspaceFixture(isolation, { bootstrap: [LOG] });
    const { workspaces } = fixture;
    const { id } = await workspaces.forSession(SESSION);
    await workspaces.run(id, { command: "true" });
    const handle = await fixture.runtime.attach(id);
    const noted = (await handle?.notes?.())?.get("bootstrap") ?? "";
    expect(noted).toContain('"fingerprint"');
    const found = await workspaces.run(id, { command: 'grep -rl fingerprint "$WORKSPACE_DIR"' });
    expect(found.stdout.text).toBe("");
  });

  test("a step gets the network only where it requests it and runs may have it", async () => {
    const commands = ["readlink /proc/self/ns/net >> work/net"];
    const bootstrap = [
      { name: "without", commands },
      { name: "with", commands, network: true },
    ];
    await using fixture = await workspaceFixture(isolation, { bootstrap, allowNetwork: true });
    const { id } = await fixture.workspaces.forSession(SESSION);
    const { stdout } = await fixture.workspaces.run(id, { command: "cat work/net" });
    const [without, withNetwork] = stdout.text.split("\n");
    const own = await readlink("/proc/self/ns/net");
    expect([without === own, withNetwork === own]).toEqual([isolation === "none", true]);
  });

  test("on a runtime without notes a step is applied once in this process", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { runtime, skills } = fixture;
    const withoutNotes = (workspace: RuntimeWorkspace): RuntimeWorkspace => {
      const { note, notes, ...others } = workspace;
      return others;
    };
    const forgetful = {
      ...runtime,
      create: async (id: string) => withoutNotes(await runtime.create(id)),
      attach: async (id: string) => {
        const workspace = await runtime.attach(id);
        return workspace && withoutNotes(workspace);
      },
    };
    const workspaces = workspaceManager({ skills, runtime: forgetful, bootstrap: [LOG] });
    const { id } = await workspaces.forSession(SESSION);
    for (let run = 0; run < 2; run++) await workspaces.run(id, { command: "true" });
    expect((await workspaces.run(id, { command: "cat work/log" })).stdout.text).toBe("said a\ntwo\n");
    await workspaces.destroy(id);
    await workspaces.forSession(SESSION);
    expect((await workspaces.run(id, { command: "cat work/log" })).stdout.text).toBe("said a\ntwo\n");
  });

  test("a started run is bootstrapped too", async () => {
    await using fixture = await workspaceFixture(isolation, { bootstrap: [LOG] });
    const { id } = await fixture.workspaces.forSession(SESSION);
    const handle = await fixture.workspaces.start?.(id, { command: "cat work/log; cat" });
    await handle?.endInput();
    expect((await handle?.result)?.stdout.text).toBe("said a\ntwo\n");
  });
});

const NEVER: readonly [string, BootstrapStep[]][] = [
  ["no name", [{ name: " " }]],
  ["a name twice", [{ name: "a" }, { name: "a" }]],
  ["a file outside of work", [{ name: "a", files: [{ path: "out/x", content: "" }] }]],
  ["a file that leads out", [{ name: "a", files: [{ path: "work/../x", content: "" }] }]],
  ["a blank command", [{ name: "a", commands: [" "] }]],
  ["the network, which no run may have", [{ name: "a", network: true }]],
  ["no time", [{ name: "a", timeoutMs: 0 }]],
  ["all of work to cache", [{ name: "a", cache: ["work"] }]],
  ["uploads to cache", [{ name: "a", cache: ["work/inputs"] }]],
  [
    "one directory cached twice",
    [
      { name: "a", cache: ["work/x"] },
      { name: "b", cache: ["work/x/y"] },
    ],
  ],
];

test.each(NEVER)("a step with %s is refused when it is declared", async (_what, bootstrap) => {
  await expect(workspaceFixture("none", { bootstrap })).rejects.toThrow(withCode("CONFIG_INVALID"));
  await using fixture = await workspaceFixture("none", { bootstrap: () => bootstrap });
  const { id } = await fixture.workspaces.forSession(SESSION);
  const run = fixture.workspaces.run(id, { skill: "demo", command: "true" });
  await expect(run).rejects.toThrow(withCode("CONFIG_INVALID"));
});
