import { createHash } from "node:crypto";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { skillTools } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { caller, greeter, refusalOf } from "./example-skills.js";

const picture = Uint8Array.from({ length: 3000 }, (_, index) => (index * 7) % 256);
const long = "añ€😀".repeat(2000);
const skills = skillBox({
  own: memoryRepository({
    skills: { greeter: { ...greeter, "assets/picture.png": picture, "references/long.txt": long } },
  }),
});
const call = caller(skillTools({ skills, preset: "read" }));
const read = (path: string, more: object = {}) => call("skill_read", { skill: "greeter", path, ...more });

describe("skill_read", () => {
  test("reading SKILL.md returns the body and loads the skill (TOOL-15)", async () => {
    const { output, stateDelta } = await read("SKILL.md");
    expect(output).toMatch(/^<loaded_skill name="greeter" source="own">\nRun/);
    expect(stateDelta).toEqual({ "temp:skill:loaded:greeter": "1" });
  });

  test.each([
    [".", "PATH_INVALID"],
    ["./", "PATH_INVALID"],
    ["/etc/passwd", "PATH_OUTSIDE"],
    ["../x", "PATH_OUTSIDE"],
    ["scripts", "FILE_NOT_FOUND"],
    ["scripts/", "PATH_INVALID"],
  ])("reading %s is refused with %s and loads nothing (TOOL-16)", async (path, code) => {
    const result = await read(path);
    expect(refusalOf(result)).toMatchObject({ code, retry: true });
    expect(result.stateDelta).toEqual({});
  });

  test("the refusal of a missing path names every file, SKILL.md first (TOOL-17)", async () => {
    const { code, message } = refusalOf(await read("scripts/nothing.sh"));
    expect(code).toBe("FILE_NOT_FOUND");
    expect(message).toContain(
      "Its files: SKILL.md, USAGE.md, assets/picture.png, docs/Guide.MD, notes.TXT, references/long.txt, scripts/greet.sh.",
    );
  });

  test("reports that a path is a folder", async () => {
    expect(refusalOf(await read("scripts")).message).toContain(
      '"scripts" is a folder of the skill "greeter"',
    );
  });

  test("the refusal of an unknown skill names it (TOOL-06)", async () => {
    const result = await call("skill_read", { skill: "nobody", path: "SKILL.md" });
    expect(refusalOf(result)).toMatchObject({ code: "SKILL_NOT_FOUND" });
    expect(refusalOf(result).message).toContain('"nobody"');
  });

  test.each([
    [{ path: "SKILL.md" }, 'Missing: "skill"'],
    [{ skill: "", path: "SKILL.md" }, 'Missing: "skill"'],
    [{ skill: " ", path: "SKILL.md" }, 'Missing: "skill"'],
    [{ skill: "greeter" }, 'Missing: "path"'],
    [{ skill: "greeter", path: "" }, 'Missing: "path"'],
    [{ skill: "greeter", path: "  " }, 'Missing: "path"'],
    [{}, 'Missing: "skill" and "path"'],
  ])("of %j names the missing field (TOOL-18)", async (input, message) => {
    expect(refusalOf(await call("skill_read", input))).toMatchObject({ code: "INPUT_INVALID" });
    expect(refusalOf(await call("skill_read", input)).message).toContain(message);
  });

  test("returns text in parts that join to the whole, cut at whole characters", async () => {
    let text = "";
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { output } = await read("references/long.txt", { offset, max_bytes: 1001 });
      const part = output as { content: string; next_offset?: number };
      text += part.content;
      offset = part.next_offset;
    }
    expect(text).toBe(long);
  });

  test("reports a file that is not text, and returns its exact bytes as base64 in parts (TOOL-19)", async () => {
    expect((await read("assets/picture.png")).output).toMatchObject({
      path: "assets/picture.png",
      size_bytes: 3000,
      sha256: createHash("sha256").update(picture).digest("hex"),
      binary: true,
    });
    const first = (await read("assets/picture.png", { encoding: "base64", max_bytes: 1000 })).output;
    const rest = (await read("assets/picture.png", { encoding: "base64", offset: 1000 })).output;
    const bytes = [first, rest].map((part) => Buffer.from((part as { base64: string }).base64, "base64"));
    expect(first).toMatchObject({ next_offset: 1000 });
    expect(rest).not.toHaveProperty("next_offset");
    expect(Buffer.concat(bytes).equals(picture)).toBe(true);
  });

  test("returns SKILL.md itself, including its header, as base64", async () => {
    const { output, stateDelta } = await read("SKILL.md", { encoding: "base64" });
    const text = Buffer.from((output as { base64: string }).base64, "base64").toString();
    expect(text).toBe(greeter["SKILL.md"]);
    expect(stateDelta).toEqual({ "temp:skill:loaded:greeter": "1" });
  });

  test("leaves the instructions to skill_activate where that exists", async () => {
    const other = caller(skillTools({ skills, preset: "activate" }));
    const refusal = refusalOf(await other("skill_read", { name: "greeter", path: "SKILL.md" }));
    expect(refusal.message).toBe('Call skill_activate with "greeter" for its instructions.');
    expect((await other("skill_read", { name: "greeter", path: "USAGE.md" })).output).toMatchObject({
      content: "How to greet.",
    });
    expect(refusalOf(await other("skill_read", { skill: "greeter", path: "x" })).message).not.toContain(
      "SKILL.md",
    );
  });
});
