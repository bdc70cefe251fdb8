import { randomUUID } from "node:crypto";
import { memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { onTestFinished } from "vitest";
import { scriptedModel } from "../../agent/test/scripted-model.js";
import { SHOUT } from "../../agent/test/test-agent.js";
import { type AgentServer, type AgentServerOptions, agentServer, type ServerLog } from "../src/index.js";

/** A server with two users, `ada` and `bob`, whose tokens are their names; closed after the test. */
export function testServer(options: Partial<AgentServerOptions> = {}): AgentServer {
  const skills = skillBox({ test: memoryRepository({ skills: { shout: SHOUT } }) });
  const runtime = localRuntime({ isolation: "auto" });
  const server = agentServer({
    agents: { assistant: { modelConfig: { provider: "offline", model: "offline planner" } } },
    // All tests of this machine share the records of workspaces.
    app: `test-${randomUUID()}`,
    ...{ skills, runtime },
    authenticate: (request) => {
      const id = request.headers.get("authorization")?.replace("Bearer ", "");
      return id === "ada" || id === "bob" ? { id } : undefined;
    },
    ...options,
  });
  onTestFinished(async () => {
    await server.close();
    await runtime.close();
    await skills.close();
  });
  return server;
}

/** Agents whose model says these steps. */
export function scripted(
  steps: Parameters<typeof scriptedModel>[0],
): Pick<AgentServerOptions, "agents" | "dependencies"> {
  const { model } = scriptedModel(steps);
  return {
    agents: { assistant: { modelConfig: { provider: "test", model: "test" } } },
    dependencies: { models: () => model },
  };
}

export interface LogEntry {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** Creates a log whose entries a test can read. */
export function keptLog(): { readonly log: ServerLog; entries(level?: string): readonly LogEntry[] } {
  const all: LogEntry[] = [];
  const entry = (level: string) => (fields: LogEntry["fields"], message: string) =>
    void all.push({ level, fields, message });
  return {
    log: { debug: entry("debug"), info: entry("info"), warn: entry("warn"), error: entry("error") },
    entries: (level) => all.filter((one) => level === undefined || one.level === level),
  };
}

export interface Asked {
  readonly user?: string;
  readonly method?: string;
  readonly json?: unknown;
  readonly body?: string | ReadableStream;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request as `ada`, or as another user. */
export async function ask(
  server: Pick<AgentServer, "fetch">,
  path: string,
  asked: Asked = {},
): Promise<Response> {
  const { user = "ada", json, body, headers } = asked;
  const sent = json === undefined ? body : JSON.stringify(json);
  return await server.fetch(
    new Request(`http://localhost/v1${path}`, {
      method: asked.method ?? (sent === undefined ? "GET" : "POST"),
      headers: {
        authorization: `Bearer ${user}`,
        ...(json !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent, duplex: "half" }),
    } as RequestInit),
  );
}

/** Creates a conversation and returns its id. */
export async function newConversation(server: AgentServer, user?: string): Promise<string> {
  const answer = await ask(server, "/conversations", { json: {}, ...(user && { user }) });
  return ((await answer.json()) as { id: string }).id;
}

/** Starts a turn with these words. */
export async function say(server: AgentServer, conversation: string, text: string): Promise<Response> {
  const json = { message: { parts: [{ type: "text", text }] } };
  return await ask(server, `/conversations/${conversation}/turns`, { json });
}

/** An event of a stream; the last one is `[DONE]` and has no offset. */
export interface Sent {
  readonly id: number | undefined;
  readonly data: Record<string, unknown> | "[DONE]";
}

/** The events of a stream, as they arrive. */
export async function* eventsOf(response: Response): AsyncGenerator<Sent, void, undefined> {
  const events = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream() as never)
    .pipeThrough<{ readonly id?: string; readonly data: string }>(new EventSourceParserStream() as never);
  for await (const { id, data } of events as unknown as AsyncIterable<{ id?: string; data: string }>)
    yield {
      id: id === undefined ? undefined : Number(id),
      data: data === "[DONE]" ? data : JSON.parse(data),
    };
}

/** All events of a stream. */
export async function allEvents(response: Response): Promise<readonly Sent[]> {
  const events: Sent[] = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
}
