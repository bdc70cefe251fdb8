import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fsRepository } from "@skillwright/repository-fs";
import { skillBox } from "@skillwright/skillbox";
import { skillTools } from "@skillwright/tools";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { caller, refusalOf, skillFile } from "./example-skills.js";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "skillwright-names-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
});

describe("EDIT-24: a loaded skill can be changed under its name, even if the standard refuses that name", () => {
  test.each([
    ["folder", "code_reviewer"],
    ["folder", "Code Reviewer"],
    ["file", "code_reviewer"],
  ] as const)("a %s with the skill %s", async (place, name) => {
    const file = place === "folder" ? join(root, "some-folder/SKILL.md") : join(root, `${name}.md`);
    if (place === "folder") mkdirSync(join(root, "some-folder"));
    writeFileSync(file, skillFile(name, "", "Old text."));
    const act = actor(place === "file");
    const text = () => readFileSync(file, "utf8");
    const isDone = async (input: object) =>
      expect(await act({ name, ...input })).toMatchObject({ isError: false });

    await isDone({ action: "update", description: "Use when reviewing." });
    expect(text()).toContain('description: "Use when reviewing."');
    await isDone({ action: "patch", old_text: "Old text.", new_text: "New text." });
    expect(text()).toContain("New text.");
    await isDone({ action: "rollback", version: "1" });
    expect(text()).toContain("Old text.");
    if (place === "folder") {
      await isDone({ action: "write_file", path: "references/a.md", content: "More." });
      expect(readFileSync(join(root, "some-folder/references/a.md"), "utf8")).toBe("More.");
      await isDone({ action: "remove_file", path: "references/a.md" });
    }
    await isDone({ action: "delete" });
    await isDone({ action: "restore" });
    expect(text()).toContain("Old text.");
    expect(readdirSync(root).filter((entry) => !entry.startsWith("."))).toEqual([
      place === "folder" ? "some-folder" : `${name}.md`,
    ]);
  });

  test("a second file for a skill that is a single file is refused with the remedy", async () => {
    writeFileSync(join(root, "code_reviewer.md"), skillFile("code_reviewer"));
    const act = actor(true);
    const input = { action: "write_file", name: "code_reviewer", path: "references/a.md", content: "More." };
    expect(refusalOf(await act(input))).toMatchObject({
      code: "UNSUPPORTED",
      message: expect.stringContaining("Move it to code_reviewer/SKILL.md"),
    });
    expect(readdirSync(root).filter((entry) => !entry.startsWith("."))).toEqual(["code_reviewer.md"]);
  });

  test("a new name must be one that the standard allows", async () => {
    const act = actor(false);
    const input = { action: "create", name: "code_reviewer", description: "Reviews.", body: "Text." };
    expect(refusalOf(await act(input)).message).toContain('"code_reviewer" is not a valid skill name');
  });
});

function actor(flat: boolean) {
  const skills = skillBox({ project: fsRepository({ root, flat, cache: false }) });
  const call = caller(skillTools({ skills, preset: "activate", manage: { review: "none" } }));
  return (input: object) => call("skill_manage", input);
}
