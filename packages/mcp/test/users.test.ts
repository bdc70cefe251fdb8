import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type Client,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { SkillError } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { nodeHandler } from "@skillwright/server/node";
import { jwtUsers } from "@skillwright/server/users";
import { skillBox } from "@skillwright/skillbox";
import { expect, onTestFinished, test, vi } from "vitest";
import { endlessCall, exampleClient, exampleServer, greeter, jsonOf } from "./example-host.js";
import { ADDRESS, serverOfUsers } from "./server-of-users.js";

test("clients of one user share a workspace, and those of another user have their own (MCP-26)", async () => {
  const { connect, workspaces, endpoint } = await serverOfUsers();
  const [one, other, stranger] = [await connect("ada"), await connect("ada"), await connect("bob")];
  await write(one, "ada");
  await write(stranger, "bob");
  expect(await read(other)).toBe("ada");
  expect(await read(stranger)).toBe("bob");
  expect(await workspaces.list()).toHaveLength(2);
  await endpoint.close();
  expect(await workspaces.list()).toEqual([]);
});

test("a request without an accepted token is refused, and the official client finds the authorization server (MCP-26)", async () => {
  const { endpoint, ask } = await serverOfUsers({
    authorizationServers: ["https://login.example/"],
    scopes: ["skills"],
  });
  const refused = await ask({});
  expect(refused.status).toBe(401);
  const { resourceMetadataUrl } = extractWWWAuthenticateParams(refused);
  expect(resourceMetadataUrl?.href).toBe("https://tools.example/.well-known/oauth-protected-resource/mcp");
  const fetch = (url: string | URL, init?: RequestInit) => endpoint.fetch(new Request(url, init));
  expect(await discoverOAuthProtectedResourceMetadata(ADDRESS, {}, fetch)).toEqual({
    resource: ADDRESS.href,
    authorization_servers: ["https://login.example/"],
    scopes_supported: ["skills"],
    bearer_methods_supported: ["header"],
  });
  const wrong = await ask({ authorization: "Bearer nobody" });
  expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([
    401,
    expect.stringMatching(/^Bearer error="invalid_token", resource_metadata="/),
  ]);
});

test("other paths and methods, foreign hosts and pages of other sites are refused (MCP-26)", async () => {
  const { endpoint, ask } = await serverOfUsers();
  const status = async (url: string, method = "GET") =>
    (await endpoint.fetch(new Request(url, { method }))).status;
  expect(await status("https://tools.example/")).toBe(404);
  expect(await status("https://tools.example/mcp/more")).toBe(404);
  expect(await status("https://tools.example/.well-known/oauth-protected-resource")).toBe(404);
  expect(await status("https://tools.example/.well-known/oauth-protected-resource/mcp", "POST")).toBe(405);
  const authorization = "Bearer ada";
  expect((await ask({ authorization })).status).toBe(200);
  expect((await ask({ authorization, host: "evil.example" })).status).toBe(403);
  expect((await ask({ authorization, origin: "https://evil.example" })).status).toBe(403);
});

test("each user has the skills of their own catalogue (MCP-26)", async () => {
  const own = skillBox({ bobs: memoryRepository({ skills: { counter: named("counter") } }) });
  onTestFinished(() => own.close());
  const partsOf = (user: string) => (user === "bob" ? { skills: own } : {});
  const { connect } = await serverOfUsers({ partsOf });
  expect(await skillsOf(await connect("ada"))).toEqual(["greeter", "stranger"]);
  expect(await skillsOf(await connect("bob"))).toEqual(["counter"]);
});

test("the workspace of an idle user is destroyed, and not while a call runs (MCP-26)", async () => {
  const { connect, workspaces } = await serverOfUsers({ idleMs: 1 });
  const client = await connect("ada");
  const call = { name: "workspace_run", arguments: { command: "sleep 0.3; echo done" } };
  const ran = await client.callTool(call);
  expect(jsonOf(ran)).toMatchObject({ exit_code: 0, stdout: "done\n" });
  await expect.poll(() => workspaces.list()).toEqual([]);
  await write(client, "again");
});

test("what an idle user left open and cannot be closed is told to the operator (MCP-26)", async () => {
  const onDiagnostic = vi.fn();
  const { connect, workspaces } = await serverOfUsers({ idleMs: 1 }, { onDiagnostic });
  vi.spyOn(workspaces, "destroy").mockRejectedValueOnce(new Error("the runtime is away"));
  await write(await connect("ada"), "left");
  const told = { code: "mcp.user-not-closed", message: expect.stringContaining("the runtime is away") };
  await expect.poll(() => onDiagnostic.mock.calls).toEqual([[expect.objectContaining(told)]]);
});

test("a client whose connection breaks leaves nothing behind on a real server (MCP-26)", async () => {
  const { server, workspaces } = await exampleServer();
  const listening = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void listening.close());
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const address = new URL(`http://127.0.0.1:${port}/mcp`);
  const endpoint = server.userEndpoint({ address, authenticate: async () => ({ id: "ada" }), idleMs: 1 });
  onTestFinished(() => endpoint.close());
  listening.on("request", nodeHandler(endpoint));
  const client = exampleClient("2026-07-28");
  await client.connect(new StreamableHTTPClientTransport(address));
  const { running } = await endlessCall(client);
  const ended = running.catch(String);
  expect(await workspaces.list()).toHaveLength(1);
  listening.closeAllConnections();
  await client.close();
  await ended;
  await expect.poll(() => workspaces.list()).toEqual([]);
});

test("a user beyond the limit takes the place of an idle one, or is told to come later (MCP-26)", async () => {
  const { connect, ask, workspaces } = await serverOfUsers({ maxUsers: 1 });
  const client = await connect("ada");
  const stop = new AbortController();
  const { running } = await endlessCall(client, stop.signal);
  const ended = running.catch(String);
  const refused = await ask({ authorization: "Bearer bob" });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  stop.abort();
  await ended;
  await client.close();
  await expect.poll(async () => (await ask({ authorization: "Bearer bob" })).status).toBe(200);
  await expect.poll(() => workspaces.list()).toEqual([]);
});

test.each(["authenticate", "partsOf"] as const)(
  "a request whose %s fails is answered with 503, and the reason is told to the operator only (MCP-26)",
  async (part) => {
    const onDiagnostic = vi.fn();
    let isAway = true;
    const given = {
      authenticate: async () => ({ id: "ada" }),
      partsOf: () => ({}),
      [part]: async () => {
        if (isAway) throw new Error("the directory is away");
        return part === "authenticate" ? { id: "ada" } : {};
      },
    };
    const { ask } = await serverOfUsers(given, { onDiagnostic });
    const refused = await ask({});
    expect(refused.status).toBe(503);
    expect(await refused.text()).not.toContain("directory");
    expect(onDiagnostic).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ message: expect.stringContaining("the directory is away") }),
    );
    isAway = false;
    expect((await ask({})).status).toBe(200);
  },
);

test("the users of the agent's server are users here, and where their keys are away the answer is 503 (MCP-26)", async () => {
  const keys = "http://127.0.0.1:9/keys";
  const authenticate = jwtUsers({ keys, issuer: "https://login.example/", audience: ADDRESS.href });
  const { ask } = await serverOfUsers({ authenticate });
  expect((await ask({})).status).toBe(401);
  const header = Buffer.from(JSON.stringify({ alg: "ES256", kid: "1" })).toString("base64url");
  expect((await ask({ authorization: `Bearer ${header}.e30.c2ln` })).status).toBe(503);
});

test.each(["http://tools.example/mcp", "ftp://tools.example", "mcp"])(
  "the address %s is refused (MCP-26)",
  async (address) => {
    const { server } = await exampleServer();
    const opening = () => server.userEndpoint({ address, authenticate: async () => undefined });
    expect(opening).toThrow(SkillError);
    expect(opening).toThrow(/https:/);
  },
);

async function write(client: Client, content: string): Promise<void> {
  const call = { name: "workspace_write", arguments: { path: "out/a.txt", content } };
  expect((await client.callTool(call)).isError).toBeFalsy();
}

async function read(client: Client): Promise<unknown> {
  const [file] = (await client.readResource({ uri: "workspace://out/a.txt" })).contents;
  return file && "text" in file ? file.text : undefined;
}

async function skillsOf(client: Client): Promise<readonly string[]> {
  const { skills } = jsonOf(await client.callTool({ name: "skill_list", arguments: {} })) as {
    skills: readonly { name: string }[];
  };
  return skills.map(({ name }) => name);
}

function named(name: string) {
  return { ...greeter, "SKILL.md": greeter["SKILL.md"].replaceAll("greeter", name) };
}
