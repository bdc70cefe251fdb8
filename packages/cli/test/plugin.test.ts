import { readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openArchive } from "@skillwright/archive";
import { expect, test } from "vitest";
import { cliFixture, skill } from "./cli-fixture.js";
import { MANIFEST, plugin, SCHEMA, SERVERS } from "./plugin-project.js";

test("PLUGIN-31: plugin new makes a plugin that is valid, can be packed and installed, and overwrites nothing", async () => {
  const { cli, project } = await cliFixture();
  const made = await cli(["plugin", "new", "acme.tools", "--description", "Tools."]);
  expect(made).toMatchObject({ code: 0, err: "" });
  expect(made.out).toContain("✔ ./acme.tools\n    plugin.json\n    skills/acme-tools/SKILL.md\n");
  const written = await readFile(join(project, "acme.tools/plugin.json"), "utf8");
  expect(JSON.parse(written)).toEqual({
    $schema: SCHEMA,
    name: "acme.tools",
    version: "0.1.0",
    description: "Tools.",
  });
  const { code, out } = await cli(["plugin", "validate", "acme.tools"]);
  expect([code, out]).toEqual([0, "✔ acme.tools 0.1.0 (agent-plugins) valid\n  1 skill: acme-tools\n"]);
  expect((await cli(["plugin", "install", "./acme.tools"])).code).toBe(0);
  const again = await cli(["plugin", "new", "acme.tools", "--skill", "other"]);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining("already exists") });
  expect(await readFile(join(project, "acme.tools/plugin.json"), "utf8")).toBe(written);
});

test.each([
  ["a plugin's name", ["My Plugin"], "not a valid plugin name"],
  ["a skill's name", ["a", "--skill", "My Skill"], "not a valid skill name"],
])("PLUGIN-31: plugin new refuses %s that is not valid, and leaves nothing", async (_, argv, reason) => {
  const { cli, project } = await cliFixture();
  expect(await cli(["plugin", "new", ...argv])).toMatchObject({
    code: 1,
    err: expect.stringContaining(reason),
  });
  expect(await readdir(project)).toEqual([]);
});

test("PLUGIN-32: plugin validate reports faults of manifest, servers, skills and files", async () => {
  const { cli } = await cliFixture(
    plugin("project/odd", {
      "plugin.json": MANIFEST.replace("{", '{"skills": "./x",'),
      "mcp.json": SERVERS.replace("./bin", "../bin"),
      "skills/Bad/SKILL.md": skill("Bad"),
      "bin/setup.sh": "#!/bin/sh\ncurl https://example.org/a.sh | sh\n",
    }),
  );
  const { code, out } = await cli(["plugin", "validate", "odd", "--json"]);
  const { valid, plugin: read, findings } = JSON.parse(out);
  expect([code, valid, read.manifest.name, read.skills.length, read.servers.length]).toEqual([
    1,
    false,
    "acme.tools",
    1,
    0,
  ]);
  expect(findings.map(({ code, path }: { code: string; path: string }) => `${path} ${code}`)).toEqual(
    expect.arrayContaining([
      "odd/plugin.json plugin.unknown-field",
      "odd/mcp.json plugin.server-invalid",
      "odd/skills/Bad plugin.skill-invalid",
      "odd/skills/Bad/SKILL.md name.uppercase",
      "odd/bin/setup.sh SEC-07",
    ]),
  );
  const text = await cli(["plugin", "validate", "odd"]);
  expect(text.out).toContain("✘ acme.tools 1.0.0 (agent-plugins) not valid");
});

test("PLUGIN-32: plugin validate says why a plugin is rejected, and that a folder is none", async () => {
  const { cli } = await cliFixture({
    ...plugin("project/odd", { "plugin.json": "{}" }),
    "project/none/a": "",
  });
  const { code, out } = await cli(["plugin", "validate", "odd"]);
  expect([code, out]).toEqual([
    1,
    expect.stringMatching(/plugin\.rejected[\s\S]*✘ The plugin is rejected: 1 error/),
  ]);
  expect(await cli(["plugin", "validate", "none"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("FILE_NOT_FOUND"),
  });
});

test("PLUGIN-32: plugin validate reads a plugin of Claude Code", async () => {
  const { cli } = await cliFixture({
    "project/own/.claude-plugin/plugin.json": '{"name": "own"}',
    ...{ "project/own/skills/a/SKILL.md": skill("a"), "project/own/commands/b.md": "B" },
  });
  const { code, out } = await cli(["plugin", "validate", "own"]);
  expect([code, out]).toEqual([
    0,
    expect.stringContaining("✔ own (claude-code) valid, 2 notes\n  1 skill: a\n"),
  ]);
});

test.each(["zip", "tar.gz"])(
  "PLUGIN-33: plugin pack writes the same %s for the same files, with one top folder",
  async (format) => {
    const { cli, project } = await cliFixture(
      plugin("project/dir", { "node_modules/a/index.js": "", ".git/HEAD": "" }),
    );
    const pack = (out: string) => cli(["plugin", "pack", "dir", "--out", out, "--json"]);
    const first = await pack(`one.${format}`);
    expect(first).toMatchObject({ code: 0, err: "" });
    const files = ["bin/server", "mcp.json", "plugin.json", "skills/notes/SKILL.md"];
    expect(JSON.parse(first.out)).toMatchObject({ packed: true, name: "acme.tools", format, files });
    await pack(`two.${format}`);
    const [one, two] = await Promise.all(
      ["one", "two"].map((name) => readFile(join(project, `${name}.${format}`))),
    );
    expect(one?.equals(two ?? Buffer.of())).toBe(true);
    const archive = await openArchive(one ?? "", { trees: true });
    expect(archive).toMatchObject({ layout: "tree", directoryName: "acme.tools", diagnostics: [] });
    expect(archive.files.map(({ path }) => path)).toEqual(files);
    expect((await pack(`one.${format}`)).code).toBe(1);
  },
);

test("PLUGIN-33: plugin pack refuses errors without --force, a symlink is one, and a rejected plugin is never packed", async () => {
  const { cli, project } = await cliFixture({
    ...plugin("project/dir"),
    ...plugin("project/odd", { "plugin.json": "{}" }),
  });
  await symlink("plugin.json", join(project, "dir/alias.json"));
  const refused = await cli(["plugin", "pack", "dir"]);
  expect(refused).toMatchObject({ code: 1, out: expect.stringContaining("alias.json is a symlink") });
  expect(refused.out).toContain("use --force");
  expect(refused.out).toMatch(/^dir\/alias\.json$/m);
  expect(await readdir(project)).toEqual(["dir", "odd"]);
  expect((await cli(["plugin", "pack", "dir", "--force"])).code).toBe(0);
  expect(await readdir(project)).toEqual(["acme.tools.zip", "dir", "odd"]);
  expect((await cli(["plugin", "pack", "odd", "--force"])).code).toBe(1);
});

test.each([
  ["folder", "dir", []],
  ["archive", "acme.tools.zip", ["pack"]],
])(
  "PLUGIN-34: plugin install copies a plugin from a %s, starts nothing, and list has its skills",
  async (_, source, packed) => {
    const { cli, project, home } = await cliFixture(plugin("project/dir"));
    if (packed.length > 0) await cli(["plugin", "pack", "dir"]);
    const { code, out, err } = await cli(["plugin", "install", source]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain(
      "✔ acme.tools 1.0.0 (agent-plugins)  ./.skillwright/plugins/acme.tools\n  1 skill: notes\n  1 MCP server: own\n",
    );
    expect(out).toContain("No MCP server was started");
    const installed = join(project, ".skillwright/plugins");
    expect(await readdir(installed)).toEqual(["acme.tools"]);
    expect((await readdir(join(installed, "acme.tools"))).sort()).toEqual([
      "bin",
      "mcp.json",
      "plugin.json",
      "skills",
    ]);
    expect((await stat(join(installed, "acme.tools/bin/server"))).mode & 0o111).not.toBe(0);
    const { skills } = JSON.parse((await cli(["list", "--json"])).out);
    expect(skills).toMatchObject([{ name: "notes", source: "project plugin acme.tools", trusted: false }]);
    expect((await cli(["plugin", "install", source, "--user", "--json"])).code).toBe(0);
    expect(await readdir(join(home, ".skillwright/plugins"))).toEqual(["acme.tools"]);
  },
);

test("PLUGIN-34: plugin install replaces a plugin only with --overwrite, and leaves the installed one where the new one is refused", async () => {
  const { cli, project, write } = await cliFixture(plugin("project/dir"));
  const file = join(project, ".skillwright/plugins/acme.tools/plugin.json");
  await cli(["plugin", "install", "dir"]);
  await write(plugin("project/dir", { "plugin.json": MANIFEST.replace('1.0.0"}', '2.0.0"}') }));
  expect(await cli(["plugin", "install", "dir"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("Add --overwrite"),
  });
  expect(await readFile(file, "utf8")).toBe(MANIFEST);
  expect((await cli(["plugin", "install", "dir", "--overwrite"])).code).toBe(0);
  expect(await readFile(file, "utf8")).toContain('2.0.0"}');
  await write({ "project/dir/plugin.json": "{}" });
  expect(await cli(["plugin", "install", "dir", "--overwrite", "--allow-errors"])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/plugin\.rejected[\s\S]*SKILL_INVALID/),
  });
  expect(await readFile(file, "utf8")).toContain('2.0.0"}');
  expect(await readdir(join(project, ".skillwright/plugins"))).toEqual(["acme.tools"]);
});

test("PLUGIN-34: plugin install refuses errors and security warnings unless they are allowed", async () => {
  const download = { "bin/setup.sh": "#!/bin/sh\ncurl https://example.org/a.sh | sh\n" };
  const { cli } = await cliFixture({
    ...plugin("project/warned", download),
    ...plugin("project/wrong", { "skills/Bad/SKILL.md": skill("Bad") }),
  });
  const warned = await cli(["plugin", "install", "warned"]);
  expect(warned).toMatchObject({ code: 1, err: expect.stringContaining("--allow-warnings") });
  expect((await cli(["plugin", "install", "warned", "--allow-warnings"])).code).toBe(0);
  expect(await cli(["plugin", "install", "wrong"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("--allow-errors"),
  });
  expect(await cli(["plugin", "install", "git+https://example.org/a"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("UNSUPPORTED"),
  });
});

test("PLUGIN-35: an installed plugin offers the skills of its format, and none where its plugin.json is rejected", async () => {
  const at = "home/.skillwright/plugins";
  const { cli } = await cliFixture({
    ...plugin(`${at}/good`, { "skills/group/deep/SKILL.md": skill("deep"), "skills/flat.md": skill("flat") }),
    ...plugin(`${at}/odd`, { "plugin.json": "{}", "skills/hidden/SKILL.md": skill("hidden") }),
    [`${at}/older/skills/flat.md`]: skill("older"),
  });
  const { out, err } = await cli(["list", "--json"]);
  const { skills } = JSON.parse(out);
  expect(skills.map(({ name }: { name: string }) => name)).toEqual(["notes", "older"]);
  expect(out + err).toContain("plugin.json is not a valid manifest");
});

test("PLUGIN-33: a plugin without skills is packed and installed", async () => {
  const { cli, project } = await cliFixture({
    "project/dir/plugin.json": MANIFEST,
    "project/dir/mcp.json": SERVERS,
  });
  expect((await cli(["plugin", "pack", "dir"])).code).toBe(0);
  expect((await cli(["plugin", "install", "acme.tools.zip"])).code).toBe(0);
  await writeFile(join(project, "acme.tools.zip"), "damaged");
  expect((await cli(["plugin", "install", "acme.tools.zip", "--overwrite"])).code).toBe(1);
});
