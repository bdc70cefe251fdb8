import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  Client,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { type CliFixture, cliFixture, skill } from "./cli-fixture.js";
import { identityProvider } from "./identity-provider.js";

const files = { "home/.skillwright/skills/greet/SKILL.md": skill("greet", "Greets.") };
const ISSUER = ["--issuer", "https://id.example.com"];
const PUBLIC = ["--public-url", "https://skills.example.com/mcp"];

if (hasAll("bubblewrap")) {
  test("two users of an issuer have the skills and a workspace each, and a signal ends the server and both workspaces (MCP-28)", async () => {
    const fixture = await cliFixture(files);
    const { issuer, token } = await identityProvider();
    const { address, end } = await servedUsers(fixture, ["--issuer", issuer]);
    const ada = await connected(address, token("ada", address));
    const bob = await connected(address, token("bob", address));
    for (const user of [ada, bob])
      expect(JSON.stringify(await user.callTool({ name: "skill_list", arguments: {} }))).toContain("greet");
    await ada.callTool({ name: "workspace_write", arguments: { path: "out/a.txt", content: "of ada" } });
    await bob.callTool({ name: "workspace_write", arguments: { path: "out/b.txt", content: "of bob" } });
    const again = await connected(address, token("ada", address));
    expect(await listed(again)).toContain("a.txt");
    expect(await listed(bob)).toContain("b.txt");
    expect(await listed(bob)).not.toContain("a.txt");
    expect(await workspaces(fixture)).toHaveLength(2);
    expect(await end()).toMatchObject({ code: 0, err: "" });
    expect(await workspaces(fixture)).toEqual([]);
  });

  test("a user's saved output is stored for this user, and no link leads to a place on the server's disk (MCP-28)", async () => {
    const fixture = await cliFixture(files);
    const { issuer, token } = await identityProvider();
    const { address } = await servedUsers(fixture, ["--issuer", issuer]);
    const ada = await connected(address, token("ada", address));
    const run = { skill: "greet", command: "echo hello > out/a.txt", outputs: { save: true } };
    const ran = await ada.callTool({ name: "skill_run", arguments: run });
    expect(ran.isError).toBeUndefined();
    expect(linksOf(ran)).toEqual(["workspace://out/a.txt"]);
    const saved = await readdir(join(fixture.home, ".skillwright/artifacts"), { recursive: true });
    expect(saved.filter((path) => path.endsWith("v0/a.txt"))).toEqual([expect.stringContaining("/ada/")]);
  });
}

test("a request without a token of the issuer for this server is refused, and the official client finds the issuer (MCP-28)", async () => {
  const { issuer, token } = await identityProvider("/.well-known/oauth-authorization-server");
  const stranger = await identityProvider();
  const { address } = await servedUsers(await cliFixture(files), ["--issuer", issuer]);
  const asked = (headers: Record<string, string>) => ask(address, headers);
  const refused = await asked({});
  expect(refused.status).toBe(401);
  const { resourceMetadataUrl } = extractWWWAuthenticateParams(refused);
  expect(resourceMetadataUrl?.href).toBe(new URL("/.well-known/oauth-protected-resource/mcp", address).href);
  expect(await discoverOAuthProtectedResourceMetadata(address)).toMatchObject({
    resource: address,
    authorization_servers: [issuer],
  });
  const status = async (given: string, more = {}) =>
    (await asked({ authorization: `Bearer ${given}`, ...more })).status;
  expect(await status(token("ada", address))).toBe(200);
  expect(await status(token("ada", "https://another.example.com/mcp"))).toBe(401);
  expect(await status(stranger.token("ada", address))).toBe(401);
  expect(await status(token("ada", address), { origin: "https://evil.example" })).toBe(403);
});

test("the audience and the address of the keys can be named (MCP-28)", async () => {
  const { issuer, keys, token } = await identityProvider("/nowhere");
  const named = ["--issuer", issuer, "--keys", keys, "--audience", "skills"];
  const { address } = await servedUsers(await cliFixture(files), named);
  const status = async (audience: string) =>
    (await ask(address, { authorization: `Bearer ${token("ada", audience)}` })).status;
  expect(await status("skills")).toBe(200);
  expect(await status(address)).toBe(401);
});

test.each([
  [{ issuer: "https://another.example.com" }, 'calls itself "https://another.example.com". Give that'],
  [{ jwks_uri: null }, "names no keys. Check --issuer, or give the address of the keys with --keys."],
  [{ jwks_uri: "http://id.example.com/keys" }, "is not encrypted"],
])("an issuer with the metadata %j is refused (MCP-28)", async (fields, message) => {
  const { cli } = await cliFixture(files);
  const { issuer } = await identityProvider(undefined, fields);
  const { code, out, err } = await cli(["mcp", "--http", "--port", "0", "--issuer", issuer, ...PUBLIC]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(message);
});

test("an issuer without metadata is refused (MCP-28)", async () => {
  const { cli } = await cliFixture(files);
  const { issuer } = await identityProvider("/nowhere");
  const { code, err } = await cli(["mcp", "--http", "--port", "0", "--issuer", issuer, ...PUBLIC]);
  expect(code).toBe(1);
  expect(err).toContain(`${issuer}/.well-known/openid-configuration`);
  expect(err).toContain("--keys");
});

test.each([
  [[...ISSUER, ...PUBLIC], "--issuer works only together with --http."],
  [["--http", ...ISSUER], "--issuer works only together with --public-url."],
  [["--http", ...PUBLIC], "--public-url works only together with --issuer."],
  [["--http", "--audience", "a"], "--audience works only together with --issuer."],
  [["--http", "--keys", "https://id.example.com/keys"], "--keys works only together with --issuer."],
  [["--host", "127.0.0.1"], "--host works only together with --http."],
  [["--http", ...ISSUER, ...PUBLIC, "--isolation", "auto"], "see each other's files"],
  [["--http", "--host", "0.0.0.0"], "--issuer"],
])("`mcp %j` is refused (MCP-28)", async (argv, message) => {
  const { cli } = await cliFixture(files);
  const { code, out, err } = await cli(["mcp", ...argv], { stdin: (async function* () {})() });
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(message);
});

test.each([
  ["--issuer", "http://id.example.com"],
  ["--issuer", "id.example.com"],
  ["--public-url", "http://skills.example.com/mcp"],
  ["--public-url", "https://skills.example.com/mcp#top"],
  ["--keys", "ftp://id.example.com/keys"],
])("%s %s is no address for tokens (MCP-28)", async (flag, value) => {
  const { cli } = await cliFixture(files);
  const { code, err } = await cli(["mcp", "--http", ...ISSUER, ...PUBLIC, flag, value]);
  expect(code).toBe(2);
  expect(err).toContain(`'${value}' is invalid. Give an address with https:, or with http: on this machine`);
});

/** Runs `skillwright mcp --http` behind a proxy, whose address is the one that clients use. */
async function servedUsers({ cli }: CliFixture, argv: readonly string[]) {
  let behind: string | undefined;
  const proxy = createServer((incoming, response) => {
    const { method, headers, url } = incoming;
    const passed = request(`${behind}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    response.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
  const stopping = new AbortController();
  let tell: (text: string) => void = () => undefined;
  const printed = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const running = cli(["mcp", "--http", "--port", "0", "--public-url", address, ...argv], {
    signal: stopping.signal,
    stdout: { write: tell },
  });
  const end = async () => {
    stopping.abort();
    return await running;
  };
  onTestFinished(async () => void (await end()));
  const ended = running.then(({ err }) => Promise.reject(new Error(err)));
  const text = await Promise.race([printed, ended]);
  behind = /^listens +(\S+)$/m.exec(text)?.[1];
  expect(text).toContain(`address  ${address}\n`);
  return { address, end };
}

/** Where the links of a result lead. */
function linksOf({ content }: Awaited<ReturnType<Client["callTool"]>>): readonly string[] {
  return content.flatMap((part) => (part.type === "resource_link" ? part.uri : []));
}

async function connected(address: string, token: string): Promise<Client> {
  const client = new Client({ name: "host", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

/** Sends a request without a client. */
async function ask(address: string, headers: Record<string, string>): Promise<Response> {
  return await fetch(address, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
  });
}

async function listed(client: Client): Promise<string> {
  return JSON.stringify(await client.callTool({ name: "workspace_list", arguments: { path: "out" } }));
}

/** The workspaces of the server. */
async function workspaces({ cli, home }: CliFixture): Promise<readonly unknown[]> {
  const { out } = await cli(["workspaces", "list", "--data", join(home, ".skillwright"), "--json"]);
  return JSON.parse(out).workspaces;
}
