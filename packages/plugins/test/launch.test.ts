import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { launchOf, readPlugin, type ServerLaunch, type StdioServer } from "../src/index.js";
import { overlaid } from "../src/launch/process-environment.js";
import { DATA, MANIFEST, pluginFolder, ROOT, servers } from "./plugin-folder.js";

/** A server over stdio that has one tool, which tells how the server was started. */
const SERVER = `#!/usr/bin/env node
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const started = { args: process.argv.slice(2), cwd: process.cwd(), env: process.env };
  const result = method === "initialize"
    ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "own", version: "1" } }
    : { content: [{ type: "text", text: JSON.stringify(started) }] };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
}
`;

/** How a server with this entry is launched. */
async function launch(
  entry: object,
  use: (given: { launched: ServerLaunch; root: string; data: string }) => unknown,
  options = {},
) {
  await using folder = await pluginFolder({
    ...{ "plugin.json": MANIFEST, "bin/server.mjs": SERVER },
    "mcp.json": servers({ own: { type: "stdio", command: "./bin/server.mjs", ...entry } }),
  });
  const plugin = await readPlugin(folder.root);
  expect(plugin.diagnostics).toEqual([]);
  const dataDirectory = join(folder.beside, "data");
  const launched = await launchOf(plugin, plugin.servers[0] as StdioServer, { dataDirectory, ...options });
  return await use({ launched, root: folder.root, data: dataDirectory });
}

/** Starts the server, shakes hands as a client of MCP, and asks how it was started. */
async function started({ command, args, cwd, env }: ServerLaunch) {
  const child = spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const call = async (message: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    return JSON.parse((await lines.next()).value).result;
  };
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  expect(await call({ id: 1, method: "initialize", params })).toMatchObject({ serverInfo: { name: "own" } });
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  const { content } = await call({ id: 2, method: "tools/call", params: { name: "started", arguments: {} } });
  child.stdin.end();
  await once(child, "exit");
  return JSON.parse(content[0].text) as { args: string[]; cwd: string; env: Record<string, string> };
}

test("PLUGIN-14, PLUGIN-16, PLUGIN-21: a launched server gets both directories and expanded arguments, and starts in the plugin", async () => {
  const entry = {
    args: ["--data", `${DATA}/db`, `${ROOT}:${ROOT}`, `\${HOME} $HOME`],
    env: { CONFIG: `${ROOT}/config.json` },
  };
  await launch(entry, async ({ launched, root, data }) => {
    const { args, cwd, env } = await started(launched);
    expect(cwd).toBe(root);
    expect(args).toEqual(["--data", `${data}/db`, `${root}:${root}`, `\${HOME} $HOME`]);
    expect(env).toMatchObject({ PLUGIN_ROOT: root, PLUGIN_DATA: data, CONFIG: `${root}/config.json` });
  });
});

describe("PLUGIN-14: the data directory is the plugin's own", () => {
  test("it is created, and kept when it exists", async () => {
    await launch({}, async ({ launched, data }) => {
      await mkdir(join(data, "kept"));
      expect(launched.env["PLUGIN_DATA"]).toBe(data);
    });
  });

  test("one that is relative, in the plugin, or not writable is refused", async () => {
    await using folder = await pluginFolder({ "plugin.json": MANIFEST, file: "" });
    await symlink(folder.root, join(folder.beside, "alias"));
    const plugin = await readPlugin(folder.root);
    const server: StdioServer = { name: "a", type: "stdio", command: "node", args: [], env: {} };
    const places = [
      "data",
      join(folder.root, "data"),
      folder.root,
      join(folder.beside, "alias/data"),
      join(folder.root, "../plugin/file/a"),
    ];
    for (const dataDirectory of places)
      await expect(launchOf(plugin, server, { dataDirectory }), dataDirectory).rejects.toMatchObject({
        code: "INPUT_INVALID",
      });
  });
});

describe("PLUGIN-15: a command is resolved as one token", () => {
  test("a path is resolved in the plugin, and a name is left to the search of the system", async () => {
    await launch({}, ({ launched, root }) => expect(launched.command).toBe(join(root, "bin/server.mjs")));
    await launch({ command: "node" }, ({ launched }) => expect(launched.command).toBe("node"));
  });

  test("a missing program in the plugin is an error of the launch", async () => {
    await expect(launch({ command: "./bin/none" }, () => {})).rejects.toMatchObject({
      code: "FILE_NOT_FOUND",
    });
  });
});

describe("PLUGIN-17: a working directory is checked where it resolves to", () => {
  test("it may be in the plugin or in the data directory", async () => {
    await launch({ cwd: "./bin" }, ({ launched, root }) => expect(launched.cwd).toBe(join(root, "bin")));
    await launch({ cwd: `${ROOT}/bin/..` }, ({ launched, root }) => expect(launched.cwd).toBe(root));
    await launch({ cwd: DATA }, ({ launched, data }) => expect(launched.cwd).toBe(data));
  });

  test("a symlink out of the data directory, or out of the plugin, is refused", async () => {
    await using folder = await pluginFolder({ "plugin.json": MANIFEST });
    const dataDirectory = join(folder.beside, "data");
    await mkdir(dataDirectory);
    await symlink(dirname(folder.root), join(dataDirectory, "away"));
    const plugin = await readPlugin(folder.root);
    const server = (cwd: string): StdioServer => ({
      name: "a",
      type: "stdio",
      command: "node",
      args: [],
      env: {},
      cwd,
    });
    for (const cwd of [`${DATA}/away`, `${DATA}/../other`, "./../beside"])
      await expect(launchOf(plugin, server(cwd), { dataDirectory }), cwd).rejects.toMatchObject({
        code: "PATH_OUTSIDE",
      });
    await expect(launchOf(plugin, server(`${DATA}/none`), { dataDirectory })).rejects.toMatchObject({
      code: "FILE_NOT_FOUND",
    });
  });
});

test("PLUGIN-18, PLUGIN-19: the server's variables replace those of the base, and the two directories replace both", async () => {
  const env = { KEPT: "base", BOTH: "base", PLUGIN_ROOT: "base", PLUGIN_DATA: "base" };
  await launch(
    { env: { BOTH: "own", OWN: "own" } },
    ({ launched, root, data }) =>
      expect(launched.env).toEqual({
        KEPT: "base",
        BOTH: "own",
        OWN: "own",
        PLUGIN_ROOT: root,
        PLUGIN_DATA: data,
      }),
    { env },
  );
});

test("PLUGIN-19: where names have no case, a variable replaces every spelling of its name", () => {
  const layers = [{ Path: "base", a: "1" }, { PATH: "own", plugin_root: "x" }, { PLUGIN_ROOT: "root" }];
  expect(overlaid(layers, true)).toEqual({ a: "1", PATH: "own", PLUGIN_ROOT: "root" });
  expect(overlaid(layers, false)).toEqual({
    Path: "base",
    a: "1",
    PATH: "own",
    plugin_root: "x",
    PLUGIN_ROOT: "root",
  });
});

test("PLUGIN-18: by default the base has PATH and no secret of this process", async () => {
  process.env["SKILLWRIGHT_TEST_SECRET"] = "secret";
  try {
    await launch({}, ({ launched }) => {
      expect(launched.env).toHaveProperty("PATH", process.env["PATH"]);
      expect(JSON.stringify(launched)).not.toContain("secret");
    });
  } finally {
    delete process.env["SKILLWRIGHT_TEST_SECRET"];
  }
});

test("PLUGIN-20: a bare command is found by the PATH of the base, without one of the server's own", async () => {
  await launch({ command: "node", args: ["./bin/server.mjs", "own"] }, async ({ launched, root }) => {
    expect(launched.command).toBe("node");
    expect(await started(launched)).toMatchObject({ args: ["own"], cwd: root });
  });
});

test("PLUGIN-21: only the two placeholders are expanded, once, and in values alone", async () => {
  const odd = `\${PLUGIN_NAME} \${plugin_root} $PLUGIN_ROOT \${PLUGIN_ROOT \${\${PLUGIN_ROOT}}`;
  await launch({ args: [odd], env: { [`A${DATA}`]: DATA } }, ({ launched, root, data }) => {
    expect(launched.args).toEqual([odd.replace(ROOT, root)]);
    expect(launched.env).toHaveProperty([`A${DATA}`], data);
  });
  await using folder = await pluginFolder({ "plugin.json": MANIFEST });
  const plugin = { ...(await readPlugin(folder.root)), root: `${folder.root}/${DATA}` };
  const server: StdioServer = { name: "a", type: "stdio", command: "node", args: [ROOT], env: {} };
  const dataDirectory = join(folder.beside, "data");
  expect((await launchOf(plugin, server, { dataDirectory })).args).toEqual([plugin.root]);
});
