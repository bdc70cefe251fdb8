import { execFileSync } from "node:child_process";
import { chmod, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { readPlugin } from "../src/index.js";
import { MANIFEST, pluginFolder, servers, skillText } from "./plugin-folder.js";

const SERVERS = servers({ here: { type: "stdio", command: "node" } });

describe("PLUGIN-08: components are looked for in their fixed places alone", () => {
  test("a skill is a folder directly in skills/ with a file that is named exactly SKILL.md", async () => {
    await using folder = await pluginFolder({
      ...{ "plugin.json": MANIFEST, "mcp.json": SERVERS, "SKILL.md": skillText("plugin") },
      ...{ "skills/b/SKILL.md": skillText("b"), "skills/a/SKILL.md": skillText("a") },
      ...{ "skills/group/deep/SKILL.md": skillText("deep"), "skills/a/deep/SKILL.md": skillText("deep") },
      ...{
        "skills/lower/skill.md": skillText("lower"),
        "skills/SKILL.md": skillText("skills"),
        "skills/c.md": skillText("c"),
      },
      ...{
        "more/d/SKILL.md": skillText("d"),
        ".mcp.json": servers({ other: { type: "stdio", command: "x" } }),
      },
    });
    const { skills, servers: found, diagnostics } = await readPlugin(folder.root);
    expect(skills).toEqual([
      { name: "a", description: "Does a.", path: "skills/a" },
      { name: "b", description: "Does b.", path: "skills/b" },
    ]);
    expect(found.map(({ name }) => name)).toEqual(["here"]);
    expect(diagnostics).toEqual([]);
  });
});

describe("PLUGIN-09: a place that does not exist is no fault", () => {
  test("a plugin may have nothing but its manifest", async () => {
    await using folder = await pluginFolder({ "plugin.json": MANIFEST });
    expect(await readPlugin(folder.root)).toMatchObject({ skills: [], servers: [], diagnostics: [] });
  });

  test.each([
    ["a file", ""],
    ["a symlink without target", { link: "none" }],
  ])("skills that are %s are reported, and the servers are read", async (_, skills) => {
    await using folder = await pluginFolder({ "plugin.json": MANIFEST, skills, "mcp.json": SERVERS });
    const plugin = await readPlugin(folder.root);
    expect(plugin.servers).toHaveLength(1);
    expect(plugin.diagnostics).toMatchObject([
      { code: "plugin.skills-invalid", severity: "error", path: "skills" },
    ]);
  });

  test.each([
    ["a folder", { "mcp.json/file": "" }],
    ["a symlink without target", { "mcp.json": { link: "none" } }],
  ])("an mcp.json that is %s is reported, and the skills are read", async (_, files) => {
    await using folder = await pluginFolder({
      "plugin.json": MANIFEST,
      "skills/a/SKILL.md": skillText("a"),
      ...files,
    });
    const plugin = await readPlugin(folder.root);
    expect(plugin.skills).toHaveLength(1);
    expect(plugin.diagnostics).toMatchObject([
      { code: "plugin.servers-invalid", severity: "error", path: "mcp.json" },
    ]);
  });
});

test("PLUGIN-22: components of other types are ignored", async () => {
  await using folder = await pluginFolder({
    ...{ "plugin.json": MANIFEST, "commands/a.md": "A", "agents/a.md": "A", "hooks/hooks.json": "{" },
    ...{
      ".claude-plugin/plugin.json": { name: "other", skills: "./more" },
      "more/a/SKILL.md": skillText("a"),
    },
  });
  expect(await readPlugin(folder.root)).toMatchObject({
    ...{ format: "agent-plugins", manifest: { name: "example" } },
    ...{ skills: [], servers: [], diagnostics: [] },
  });
});

describe("PLUGIN-24: a component that fails does not keep the others from loading", () => {
  test("an invalid skill is left out, with the reasons", async () => {
    await using folder = await pluginFolder({
      ...{ "plugin.json": MANIFEST, "mcp.json": SERVERS, "skills/good/SKILL.md": skillText("good") },
      ...{
        "skills/other/SKILL.md": skillText("name"),
        "skills/empty/SKILL.md": "",
        "skills/folder/SKILL.md/a": "",
      },
      "skills/long/SKILL.md": skillText("long").padEnd(1024 * 1024 + 1),
    });
    await mkdir(join(folder.root, "skills/pipe"));
    execFileSync("mkfifo", [join(folder.root, "skills/pipe/SKILL.md")]);
    const { skills, servers: found, diagnostics } = await readPlugin(folder.root);
    expect(skills.map(({ name }) => name)).toEqual(["good"]);
    expect(found).toHaveLength(1);
    expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ["frontmatter.missing", "skills/empty/SKILL.md"],
      ["plugin.skill-invalid", "skills/empty"],
      ["plugin.skill-invalid", "skills/folder/SKILL.md"],
      ["plugin.skill-invalid", "skills/long/SKILL.md"],
      ["name.directory-mismatch", "skills/other/SKILL.md"],
      ["plugin.skill-invalid", "skills/other"],
      ["plugin.skill-invalid", "skills/pipe/SKILL.md"],
    ]);
  });

  test("a server that cannot be launched does not concern the skills", async () => {
    await using folder = await pluginFolder({
      ...{ "plugin.json": MANIFEST, "skills/a/SKILL.md": skillText("a") },
      "mcp.json": servers({ bad: { type: "stdio" }, unmade: { type: "stdio", command: "./bin/unmade" } }),
    });
    const plugin = await readPlugin(folder.root);
    expect(plugin.skills).toHaveLength(1);
    expect(plugin.servers.map(({ name }) => name)).toEqual(["unmade"]);
  });
});

test("PLUGIN-25: skills and MCP servers are supported", async () => {
  await using folder = await pluginFolder({
    ...{ "plugin.json": MANIFEST, "mcp.json": SERVERS, "skills/a/SKILL.md": skillText("a") },
  });
  const { skills, servers: found } = await readPlugin(folder.root);
  expect([skills.length, found.length]).toEqual([1, 1]);
});

test("PLUGIN-24: a folder of skills that cannot be read is reported, and the others are used", async () => {
  await using folder = await pluginFolder({
    ...{ "plugin.json": MANIFEST, "skills/a/SKILL.md": skillText("a"), "skills/b/SKILL.md": skillText("b") },
  });
  const { skills, diagnostics } = await readWhere(folder.root, "skills/a", 0o000);
  expect(skills).toMatchObject([{ name: "b" }]);
  expect(diagnostics).toMatchObject([{ code: "plugin.skills-invalid", path: "skills/a" }]);
});

test("PLUGIN-24: skills in a folder that may be listed and not entered are reported, each with the reason", async () => {
  await using folder = await pluginFolder({
    ...{ "plugin.json": MANIFEST, "skills/a/SKILL.md": skillText("a"), "skills/b/SKILL.md": skillText("b") },
  });
  const { skills, diagnostics } = await readWhere(folder.root, "skills", 0o444);
  expect(skills).toEqual([]);
  const reported = { code: "plugin.skills-invalid", message: expect.stringContaining("EACCES") };
  expect(diagnostics).toMatchObject([
    { ...reported, path: "skills/a" },
    { ...reported, path: "skills/b" },
  ]);
});

/** Reads a plugin, one folder of which has that mode. Root may read every folder, so the reading program is not root. */
async function readWhere(root: string, folder: string, mode: number) {
  await chmod(dirname(root), 0o755);
  await chmod(join(root, folder), mode);
  const program = `import(${JSON.stringify(new URL("../dist/index.js", import.meta.url))}).then(async ({ readPlugin }) =>
    console.log(JSON.stringify(await readPlugin(${JSON.stringify(root)}))))`;
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  try {
    return JSON.parse(execFileSync(process.execPath, ["-e", program], { ...user, encoding: "utf8" }));
  } finally {
    await chmod(join(root, folder), 0o755);
  }
}
