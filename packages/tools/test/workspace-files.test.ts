import { skillTools } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { callContext, caller, exampleCatalog, refusalOf, session } from "./example-skills.js";
import { realWorkspaces } from "./real-workspaces.js";

async function setUp() {
  const skills = exampleCatalog();
  return caller(skillTools({ skills, workspaces: await realWorkspaces(skills) }));
}

describe("the tools for files", () => {
  test("write, list and read the same workspace that commands see", async () => {
    const call = await setUp();
    const written = await call("workspace_write", { path: "work/inputs/name.txt", content: "Ada" });
    expect(written.output).toEqual({ path: "work/inputs/name.txt", size_bytes: 3, mime_type: "text/plain" });
    const run = { skill: "greeter", command: "sh scripts/greet.sh inputs/name.txt > out/hi.txt" };
    expect((await call("skill_run", run)).isError).toBe(false);
    expect((await call("workspace_list", {})).output).toEqual({
      files: [
        { path: "out/hi.txt", size_bytes: 11, mime_type: "text/plain" },
        { path: "work/inputs/name.txt", size_bytes: 3, mime_type: "text/plain" },
      ],
    });
    expect((await call("workspace_list", { path: "out" })).output).toMatchObject({
      files: [{ path: "out/hi.txt" }],
    });
    expect((await call("workspace_read", { path: "out/hi.txt" })).output).toEqual({
      path: "out/hi.txt",
      content: "Hello, Ada\n",
    });
  });

  test.each([1, 2, 3])("parts of %i bytes split no longer character", async (limit) => {
    const call = await setUp();
    await call("workspace_write", { path: "work/a.txt", content: "aé🙂z" });
    let read = "";
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { output } = await call("workspace_read", { path: "work/a.txt", offset, max_bytes: limit });
      const part = output as { content: string; next_offset?: number };
      read += part.content;
      offset = part.next_offset;
    }
    expect(read).toBe("aé🙂z");
  });

  test("a long file is read in parts that join without a broken character", async () => {
    const call = await setUp();
    const text = "aé🙂".repeat(50);
    await call("workspace_write", { path: "work/long.txt", content: text });
    let read = "";
    let offset: number | undefined = 0;
    let parts = 0;
    while (offset !== undefined) {
      const input = { path: "work/long.txt", offset, max_bytes: 33 };
      const output = (await call("workspace_read", input)).output as {
        content: string;
        next_offset?: number;
      };
      read += output.content;
      offset = output.next_offset;
      parts++;
    }
    expect(read).toBe(text);
    expect(parts).toBeGreaterThan(10);
  });

  test.each(["../x.txt", "/etc/passwd", "skills/greeter/SKILL.md"])(
    "nothing is written to %s",
    async (path) => {
      const call = await setUp();
      expect(refusalOf(await call("workspace_write", { path, content: "x" })).code).toBe("PATH_OUTSIDE");
    },
  );

  test("a missing file, or one that is not text, is refused by name", async () => {
    const call = await setUp();
    expect(refusalOf(await call("workspace_read", { path: "out/none.txt" }))).toMatchObject({
      code: "FILE_NOT_FOUND",
      message: expect.stringContaining("out/none.txt"),
    });
    await call("workspace_run", { command: "printf 'a\\0b' > out/a.bin" });
    expect(refusalOf(await call("workspace_read", { path: "out/a.bin" })).message).toContain(
      "not UTF-8 text",
    );
  });

  test("another session sees none of it", async () => {
    const call = await setUp();
    await call("workspace_write", { path: "out/mine.txt", content: "x" });
    const other = callContext({ session: { ...session, session: "s2" } });
    expect((await call("workspace_list", {}, other)).output).toEqual({ files: [] });
  });
});

test("workspace_run runs in the workspace's root", async () => {
  const call = await setUp();
  const { output } = await call("workspace_run", { command: "ls; echo done > out/a.txt" });
  expect(output).toMatchObject({ exit_code: 0, cwd: ".", output_files: [{ name: "out/a.txt" }] });
  expect((output as { stdout: string }).stdout.split("\n")).toEqual(expect.arrayContaining(["out", "work"]));
});
