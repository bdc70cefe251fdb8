import { readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placePlugin } from "../src/plugin/place-plugin.js";
import { cliFixture, skill } from "./cli-fixture.js";
import { MANIFEST, plugin } from "./plugin-project.js";

test("PLUGIN-34: plugin install tells findings that did not prevent it, in text and in JSON", async () => {
  const { cli } = await cliFixture(
    plugin("project/odd", { "plugin.json": MANIFEST.replace("{", '{"skills": "./x",') }),
  );
  expect(await cli(["plugin", "install", "odd"])).toMatchObject({
    code: 0,
    err: expect.stringContaining("plugin.unknown-field"),
  });
  const { findings } = JSON.parse((await cli(["plugin", "install", "odd", "--overwrite", "--json"])).out);
  expect(findings).toContainEqual(expect.objectContaining({ code: "plugin.unknown-field" }));
  const packed = await cli(["plugin", "pack", "odd"]);
  expect(packed.out).toContain('1 warning, 1 note: run "skillwright plugin validate"');
});

test("PLUGIN-34: plugin install names the given source where it is no plugin, and reports what it cannot write", async () => {
  const { cli } = await cliFixture({
    ...plugin("project/dir"),
    ...{ "project/none/a": "", "home/.skillwright": "" },
  });
  const none = await cli(["plugin", "install", "none"]);
  expect(none.err).toContain("error none is not a plugin: it has no plugin.json.");
  const { code, out } = await cli(["plugin", "install", "dir", "--user", "--json"]);
  expect([code, JSON.parse(out).error.code]).toEqual([1, "BACKEND_FAILED"]);
});

test("PLUGIN-34: plugin install that is interrupted leaves the installed plugin and nothing else", async () => {
  const { cli, project } = await cliFixture(plugin("project/dir"));
  await cli(["plugin", "install", "dir"]);
  await writeFile(join(project, "dir/new.txt"), "new");
  const signal = AbortSignal.abort();
  const { code, err } = await cli(["plugin", "install", "dir", "--overwrite"], { signal });
  expect([code, err]).toEqual([130, expect.stringContaining("ABORTED")]);
  const installed = join(project, ".skillwright/plugins");
  expect(await readdir(installed)).toEqual(["acme.tools"]);
  expect(await readdir(join(installed, "acme.tools"))).not.toContain("new.txt");
});

test("PLUGIN-34: one of several plugins that replace the same one at once stays, and the others say so", async () => {
  const { project } = await cliFixture(
    Object.assign({}, ...Array.from({ length: 20 }, (_, n) => plugin(`project/${n}`))),
  );
  const target = join(project, "target");
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) =>
      placePlugin(join(project, String(n)), target, { overwrite: true, aside: join(project, `aside-${n}`) }),
    ),
  );
  for (const result of results)
    if (result.status === "rejected")
      expect(result.reason).toMatchObject({ name: "SkillError", code: "CONFLICT" });
  expect((await readdir(target)).sort()).toEqual(["bin", "mcp.json", "plugin.json", "skills"]);
});

test("PLUGIN-33: a plugin that is developed in its own project contains neither its archive nor what is installed there", async () => {
  const { cli, project } = await cliFixture(plugin("project"));
  const digest = async (argv: string[]) =>
    JSON.parse((await cli(["plugin", "pack", ".", "--json", ...argv])).out).digest;
  const first = await digest([]);
  expect((await cli(["plugin", "install", "."])).code).toBe(0);
  expect((await cli(["plugin", "install", ".", "--overwrite"])).code).toBe(0);
  const installed = join(project, ".skillwright/plugins/acme.tools");
  expect((await readdir(installed)).sort()).toEqual([
    ...["acme.tools.zip", "bin", "mcp.json", "plugin.json", "skills"],
  ]);
  expect(await digest(["--overwrite"])).toBe(first);
});

test("PLUGIN-35, PLUGIN-06: an installed plugin offers no skill from outside of it", async () => {
  const at = "project/.skillwright/plugins";
  const { cli, project } = await cliFixture({
    ...{ [`${at}/linked/plugin.json`]: MANIFEST, "project/other/skills/out/SKILL.md": skill("out") },
    ...plugin(`${at}/good`, { "lib/in/SKILL.md": skill("in") }),
  });
  await symlink("../../../other/skills", join(project, ".skillwright/plugins/linked/skills"));
  await symlink("../../../../other/skills/out", join(project, ".skillwright/plugins/good/skills/out"));
  await symlink("../lib/in", join(project, ".skillwright/plugins/good/skills/in"));
  const { out, err } = await cli(["list", "--json"]);
  const names = JSON.parse(out).skills.map(({ name }: { name: string }) => name);
  expect(names).toEqual(["in", "notes"]);
  expect(out + err).toContain("leads out of the plugin");
});

test("a folder of plugins with an unusable name does not prevent listing", async () => {
  const at = "project/.skillwright/plugins";
  const { cli } = await cliFixture({
    ...plugin(`${at}/a\u001b[31m\n b `, { "skills/notes/SKILL.md": skill("notes") }),
    ...plugin(`${at}/good`, { "skills/notes/SKILL.md": skill("other") }),
  });
  const { code, out } = await cli(["list", "--json"]);
  const sources = JSON.parse(out).skills.map(({ source }: { source: string }) => source);
  expect([code, sources.sort()]).toEqual([0, ["project plugin a\\u{1b}[31m b", "project plugin good"]]);
  expect((await cli(["doctor"])).err).toBe("");
});

test("the message of a failure has no control characters", async () => {
  const { cli } = await cliFixture();
  const { err } = await cli(["plugin", "validate", "a\u001b[31m\u009b"]);
  expect(err).toContain("a\\u{1b}[31m\\u{9b} is not a folder");
});

test("PLUGIN-34: plugin install follows no symlink of the project to another folder of plugins", async () => {
  const { cli, project, home } = await cliFixture({
    ...plugin("project/dir"),
    ...{ "project/.skillwright/a": "", "home/.skillwright/plugins/a/b": "" },
  });
  await symlink(join(home, ".skillwright/plugins"), join(project, ".skillwright/plugins"));
  const { code, err } = await cli(["plugin", "install", "dir"]);
  expect([code, err]).toEqual([1, expect.stringContaining("leads out of the project")]);
  expect(await readdir(join(home, ".skillwright/plugins"))).toEqual(["a"]);
});
