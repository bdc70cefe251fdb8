import type { WorkspaceFile } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import type { WorkspaceManager } from "../src/index.js";
import { bytesOf } from "./snapshot-fixture.js";
import { SESSION, testIsolations, textOf, workspaceFixture } from "./workspace-fixture.js";

const SCRIPT = `mkdir -p work/deep/.git work/empty && printf '\\000\\377' > work/deep/.git/odd && echo 'echo hi' > work/tool.sh &&
  chmod 755 work/tool.sh && echo a > work/A && echo b > work/a && echo c > 'work/a:b' && : > out/empty && echo r > runs/x`;

async function contents(workspaces: WorkspaceManager, id: string): Promise<Record<string, string>> {
  const files: readonly WorkspaceFile[] = await workspaces.files(id);
  const all = await Promise.all(
    files.map(async (file) => [file.path, await textOf(await workspaces.download(id, file.path))] as const),
  );
  return Object.fromEntries(all);
}

describe.each(await testIsolations())("a snapshot, isolation %s", (isolation) => {
  test("restores the files of work/ and out/ with their executable bit, and nothing else", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces } = fixture;
    const { id } = await workspaces.forSession(SESSION);
    const made = await workspaces.run(id, { skill: "demo", cwd: "$WORKSPACE_DIR", command: SCRIPT });
    expect(made.stderr.text).toBe("");
    const before = await contents(workspaces, id);
    const { snapshot, packed } = await workspaces.snapshot(id, async (snapshot) => ({
      snapshot,
      packed: await bytesOf(snapshot.content),
    }));
    expect(snapshot).toMatchObject({ files: Object.keys(before).length, diagnostics: [] });
    const { digest } = await fixture.skills.load("demo");
    expect(snapshot.record).toEqual({
      formatVersion: 1,
      workspaceId: id,
      session: SESSION,
      takenAt: expect.stringMatching(/^\d{4}-.*Z$/),
      staged: { demo: digest },
    });
    const other = { ...SESSION, session: "s2" };
    const restored = await workspaces.restore(packed, { session: other });
    expect(restored).toMatchObject({
      session: other,
      snapshot: snapshot.record,
      files: snapshot.files,
      bytes: snapshot.bytes,
    });
    expect(restored.id).not.toBe(id);
    expect(restored.id).toBe((await workspaces.forSession(other)).id);
    expect(await contents(workspaces, restored.id)).toEqual(before);
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining(["out/empty", "work/A", "work/a", "work/a:b", "work/deep/.git/odd"]),
    );
    const run = { command: "work/tool.sh; test -x work/a || echo plain; ls runs skills" };
    const again = await workspaces.run(restored.id, run);
    expect(again.stdout.text).toMatch(/^hi\nplain\n/);
    expect(again.stdout.text).not.toContain("demo");
  });
});
