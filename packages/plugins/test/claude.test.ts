import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { launchOf, readPlugin, type StdioServer } from "../src/index.js";
import { DATA, pluginFolder, ROOT, skillText } from "./plugin-folder.js";

const MANIFEST_PATH = ".claude-plugin/plugin.json";
const CLAUDE_ROOT = `\${CLAUDE_PLUGIN_ROOT}`;
const CLAUDE_DATA = `\${CLAUDE_PLUGIN_DATA}`;

describe("PLUGIN-26: a plugin of Claude Code is read where there is no plugin.json", () => {
  test("with its metadata and the skills of skills/ and of its own paths", async () => {
    const about = { name: "Tools_1", version: "1", author: { name: "A" }, keywords: ["a"] };
    await using folder = await pluginFolder({
      [MANIFEST_PATH]: { ...about, skills: ["./more", "./single/", "./skills"] },
      ...{ "skills/one/SKILL.md": skillText("one"), "more/two/SKILL.md": skillText("two") },
      ...{
        "single/SKILL.md": skillText("other-name"),
        "skills/odd/SKILL.md": skillText("odd").replace("---\n\n", "own: 1\n---\n"),
      },
    });
    const plugin = await readPlugin(folder.root);
    expect(plugin).toMatchObject({ format: "claude-code", manifest: about, servers: [], diagnostics: [] });
    expect(plugin.skills.map(({ path, name }) => [path, name])).toEqual([
      ["more/two", "two"],
      ["single", "other-name"],
      ["skills/odd", "odd"],
      ["skills/one", "one"],
    ]);
  });

  test("with the plugin itself as a skill, and without a second listing of a path", async () => {
    await using folder = await pluginFolder({
      [MANIFEST_PATH]: { name: "a", skills: "./" },
      "SKILL.md": skillText("whole"),
    });
    expect((await readPlugin(folder.root)).skills).toEqual([
      { name: "whole", description: "Does whole.", path: "." },
    ]);
  });

  test.each<[string, unknown]>([
    ["text that is not JSON", "{"],
    ["no object", []],
    ["no name", {}],
    ["a name that is a path", { name: "../a" }],
    ["a version that is no text", { name: "a", version: 1 }],
  ])("it is rejected with %s", async (_, manifest) => {
    await using folder = await pluginFolder({ [MANIFEST_PATH]: manifest });
    await expect(readPlugin(folder.root)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  test("paths that lead out, do not exist or have another form are reported and ignored", async () => {
    await using folder = await pluginFolder({
      [MANIFEST_PATH]: {
        name: "a",
        skills: ["./../beside", "./none", "more"],
        mcpServers: ["./none.json", 1],
      },
      ...{ "../beside/far/SKILL.md": skillText("far"), "more/two/SKILL.md": skillText("two") },
    });
    const { skills, diagnostics } = await readPlugin(folder.root);
    expect(skills).toEqual([]);
    expect(diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      ...Array(3).fill("error plugin.path-invalid"),
      ...["error plugin.servers-invalid", "error plugin.path-invalid"],
    ]);
  });

  test("a manifest that its marketplace has is used where the folder has none", async () => {
    await using folder = await pluginFolder({ "skills/one/SKILL.md": skillText("one") });
    const claudeManifest = { name: "listed", description: "Listed." };
    const plugin = await readPlugin(folder.root, { claudeManifest });
    expect(plugin).toMatchObject({
      format: "claude-code",
      manifest: claudeManifest,
      skills: [{ name: "one" }],
    });
  });
});

test("PLUGIN-27: components that Claude Code alone uses are reported and ignored", async () => {
  await using folder = await pluginFolder({
    [MANIFEST_PATH]: { name: "a", agents: "./agents", outputStyles: [], strange: true },
    ...{ "commands/a.md": "A", "hooks/hooks.json": {}, ".lsp.json": {} },
  });
  const { diagnostics } = await readPlugin(folder.root);
  expect(
    diagnostics.map(({ code, severity, message }) => [
      severity,
      code,
      /has (?:the field )?"?(\w+)/.exec(message)?.[1],
    ]),
  ).toEqual([
    ...["commands", "agents", "hooks", "outputStyles", "lspServers"].map((name) => [
      "info",
      "plugin.component-ignored",
      name,
    ]),
    ["info", "plugin.unknown-field", "strange"],
  ]);
});

describe("PLUGIN-28: MCP servers of Claude Code are offered in the form of Agent Plugins", () => {
  test("from .mcp.json, with or without mcpServers, from other files and from the manifest", async () => {
    await using folder = await pluginFolder({
      [MANIFEST_PATH]: {
        name: "a",
        mcpServers: ["./own.json", { inline: { type: "http", url: "https://example.com" } }],
      },
      ".mcp.json": {
        file: { command: `${CLAUDE_ROOT}/bin/a`, args: [`${CLAUDE_DATA}/a`], env: { A: CLAUDE_ROOT } },
      },
      "own.json": {
        mcpServers: { own: { type: "sse", url: "https://example.com/sse", headers: { A: "b" } } },
      },
    });
    const { servers, diagnostics } = await readPlugin(folder.root);
    expect(servers).toEqual([
      { name: "file", type: "stdio", command: "./bin/a", args: [`${DATA}/a`], env: { A: ROOT } },
      { name: "own", type: "sse", url: "https://example.com/sse", headers: { A: "b" } },
      { name: "inline", type: "streamable-http", url: "https://example.com", headers: {} },
    ]);
    expect(diagnostics).toEqual([]);
  });

  test("an entry that cannot be offered is left out, and a user's variable is reported", async () => {
    await using folder = await pluginFolder({
      [MANIFEST_PATH]: { name: "a" },
      ".mcp.json": {
        ...{
          far: { command: "/usr/bin/a" },
          untyped: { url: "https://example.com" },
          plain: { type: "http", url: "http://example.com" },
        },
        keyed: { type: "http", url: "https://example.com", headers: { Authorization: `Bearer \${API_KEY}` } },
      },
    });
    const { servers, diagnostics } = await readPlugin(folder.root);
    expect(servers.map(({ name }) => name)).toEqual(["keyed"]);
    expect(diagnostics.map(({ code, message }) => [code, /"(\w+)"/.exec(message)?.[1]])).toEqual([
      ...["far", "untyped", "plain"].map((name) => ["plugin.server-invalid", name]),
      ["plugin.variable-kept", "keyed"],
    ]);
  });

  test("a launched server also gets the variables of Claude Code", async () => {
    await using folder = await pluginFolder({
      [MANIFEST_PATH]: { name: "a", mcpServers: { own: { command: "node" } } },
    });
    const plugin = await readPlugin(folder.root);
    const dataDirectory = join(folder.beside, "data");
    const { env } = await launchOf(plugin, plugin.servers[0] as StdioServer, { dataDirectory, env: {} });
    expect(env).toEqual({
      ...{ PLUGIN_ROOT: folder.root, PLUGIN_DATA: dataDirectory },
      ...{ CLAUDE_PLUGIN_ROOT: folder.root, CLAUDE_PLUGIN_DATA: dataDirectory },
    });
  });
});

test.each([
  ["with very many levels", `{"a": {"command": "a", "args": ${"[".repeat(10_000)}${"]".repeat(10_000)}}}`],
  ["with a list as type", { a: { type: ["http"], url: "https://example.com" } }],
])(
  "PLUGIN-28: a server of .mcp.json %s is left out and reported, and the skills are read",
  async (_, mcp) => {
    await using folder = await pluginFolder({
      ".claude-plugin/plugin.json": { name: "own" },
      ...{ ".mcp.json": mcp, "skills/a/SKILL.md": skillText("a") },
    });
    const { servers: found, skills, diagnostics } = await readPlugin(folder.root);
    expect([found, skills.length]).toEqual([[], 1]);
    expect(diagnostics).toMatchObject([{ severity: "error", path: ".mcp.json" }]);
  },
);
