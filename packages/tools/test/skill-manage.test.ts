import { parseSkill, readBytes } from "@skillwright/core";
import { skillTools } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { refusalOf, skillFile } from "./example-skills.js";
import { demo, output, managedProject as setUp } from "./managed-project.js";

describe("skill_manage", () => {
  test("create without a scope writes to the project and is listed at once (EDIT-04)", async () => {
    const { act, listed, project, text } = setUp();
    expect(await listed()).toEqual(["hers", "own"]);
    const made = await act({ action: "create", ...demo });
    expect(output(made)).toMatchObject({ action: "create", name: "demo-skill", scope: "project" });
    expect((await project.list()).skills.map(({ name }) => name)).toContain("demo-skill");
    expect(await listed()).toEqual(["demo-skill", "hers", "own"]);
    const { skill } = parseSkill(await text("demo-skill"), { directoryName: "demo-skill" });
    expect(skill).toMatchObject({ ...demo });
  });

  test("create with reload: false is stored, and listed after a reload (EDIT-05)", async () => {
    const { act, listed, skills } = setUp();
    await listed();
    await act({ action: "create", ...demo, reload: false });
    expect((await skills.load("demo-skill")).source).toBe("project");
    expect(await listed()).toEqual(["hers", "own"]);
    await act({ action: "reload" });
    expect(await listed()).toEqual(["demo-skill", "hers", "own"]);
  });

  test("update of the description keeps the body byte for byte (EDIT-07)", async () => {
    const { act, text } = setUp();
    const body = (await text("own")).split("---\n").at(-1);
    expect((await act({ action: "update", name: "own", description: "Use when: reviewing" })).isError).toBe(
      false,
    );
    const after = await text("own");
    expect(after).toContain('description: "Use when: reviewing"');
    expect(after.split("---\n").at(-1)).toBe(body);
    expect(await text("own", "references/a.md")).toBe("alpha beta alpha");
  });

  test("update of the description keeps every other byte of the header, or is refused", async () => {
    const { act, text, project } = setUp();
    const file = (description: string) =>
      `---\nname: rich # as the folder\n# why\ndescription: ${description}\nlicense: [MIT]\nversion: 1.10\nbuild: 12345678901234567890\ntriggers:\n- keyword\nopenclaw: {a: 1}\n---\nText.\n`;
    await project.upload([{ path: "SKILL.md", content: file("Old.") }]);
    await act({ action: "reload" });
    expect((await act({ action: "update", name: "rich", description: "New: text" })).isError).toBe(false);
    expect(await text("rich")).toBe(file('"New: text"'));
    await project.upload([{ path: "SKILL.md", content: file("&a Old.\nother: *a") }]);
    await act({ action: "reload" });
    const refusal = refusalOf(await act({ action: "update", name: "rich", description: "New." }));
    expect(refusal).toMatchObject({ code: "INPUT_INVALID" });
    expect(await text("rich")).toBe(file("&a Old.\nother: *a"));
  });

  test("update of the body keeps the header byte for byte", async () => {
    const { act, text } = setUp();
    const header = (await text("own")).split("First")[0];
    await act({ action: "update", name: "own", body: "New text." });
    expect(await text("own")).toBe(`${header}\nNew text.\n`);
  });

  test("skill_list does not change with the disk until a reload (EDIT-06)", async () => {
    const { act, listed, project } = setUp();
    const before = await listed();
    await project.upload([{ path: "SKILL.md", content: skillFile("foreign") }]);
    expect(await listed()).toEqual(before);
    await act({ action: "reload" });
    expect(await listed()).toEqual(["foreign", "hers", "own"]);
  });

  test("list and get return scope, body, files and digest; delete deletes", async () => {
    const { act, listed } = setUp();
    expect(output(await act({ action: "list" }))["skills"]).toEqual([
      { name: "hers", description: "Does hers things.", scope: "user" },
      { name: "own", description: "Does own things.", scope: "project" },
    ]);
    expect(output(await act({ action: "get", skill: "own" }))).toMatchObject({
      scope: "project",
      body: expect.stringContaining("Second"),
      files: ["SKILL.md", "references/a.md"],
      digest: expect.stringMatching(/^sha256:/),
    });
    await act({ action: "delete", name: "own" });
    expect(await listed()).toEqual(["hers"]);
  });

  test("a change of a skill of another scope is refused with its location", async () => {
    const { act } = setUp();
    const refusal = refusalOf(await act({ action: "update", name: "hers", description: "x" }));
    expect(refusal.message).toContain('The active skill "hers" is in "user", not in "project"');
    const input = { action: "update", scope: "user", name: "hers", description: "Mended." };
    expect((await act(input)).isError).toBe(false);
  });

  test.each([
    [{ action: "create", name: "x" }, "create needs name, description, body. Missing: description, body."],
    [{ action: "get" }, "get needs name. Missing: name."],
    [{ action: "update", name: "own" }, "update needs description, body or both."],
    [{ action: "create", ...demo, name: "own" }, 'A skill "own" already exists in "project"'],
    [{ action: "create", ...demo, name: "../x" }, '"../x" is not a valid skill name'],
    [{ action: "delete", name: "nobody" }, 'There is no skill "nobody"'],
    [{ action: "create", ...demo, scope: "root" }, "project or user; default project"],
    [{ action: "burn" }, "One of list, get"],
  ])("%j is refused: %s", async (input, message) => {
    const { act, listed } = setUp();
    expect(refusalOf(await act(input)).message).toContain(message);
    expect(await listed()).toEqual(["hers", "own"]);
  });

  test("requires a writable catalogue, and proposals where changes wait", () => {
    const { skills } = setUp();
    const { upload: _, ...readable } = skills;
    expect(() => skillTools({ skills: readable, manage: true })).toThrow(/writable catalogue/);
    expect(() => skillTools({ skills, manage: { review: "later" } })).toThrow(/to store the waiting changes/);
  });
});

describe("edits of single files", () => {
  test("a patch whose text occurs more than once is refused unless all are meant (EDIT-08)", async () => {
    const { act, text } = setUp();
    const patch = {
      action: "patch",
      name: "own",
      path: "references/a.md",
      old_text: "alpha",
      new_text: "gamma",
    };
    expect(refusalOf(await act(patch)).message).toContain("2 times");
    expect(await text("own", "references/a.md")).toBe("alpha beta alpha");
    await act({ ...patch, replace_all: true });
    expect(await text("own", "references/a.md")).toBe("gamma beta gamma");
    expect(refusalOf(await act(patch)).message).toContain("not in references/a.md");
  });

  test("a patch of SKILL.md changes only that place", async () => {
    const { act, text } = setUp();
    const before = await text("own");
    await act({ action: "patch", name: "own", old_text: "First", new_text: "1st $&" });
    expect(await text("own")).toBe(before.replace("First", () => "1st $&"));
  });

  test("a file that is not text is not patched, and stays unchanged", async () => {
    const { act, project, skills } = setUp();
    const picture = Uint8Array.of(0x61, 0xff, 0x62);
    await project.upload([
      { path: "SKILL.md", content: skillFile("drawn") },
      { path: "assets/picture.png", content: picture },
    ]);
    const patch = {
      action: "patch",
      name: "drawn",
      path: "assets/picture.png",
      old_text: "a",
      new_text: "b",
    };
    expect(refusalOf(await act(patch)).message).toContain("is not UTF-8 text");
    await act({ action: "update", name: "drawn", body: "New." });
    expect(await readBytes(await skills.open("drawn", "assets/picture.png"), 10)).toEqual(picture);
  });

  test.each([
    ["bin/run.sh", "Put files below references/, templates/, scripts/, assets/"],
    ["notes.md", "Put files below"],
    ["/etc/passwd", "absolute"],
    ["../other/SKILL.md", 'leaves its folder through ".."'],
    ["scripts/.hidden", "has a hidden part"],
    [".git/hooks/x", "has a hidden part"],
    ["scripts", "is not an allowed place"],
  ])("a file at %s is refused (EDIT-10)", async (path, message) => {
    const { act, skills } = setUp();
    const before = (await skills.load("own")).digest;
    expect(refusalOf(await act({ action: "write_file", name: "own", path, content: "x" })).message).toContain(
      message,
    );
    expect((await skills.load("own")).digest).toBe(before);
  });

  test("files are written and removed, and SKILL.md stays", async () => {
    const { act, text, skills } = setUp();
    await act({ action: "write_file", name: "own", path: "scripts/x.sh", content: "echo x\n" });
    expect(await text("own", "scripts/x.sh")).toBe("echo x\n");
    await act({ action: "remove_file", name: "own", path: "references/a.md" });
    expect((await skills.load("own")).manifest.files.map(({ path }) => path)).toEqual([
      "SKILL.md",
      "scripts/x.sh",
    ]);
    expect(refusalOf(await act({ action: "remove_file", name: "own", path: "SKILL.md" })).message).toContain(
      "Delete the skill",
    );
    expect(refusalOf(await act({ action: "remove_file", name: "own", path: "assets/no" })).message).toContain(
      "Files other than SKILL.md: scripts/x.sh",
    );
  });

  test("a SKILL.md that would be broken or renamed is refused and nothing changes", async () => {
    const { act, text } = setUp();
    const before = await text("own");
    for (const content of ["no header", skillFile("another")])
      expect(
        refusalOf(await act({ action: "write_file", name: "own", path: "SKILL.md", content })).code,
      ).toBe("SKILL_INVALID");
    expect(await text("own")).toBe(before);
  });
});

test("with enabled: false there are no skill tools (TOOL-07)", () => {
  const { skills } = setUp();
  expect(skillTools({ skills, manage: true, search: true, enabled: false })).toEqual([]);
});
