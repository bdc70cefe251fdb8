import { SkillError } from "@skillwright/core";
import type { RunHandle } from "@skillwright/core/adapter";
import { describe, expect, test } from "vitest";
import { SESSION, testIsolations, textOf, workspaceFixture } from "./workspace-fixture.js";

const isolations = await testIsolations();

describe.each(isolations)("a started run (%s)", (isolation) => {
  async function started(command: string, fields: object = {}) {
    const fixture = await workspaceFixture(isolation);
    const { id } = await fixture.workspaces.forSession(SESSION);
    const { start } = fixture.workspaces;
    if (!start) throw new Error("There is no start.");
    const begin = (more: object = {}, options: object = {}) =>
      start(id, { skill: "demo", command, ...fields, ...more }, options);
    return { ...fixture, fixture, id, begin };
  }

  test("is prepared and collected like any other, and accepts input meanwhile", async () => {
    const { fixture, begin, id, events, onEvent } = await started(
      "read a; echo $a > out/a; sh scripts/hello.sh $a",
      {
        outputs: { globs: ["out/**"], inline: true },
      },
    );
    await using _ = fixture;
    const handle = await begin({}, { onEvent });
    expect(handle).toMatchObject({ workspaceId: id, cwd: "skills/demo" });
    await handle.write(new TextEncoder().encode("Ada\n"));
    const result = await handle.result;
    expect(result).toMatchObject({
      runId: handle.runId,
      exitCode: 0,
      stdout: { text: "hello Ada\n" },
      outputs: [{ path: "out/a", content: "Ada\n" }],
    });
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["skill.staged", "run.started", "run.output", "run.ended"]),
    );
  });

  test("delivers its output while it runs, and ends with its input", async () => {
    const { fixture, begin } = await started("echo first; cat");
    await using _ = fixture;
    const handle = await begin();
    expect(await firstPiece(handle)).toBe("first\n");
    await handle.endInput();
    expect(await handle.result).toMatchObject({ exitCode: 0 });
  });

  test("continues after the signal of its start, which aborts only the start", async () => {
    const { fixture, begin } = await started("cat");
    await using _ = fixture;
    const caller = new AbortController();
    const handle = await begin({}, { signal: caller.signal });
    caller.abort();
    await handle.endInput();
    expect(await handle.result).toMatchObject({ exitCode: 0, aborted: false });
    await expect(begin({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "ABORTED" });
  });

  test("holds the workspace's turn until it is over", async () => {
    const { fixture, begin, workspaces, id } = await started("cat; echo started >> out/order");
    await using _ = fixture;
    const handle = await begin();
    const other = workspaces.run(id, { command: "echo other >> out/order" });
    await handle.endInput();
    await other;
    expect(await textOf(await workspaces.download(id, "out/order"))).toBe("started\nother\n");
  });

  test("is asked to end by one signal and forced to by another", async () => {
    const { fixture, begin } = await started("trap 'exit 5' TERM; echo ready; while :; do sleep 0.05; done");
    await using _ = fixture;
    const asked = await begin();
    await firstPiece(asked);
    await asked.signal("SIGTERM");
    expect(await asked.result).toMatchObject({ exitCode: 5 });
    const made = await begin();
    await made.signal("SIGKILL");
    expect(await made.result).toMatchObject({ exitCode: 137 });
  });

  test("ends at its own timeout, which may be longer than that of a run", async () => {
    const { fixture, begin } = await started("cat");
    await using _ = fixture;
    expect(await (await begin({ timeoutMs: 200 })).result).toMatchObject({ timedOut: true, exitCode: 137 });
    const handle = await begin({ timeoutMs: 3_600_000 });
    await handle.endInput();
    expect(await handle.result).toMatchObject({ exitCode: 0 });
  });

  test("ends with its workspaces", async () => {
    const { fixture, begin, workspaces } = await started("sleep 60");
    await using _ = fixture;
    const handle = await begin();
    await workspaces.close();
    expect(await handle.result).toMatchObject({ aborted: true });
  });

  test.each<[object, string]>([
    [{ stdin: "x" }, "INPUT_INVALID"],
    [{ timeoutMs: 0 }, "INPUT_INVALID"],
    [{ timeoutMs: 90_000_000 }, "LIMIT_EXCEEDED"],
    [{ skill: "none" }, "SKILL_NOT_FOUND"],
    [{ cwd: "/etc" }, "PATH_OUTSIDE"],
    [{ command: " " }, "INPUT_INVALID"],
  ])("does not start with %j", async (fields, code) => {
    const { fixture, begin } = await started("true");
    await using _ = fixture;
    const error = await begin(fields).catch((thrown: unknown) => thrown);
    expect(SkillError.is(error) && error.code).toBe(code);
  });
});

async function firstPiece(handle: RunHandle): Promise<string> {
  for await (const { bytes } of handle.output()) return new TextDecoder().decode(bytes);
  return "";
}
