import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import type { SkillServerOptions, UserEndpointOptions } from "../src/index.js";
import { exampleClient, exampleServer } from "./example-host.js";

export const ADDRESS = new URL("https://tools.example/mcp");

/** A server whose users send their ids as tokens. `nobody` is no user. */
export async function serverOfUsers(
  given: Partial<UserEndpointOptions> = {},
  options: Partial<SkillServerOptions> = {},
) {
  const example = await exampleServer(options);
  const authenticate = async ({ headers }: Request) => {
    const [, id] = /^Bearer (\w+)$/.exec(headers.get("authorization") ?? "") ?? [];
    return id === undefined || id === "nobody" ? undefined : { id };
  };
  const endpoint = example.server.userEndpoint({ address: ADDRESS, authenticate, ...given });
  onTestFinished(() => endpoint.close());
  const connect = async (token: string): Promise<Client> => {
    const client = exampleClient("2026-07-28");
    onTestFinished(() => client.close());
    const requestInit = { headers: { authorization: `Bearer ${token}`, host: ADDRESS.host } };
    await client.connect(
      new StreamableHTTPClientTransport(ADDRESS, {
        requestInit,
        fetch: (url, init) => endpoint.fetch(new Request(url, init)),
      }),
    );
    return client;
  };
  const send = (headers: Record<string, string>) =>
    endpoint.fetch(
      new Request(ADDRESS, {
        method: "POST",
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          host: ADDRESS.host,
          ...headers,
        },
      }),
    );
  const ask = async (headers: Record<string, string>) => {
    const answer = await send(headers);
    // A request is open until its answer is read.
    return new Response(await answer.text(), answer);
  };
  /** A request that is open until the answer is read. */
  const open = (token: string) => send({ authorization: `Bearer ${token}` });
  return { ...example, endpoint, connect, ask, open };
}
