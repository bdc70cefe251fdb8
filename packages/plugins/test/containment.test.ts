import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pluginPath, readPlugin } from "../src/index.js";
import { MANIFEST, pluginFolder, servers, skillText } from "./plugin-folder.js";

const OUTSIDE = {
  "../beside/plugin.json": MANIFEST,
  "../beside/mcp.json": servers({ far: { type: "stdio", command: "far" } }),
  "../beside/far/SKILL.md": skillText("far"),
  "../beside/run.mjs": "",
};

describe("PLUGIN-06: a path of the plugin that leads out of it is not used", () => {
  test("a manifest outside rejects the plugin", async () => {
    await using folder = await pluginFolder({ ...OUTSIDE, "plugin.json": { link: "../beside/plugin.json" } });
    await expect(readPlugin(folder.root)).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  });

  test("skills/ and mcp.json outside are components that are left out", async () => {
    await using folder = await pluginFolder({
      ...{ ...OUTSIDE, "plugin.json": MANIFEST },
      ...{ skills: { link: "../beside" }, "mcp.json": { link: "../beside/mcp.json" } },
    });
    const { skills, servers, diagnostics } = await readPlugin(folder.root);
    expect([skills, servers]).toEqual([[], []]);
    expect(diagnostics).toMatchObject([
      { code: "plugin.outside", severity: "error", path: "skills" },
      { code: "plugin.servers-invalid", severity: "error", path: "mcp.json" },
    ]);
  });

  test("a skill, or a SKILL.md, outside leaves out that skill alone", async () => {
    await using folder = await pluginFolder({
      ...{ ...OUTSIDE, "plugin.json": MANIFEST, "skills/here/SKILL.md": skillText("here") },
      ...{
        "skills/far": { link: "../../beside/far" },
        "skills/near/SKILL.md": { link: "../../../beside/far/SKILL.md" },
      },
    });
    const { skills, diagnostics } = await readPlugin(folder.root);
    expect(skills.map(({ name }) => name)).toEqual(["here"]);
    expect(diagnostics).toMatchObject([
      { code: "plugin.outside", path: "skills/far" },
      { code: "plugin.outside", path: "skills/near/SKILL.md" },
    ]);
  });

  test("a command or working directory outside leaves out that server alone", async () => {
    await using folder = await pluginFolder({
      ...{
        ...OUTSIDE,
        "plugin.json": MANIFEST,
        "bin/run.mjs": "",
        "bin/far.mjs": { link: "../../beside/run.mjs" },
      },
      ...{ away: { link: "../beside" } },
      "mcp.json": servers({
        here: { type: "stdio", command: "./bin/run.mjs", cwd: "./bin" },
        up: { type: "stdio", command: "./../beside/run.mjs" },
        link: { type: "stdio", command: "./bin/far.mjs" },
        unmade: { type: "stdio", command: "./away/unmade" },
        cwd: { type: "stdio", command: "node", cwd: "./away" },
      }),
    });
    const { servers: found, diagnostics } = await readPlugin(folder.root);
    expect(found.map(({ name }) => name)).toEqual(["here"]);
    expect(diagnostics.map(({ code, message }) => [code, /"(\w+)"/.exec(message)?.[1]])).toEqual(
      ["up", "link", "unmade", "cwd"].map((name) => ["plugin.server-invalid", name]),
    );
  });

  test("symlinks to other places of the plugin are followed, and the plugin itself may be one", async () => {
    await using folder = await pluginFolder({
      ...{ "plugin.json": { link: "files/manifest.json" }, "files/manifest.json": MANIFEST },
      ...{
        skills: { link: "files/all" },
        "files/all/one": { link: "../one" },
        "files/one/SKILL.md": { link: "text.md" },
      },
      ...{ "files/one/text.md": skillText("one") },
    });
    await symlink(folder.root, join(folder.beside, "alias"));
    const { root, skills, diagnostics } = await readPlugin(join(folder.beside, "alias"));
    expect(root).toBe(folder.root);
    expect(skills).toEqual([{ name: "one", description: "Does one.", path: "skills/one" }]);
    expect(diagnostics).toEqual([]);
  });

  test("no other path of the package is resolved to a place outside", async () => {
    await using folder = await pluginFolder({
      ...{ ...OUTSIDE, "plugin.json": MANIFEST, "files/a": "", away: { link: "../beside" } },
      broken: { link: "none" },
    });
    const plugin = await readPlugin(folder.root);
    expect(await pluginPath(plugin, "./files/a")).toBe(join(folder.root, "files/a"));
    for (const path of ["away", "away/none", "../beside", "files/../../beside", folder.beside])
      await expect(pluginPath(plugin, path)).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
    for (const path of ["none", "broken"])
      await expect(pluginPath(plugin, path)).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
  });
});

test("PLUGIN-07: the folder of a client's extension has no effect, and is found by its namespace", async () => {
  await using folder = await pluginFolder({
    ...{ "plugin.json": MANIFEST, "com.example.client/skills/one/SKILL.md": skillText("one") },
    ...{ "com.example.client/mcp.json": servers({ a: {} }), "com.example.client/plugin.json": "{" },
  });
  const plugin = await readPlugin(folder.root);
  expect(plugin).toMatchObject({ skills: [], servers: [], diagnostics: [] });
  expect(await pluginPath(plugin, "com.example.client")).toBe(join(folder.root, "com.example.client"));
});
