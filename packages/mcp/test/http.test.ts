import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import {
  type Answer,
  endlessCall,
  exampleClient,
  exampleServer,
  jsonOf,
  REVISIONS,
  type Revision,
  refusalOf,
} from "./example-host.js";

const ADDRESS = new URL("http://127.0.0.1:8788/mcp");

test.each(REVISIONS)(
  "clients of revision %s that belong to one person share a workspace over HTTP (MCP-16)",
  async (revision) => {
    const { connect, endpoint, workspaces } = await httpServer();
    const [one, other] = [await connect(revision), await connect(revision)];
    const told: unknown[] = [];
    const ran = await one.callTool(
      { name: "skill_run", arguments: { skill: "greeter", command: "sh scripts/greet.sh Ada" } },
      { onprogress: ({ message }) => told.push(message) },
    );
    expect(jsonOf(ran)).toMatchObject({ exit_code: 0, stdout: "done\n" });
    expect(told).toContain("The command ended with 0.");
    const [file] = (await other.readResource({ uri: "workspace://out/greeting.txt" })).contents;
    expect(file).toMatchObject({ text: "Hello, Ada\n" });
    expect(await workspaces.list()).toHaveLength(1);
    await endpoint.close();
    expect(await workspaces.list()).toEqual([]);
  },
);

test("two endpoints share nothing (MCP-16)", async () => {
  const { server, connect } = await httpServer();
  const one = await connect("2026-07-28");
  await one.callTool({ name: "workspace_write", arguments: { path: "out/a.txt", content: "a" } });
  await using second = server.endpoint();
  const other = await connect("2026-07-28", undefined, second);
  await other.callTool({ name: "workspace_write", arguments: { path: "out/b.txt", content: "b" } });
  await expect(other.readResource({ uri: "workspace://out/a.txt" })).rejects.toThrow();
});

test("over HTTP, a person is asked if the revision supports questions; otherwise the call is refused (MCP-16)", async () => {
  const { connect } = await httpServer();
  const call = { name: "skill_run", arguments: { skill: "stranger", command: "sh go.sh" } };
  const answer: Answer = (_message, choices) => ({ action: "accept", content: { answer: choices[0] ?? "" } });
  expect(refusalOf(await (await connect("2025-11-25", answer)).callTool(call)).code).toBe("REFUSED");
  expect(jsonOf(await (await connect("2026-07-28", answer)).callTool(call))).toMatchObject({ exit_code: 0 });
});

test.each(REVISIONS)(
  "an endpoint that closes ends the runs of clients of revision %s (MCP-16)",
  async (revision) => {
    const { connect, endpoint, workspaces } = await httpServer();
    const client = await connect(revision);
    const { running } = await endlessCall(client);
    const ended = running.catch(String);
    await endpoint.close();
    expect(await workspaces.list()).toEqual([]);
    await client.close();
    await ended;
  },
);

test("requests from pages of other sites and for foreign hosts are refused, even if they are valid otherwise (MCP-16)", async () => {
  const { endpoint } = await httpServer();
  const ask = async (headers: Record<string, string>) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    const request = new Request(ADDRESS, {
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        host: "127.0.0.1:8788",
        ...headers,
      },
    });
    return (await endpoint.fetch(request)).status;
  };
  expect(await ask({})).toBe(200);
  expect(await ask({ origin: "http://localhost:3000" })).toBe(200);
  expect(await ask({ origin: "https://evil.example" })).toBe(403);
  expect(await ask({ origin: "null" })).toBe(403);
  expect(await ask({ host: "evil.example" })).toBe(403);
});

async function httpServer() {
  const example = await exampleServer();
  const endpoint = example.server.endpoint();
  onTestFinished(() => endpoint.close());
  const connect = async (revision: Revision, answer?: Answer, place = endpoint) => {
    const client = exampleClient(revision, answer);
    onTestFinished(() => client.close());
    await client.connect(
      new StreamableHTTPClientTransport(ADDRESS, {
        fetch: (url, init) => {
          const request = new Request(url, init);
          request.headers.set("host", ADDRESS.host);
          return place.fetch(request);
        },
      }),
    );
    return client;
  };
  return { ...example, connect, endpoint };
}
