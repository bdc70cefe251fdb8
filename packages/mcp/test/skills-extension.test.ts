import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test, vi } from "vitest";
import { exampleServer, greeter, REVISIONS } from "./example-host.js";

describe.each(REVISIONS)("with a client of revision %s", (revision) => {
  test("skills are listed with digests and sizes, and each file is read and verified (MCP-15)", async () => {
    const client = await (await exampleServer()).connect(revision);
    const skills = new SkillsClient(client);
    expect([skills.supported, skills.directoryRead]).toEqual([true, true]);
    const { skills: listed, invalid } = await skills.list();
    expect(invalid).toEqual([]);
    expect(listed.map(({ uri }) => uri)).toEqual(["skill://greeter/SKILL.md", "skill://stranger/SKILL.md"]);
    const [first] = listed;
    if (!first || first.resources === "dynamic") throw new Error("No complete entry.");
    expect(first.frontmatter).toMatchObject({ name: "greeter", description: "Greets everybody in a list." });
    for (const { uri } of first.resources) {
      const { bytes, verified } = await skills.read(first, uri);
      expect(verified).toBe(true);
      const path = uri.slice("skill://greeter/".length) as keyof typeof greeter;
      expect(Buffer.from(bytes).toString("utf8")).toBe(greeter[path]);
    }
    const { resources } = await skills.readDirectory("skill://greeter");
    expect(resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
      ["skill://greeter/SKILL.md", undefined],
      ["skill://greeter/docs", "inode/directory"],
      ["skill://greeter/scripts", "inode/directory"],
    ]);
    await expect(skills.readDirectory("skill://greeter/none")).rejects.toThrow();
    await expect(skills.get("skill://none/SKILL.md")).rejects.toThrow("No skill is served");
  });

  test("a client without the extension finds each SKILL.md among the resources", async () => {
    const client = await (await exampleServer()).connect(revision);
    expect((await client.listResources()).resources).toMatchObject([
      { uri: "skill://greeter/SKILL.md", name: "greeter", description: "Greets everybody in a list." },
      { uri: "skill://stranger/SKILL.md", name: "stranger" },
    ]);
    const [file] = (await client.readResource({ uri: "skill://greeter/SKILL.md" })).contents;
    expect(file).toMatchObject({ text: greeter["SKILL.md"] });
  });
});

test("200 skills are listed in pages, and listing opens no file (MCP-15)", async () => {
  const names = Array.from({ length: 200 }, (_, at) => `skill-${String(at).padStart(3, "0")}`);
  const text = (name: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\nDo it.\n`;
  const repository = memoryRepository({
    skills: Object.fromEntries(names.map((name) => [name, { "SKILL.md": text(name), "a.txt": "a" }])),
  });
  const skills = skillBox({ own: repository });
  const client = await (await exampleServer({ skills })).connect();
  const open = vi.spyOn(repository, "open");
  const { skills: listed } = await new SkillsClient(client).list();
  expect(listed.map(({ uri }) => uri)).toEqual(names.map((name) => `skill://${name}/SKILL.md`));
  const page = await new SkillsClient(client).list({ cursor: "skill-049" });
  expect(page.skills).toHaveLength(50);
  expect(page.nextCursor).toBe("skill-099");
  expect(open).not.toHaveBeenCalled();
});

test("a file that is too large for one resource is refused with the way to read it (MCP-03)", async () => {
  const large = { ...greeter, "data.txt": "x".repeat(6 * 1024 * 1024 + 1) };
  const skills = skillBox({ own: memoryRepository({ skills: { greeter: large } }) });
  const client = await (await exampleServer({ skills })).connect();
  await expect(client.readResource({ uri: "skill://greeter/data.txt" })).rejects.toThrow(
    "The file has more than the 6291456 bytes that one resource may have. Read it in parts with skill_read, or use a command.",
  );
});
