import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RuntimeWorkspace, SkillError } from "@skillwright/core";
import { localRuntime } from "@skillwright/runtime-local";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";

const root = mkdtempSync(join(tmpdir(), "skillwright-links-"));
const outside = join(root, "outside");
const withCode = (code: string) => expect.toSatisfy((error) => SkillError.is(error, code as never));

// Where commands run as another user, that user must be able to reach it.
chmodSync(root, 0o755);
mkdirSync(outside);
writeFileSync(join(outside, "kept.txt"), "kept");
afterAll(() => rmSync(root, { recursive: true, force: true }));

const levels = hasAll("bubblewrap") ? (["sandbox", "none"] as const) : (["none"] as const);

describe.each(levels)("links and removals in a workspace (%s)", (isolation) => {
  const runtime = localRuntime({ root: join(root, isolation), isolation });
  let workspace: Required<Pick<RuntimeWorkspace, "link" | "remove">> & RuntimeWorkspace;
  let number = 0;

  afterAll(() => runtime.close());

  beforeEach(async () => {
    const { link, remove, ...others } = await runtime.create(`w${number++}`);
    if (!link || !remove) throw new Error("The local runtime links and removes.");
    workspace = { ...others, link, remove };
  });

  /** Puts a link into the tree like a command. */
  async function planted(path: string, to: string): Promise<void> {
    const handle = await workspace.start({
      runId: `r${number++}`,
      command: `mkdir -p "$(dirname '${path}')" && ln -s '${to}' '${path}'`,
      cwd: ".",
      env: {},
      timeoutMs: 10_000,
      maxOutputBytes: 1000,
    });
    expect((await handle.result).exitCode).toBe(0);
  }

  test("a link is relative, replaces an existing entry and may point to a missing one", async () => {
    await workspace.put([{ path: "work/a/x", content: "old" }]);
    await workspace.link("work/a/x", "out/later.txt");
    const [link] = (await workspace.list("work/a")).filter(({ kind }) => kind === "link");
    expect(link?.path).toBe("work/a/x");
    await workspace.put([{ path: "out/later.txt", content: "later" }]);
    await workspace.link("work/a/x", "work/other");
  });

  test.each([
    ["skills/demo/x", "work/a", "PATH_OUTSIDE"],
    ["work/x", "../etc", "PATH_OUTSIDE"],
    ["work/x", "/etc/passwd", "PATH_OUTSIDE"],
    ["work/x", "etc/passwd", "PATH_OUTSIDE"],
    ["work", "out/a", "PATH_INVALID"],
  ])("refuses a link at %s to %s: %s", async (path, to, code) => {
    await expect(workspace.link(path, to)).rejects.toThrow(withCode(code));
  });

  test("neither linking nor removing follows a link that a command left", async () => {
    await planted("work/way", outside);
    await expect(workspace.link("work/way/x", "out/a")).rejects.toThrow(withCode("PATH_OUTSIDE"));
    await expect(workspace.remove("work/way/kept.txt")).rejects.toThrow(withCode("PATH_OUTSIDE"));
    expect(readdirSync(outside)).toEqual(["kept.txt"]);
  });

  test("a link is removed, not its target", async () => {
    await planted("work/way", outside);
    expect(await workspace.remove("work/way")).toBe(true);
    expect(await workspace.remove("work/way")).toBe(false);
    expect(readdirSync(outside)).toEqual(["kept.txt"]);
  });

  test("a tree is removed completely, whatever its permissions, and nothing is left on disk", async () => {
    await workspace.put([{ path: "runs/r/deep/er/x", content: "x" }]);
    await planted("runs/r/deep/out", outside);
    expect(await workspace.remove("runs/r")).toBe(true);
    expect(await workspace.list("runs")).not.toContainEqual(expect.objectContaining({ path: "runs/r" }));
    expect(readdirSync(outside)).toEqual(["kept.txt"]);
  });

  test.each(["work", "skills/demo/a", "../x", "etc"])("refuses to remove %s", async (path) => {
    await expect(workspace.remove(path)).rejects.toThrow(expect.toSatisfy((error) => SkillError.is(error)));
  });
});
