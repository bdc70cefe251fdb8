import type { ApprovalRequest } from "@skillwright/core";
import { skillTools } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { caller, skillFile } from "./example-skills.js";
import { managedProject } from "./managed-project.js";
import { realWorkspaces } from "./real-workspaces.js";

const own = skillFile("own", "", "First line.\r\nSecond, second.  \n\n");

describe("APPR-35: a question about a change contains the texts of its files before and after", () => {
  test("for a new skill, for changed and removed files, and for a deleted skill", async () => {
    const { act, changes } = asking();
    await act({ action: "create", name: "demo", description: "Use when x.", body: "Say so." });
    expect(changes()).toEqual([
      {
        path: "SKILL.md",
        change: "added",
        after: expect.stringMatching(/^---\nname: demo\n[\s\S]*\nSay so\.\n$/),
      },
    ]);
    await act({ action: "patch", name: "own", old_text: "First", new_text: "1st" });
    const after = own.replace("First", "1st");
    expect(changes()).toEqual([{ path: "SKILL.md", change: "changed", before: own, after }]);
    await act({ action: "remove_file", name: "own", path: "references/a.md" });
    expect(changes()).toEqual([{ path: "references/a.md", change: "removed", before: "alpha beta alpha" }]);
    await act({ action: "delete", name: "own" });
    expect(changes()).toEqual([{ path: "SKILL.md", change: "removed", before: after }]);
  });

  test("except for files that are no text, larger than 64 KiB, or beyond 256 KiB in total", async () => {
    const { act, project, changes } = asking();
    const files = {
      "SKILL.md": skillFile("long"),
      "a/binary": new Uint8Array([0, 1]),
      "a/latin": new Uint8Array([0xe9]),
      "a/long": "x".repeat(65_537),
      ...Object.fromEntries([1, 2, 3, 4, 5].map((number) => [`b/${number}`, "y".repeat(65_536)])),
    };
    await project.upload(Object.entries(files).map(([path, content]) => ({ path, content })));
    await act({ action: "reload" });
    await act({ action: "delete", name: "long" });
    const shown = changes().filter(({ before }) => before !== undefined);
    expect(shown.map(({ path }) => path)).toEqual(["SKILL.md", "b/1", "b/2", "b/3"]);
    expect(changes()).toHaveLength(9);
  });

  test("for a file of the workspace", async () => {
    const { asked, approval, changes, skills } = asking();
    const workspaces = await realWorkspaces(skills);
    const call = caller(skillTools({ skills, workspaces, approval, mustAskToWrite: () => true }));
    await call("workspace_write", { path: "out/x.txt", content: "One.\n" });
    expect(changes()).toEqual([{ path: "out/x.txt", change: "added", after: "One.\n" }]);
    expect(asked).toHaveLength(1);
  });

  test("but the model sees only the paths", async () => {
    const { act } = asking();
    const { output } = await act({ action: "patch", name: "own", old_text: "First", new_text: "1st" });
    expect(output).toMatchObject({ changes: [{ path: "SKILL.md", change: "changed" }] });
    expect(JSON.stringify(output)).not.toContain("1st");
  });
});

/** A project whose changes are asked about and allowed; `changes` are those of the last question. */
function asking() {
  const asked: ApprovalRequest[] = [];
  const approval = async (request: ApprovalRequest) => ({ allowed: asked.push(request) > 0 });
  const changes = () => asked.at(-1)?.changes ?? [];
  return { ...managedProject({}, { approval }), asked, approval, changes };
}
