import { describe, expect, test } from "vitest";
import { readPlugin } from "../src/index.js";
import { DATA, MANIFEST, pluginFolder, ROOT, SERVERS_SCHEMA, servers, skillText } from "./plugin-folder.js";

/** What reading a plugin with this mcp.json gives. */
async function read(mcp: unknown) {
  await using folder = await pluginFolder({
    ...{ "plugin.json": MANIFEST, "mcp.json": mcp, "skills/one/SKILL.md": skillText("one") },
  });
  return await readPlugin(folder.root);
}

/** The problem of a server with this entry; empty where it is valid. */
async function problem(entry: unknown): Promise<string> {
  const {
    servers: found,
    diagnostics,
    skills,
  } = await read(servers({ odd: entry, good: { type: "stdio", command: "node" } }));
  expect(skills).toHaveLength(1);
  expect(found.map(({ name }) => name)).toEqual(diagnostics.length > 0 ? ["good"] : ["odd", "good"]);
  return diagnostics.map(({ code, message }) => `${code}: ${message}`).join("\n");
}

describe("PLUGIN-10: mcp.json and each of its servers are validated", () => {
  test.each<[string, unknown, RegExp]>([
    ["is not JSON", "{", /not JSON/],
    ["is no object", [], /is not an object/],
    ["has no $schema", { mcpServers: {} }, /needs the \$schema/],
    [
      "is of another version",
      { $schema: SERVERS_SCHEMA.replace("1.0.0", "1.1.0"), mcpServers: {} },
      /1\.1\.0/,
    ],
    ["has no mcpServers", { $schema: SERVERS_SCHEMA }, /needs mcpServers/],
    ["has a list as mcpServers", servers([]), /needs mcpServers/],
    ["has another field", { ...servers({ a: { type: "stdio", command: "a" } }), inputs: [] }, /"inputs"/],
  ])("no server is offered where it %s, and the skills are", async (_, mcp, message) => {
    const plugin = await read(mcp);
    expect(plugin.servers).toEqual([]);
    expect(plugin.skills).toHaveLength(1);
    expect(plugin.diagnostics).toMatchObject([
      { code: "plugin.servers-invalid", severity: "error", message: expect.stringMatching(message) },
    ]);
  });

  test("no servers are valid, and a server may have any name", async () => {
    expect((await read(servers({}))).diagnostics).toEqual([]);
    const named = `{"$schema": "${SERVERS_SCHEMA}", "mcpServers": {"__proto__": {"type": "stdio", "command": "a"}}}`;
    expect((await read(named)).servers).toMatchObject([{ name: "__proto__", command: "a" }]);
  });

  test.each<[string, unknown]>([
    ["its entry is not an object", "node"],
    ["`type` is not", { command: "node" }],
    ["`type` is not", { type: "http", url: "https://example.com" }],
    ["`command` is not a text", { type: "stdio" }],
    ['has the field "url"', { type: "stdio", command: "node", url: "https://example.com" }],
    ['has the field "timeout"', { type: "stdio", command: "node", timeout: 1 }],
    [
      "which is not the name of a variable",
      { type: "stdio", command: "node", env: { "PLUGIN_ROOT=/x#": "" } },
    ],
    ["which is not the name of a variable", { type: "stdio", command: "node", env: { "": "a" } }],
    ["has a NUL character", { type: "stdio", command: "node", env: { A: "a\0" } }],
    ["has a NUL character", { type: "stdio", command: "node", args: ["\0"] }],
    ["`args` is not a list", { type: "stdio", command: "node", args: "a" }],
    ["`args` is not a list of texts", { type: "stdio", command: "node", args: [1] }],
    ["`env` is not an object", { type: "stdio", command: "node", env: ["A=1"] }],
    ["`env` is not an object of texts", { type: "stdio", command: "node", env: { A: 1 } }],
    ["`env` sets PLUGIN_ROOT", { type: "stdio", command: "node", env: { PLUGIN_ROOT: "/" } }],
    ["`env` sets PLUGIN_DATA", { type: "stdio", command: "node", env: { PLUGIN_DATA: "/" } }],
    ["`cwd` is not a text", { type: "stdio", command: "node", cwd: 1 }],
    ['has the field "command"', { type: "sse", url: "https://example.com", command: "node" }],
    ["`url` is not a text", { type: "streamable-http" }],
    ["`headers` is not an object of texts", { type: "sse", url: "https://example.com", headers: { A: 1 } }],
  ])("a server is left out because %s", async (message, entry) => {
    expect(await problem(entry)).toContain(`plugin.server-invalid: The MCP server "odd" is left out: `);
    expect(await problem(entry)).toContain(message);
  });
});

const ALL = {
  local: { type: "stdio", command: "node", args: ["a b"], env: { A: "1" }, cwd: "./" },
  current: { type: "streamable-http", url: "https://example.com/mcp", headers: { "X-Tenant": "a" } },
  legacy: { type: "sse", url: "https://example.com/sse" },
};

test("PLUGIN-11, PLUGIN-12, PLUGIN-23: servers of every transport are offered with the transport that they declare", async () => {
  const { servers: found, diagnostics } = await read(
    servers({ ...ALL, odd: { type: "websocket", url: "wss://a" } }),
  );
  expect(found).toEqual([
    { name: "local", ...ALL.local },
    { name: "current", ...ALL.current },
    { name: "legacy", ...ALL.legacy, headers: {} },
  ]);
  expect(diagnostics).toMatchObject([
    { code: "plugin.server-invalid", message: expect.stringContaining('"odd"') },
  ]);
});

describe("PLUGIN-13: addresses and headers of remote servers are checked", () => {
  const remote = (url: string, headers = {}) => ({ type: "streamable-http", url, headers });

  test.each([
    "https://example.com",
    "HTTPS://example.com:8443/a?b=c",
    "http://localhost:3000/mcp",
    "http://127.0.0.1/",
    "http://127.8.9.1:80",
    "http://[::1]:8080/",
  ])("%s is accepted", async (url) => {
    expect(await problem(remote(url))).toBe("");
  });

  test.each([
    ["", "absolute"],
    ["/mcp", "absolute"],
    ["ftp://example.com", "absolute"],
    ["https:example.com", "absolute"],
    ["https:\\\\example.com", "absolute"],
    [" https://example.com", "absolute"],
    ["https://exa mple.com", "absolute"],
    ["https://", "absolute"],
    [`https://${ROOT}/`, "absolute"],
    ["https://a:b@example.com", "user name"],
    ["https://@example.com", "user name"],
    ["https://example.com/#part", "fragment"],
    ["https://example.com/#", "fragment"],
    ["http://example.com", "https"],
    ["http://localhost.example.com", "https"],
    ["http://localhost.", "https"],
    ["http://127.1/", "https"],
    ["http://0x7f000001/", "https"],
    ["http://[::2]/", "https"],
    ["http://10.0.0.1/", "https"],
  ])("%j is refused", async (url, message) => {
    expect(await problem(remote(url))).toContain(message);
  });

  test.each<[object, string]>([
    [{ "": "a" }, "is not the name"],
    [{ "X A": "a" }, "is not the name"],
    [{ "X:A": "a" }, "is not the name"],
    [{ A: "b\r\nC: d" }, "the value"],
    [{ A: " b" }, "the value"],
    [{ A: "\u2603" }, "the value"],
    [{ "X-A": "1", "x-a": "2" }, "twice"],
  ])("headers %j are refused", async (headers, message) => {
    expect(await problem(remote("https://example.com", headers))).toContain(message);
  });

  test("nothing in URL and headers is expanded", async () => {
    const url = `https://example.com/?root=${ROOT}`;
    const { servers: found } = await read(servers({ a: remote(url, { A: DATA, "x-empty": "" }) }));
    expect(found).toMatchObject([{ url, headers: { A: DATA, "x-empty": "" } }]);
  });
});

describe("PLUGIN-15: a command is one name or one path in the plugin", () => {
  test.each(["node", "my-server.exe", "./bin/server", "./bin/a server"])(
    "%s is accepted",
    async (command) => {
      expect(await problem({ type: "stdio", command })).toBe("");
    },
  );

  test.each([
    "",
    "node server.js",
    "bin/server",
    "/bin/sh",
    "../server",
    ".",
    "..",
    "a\\b",
    `${ROOT}/bin/server`,
    "./../server",
    "./a\0",
  ])("%j is refused", async (command) => {
    expect(await problem({ type: "stdio", command })).toContain("`command`");
  });
});

describe("PLUGIN-17: a working directory is in the plugin or in its data directory", () => {
  test.each(["./", "./data", "./a/../b", ROOT, `${ROOT}/a`, DATA, `${DATA}/a/..`, `${DATA}/${ROOT}`])(
    "%s is accepted",
    async (cwd) => {
      expect(await problem({ type: "stdio", command: "node", cwd })).toBe("");
    },
  );

  test.each([
    "",
    "data",
    "/tmp",
    "../a",
    "./..",
    `${ROOT}/../a`,
    `${ROOT}x`,
    `${DATA}/..`,
    `${DATA}/a/../../b`,
    `${DATA}x`,
    `a/${ROOT}`,
    `\${HOME}`,
  ])("%j is refused", async (cwd) => {
    expect(await problem({ type: "stdio", command: "node", cwd })).toContain("`cwd`");
  });
});
