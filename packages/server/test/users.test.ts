import { expect, test } from "vitest";
import type { AgentServer } from "../src/index.js";
import { allEvents, ask, newConversation, say, testServer } from "./test-server.js";

interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  readonly isPublic: boolean;
}

const SECRET = "the-secret-of-ada";

test("SERVE-06: no route answers without credentials, but health, readiness and the OpenAPI document", async () => {
  const server = testServer();
  const ada = await journeyOfAda(server);
  for (const route of await routesOf(server)) {
    const { status, text } = await called(server, route, ada, "nobody");
    expect({ route, status }).toEqual({ route, status: route.isPublic ? 200 : 401 });
    if (!route.isPublic) expect(JSON.parse(text)).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
  }
  expect((await called(server, { ...UNKNOWN, path: "/unknown" }, ada, "nobody")).status).toBe(401);
});

test("SERVE-07: no route gives a user anything of another user", async () => {
  const server = testServer();
  const ada = await journeyOfAda(server);
  const routes = await routesOf(server);
  const own = routes.filter(({ path }) => /\{(conversation|workspace)\}/.test(path));
  expect(own.length).toBeGreaterThan(15);
  for (const route of routes) {
    const { status, text } = await called(server, route, ada, "bob");
    const isOwned = own.includes(route);
    expect({ route, status: isOwned ? status : "any" }).toEqual({ route, status: isOwned ? 404 : "any" });
    // What bob sent himself comes back in the detail of a problem.
    const told = isOwned ? JSON.parse(text).title : text;
    for (const value of [SECRET, ada.conversation, ada.workspace])
      expect(told, route.operation).not.toContain(value);
  }
  // Nothing was changed either.
  expect((await ask(server, `/conversations/${ada.conversation}`)).status).toBe(200);
  expect(await (await ask(server, "/workspaces")).json()).toMatchObject([{ id: ada.workspace }]);
});

test("two users may use the same id of a conversation", async () => {
  const server = testServer();
  for (const user of ["ada", "bob"]) {
    const created = await ask(server, "/conversations", { user, json: { id: "one", title: user } });
    expect(created.status).toBe(201);
  }
  expect(await (await ask(server, "/conversations/one", { user: "bob" })).json()).toMatchObject({
    title: "bob",
  });
});

interface Ada {
  readonly conversation: string;
  readonly turn: string;
  readonly call: string;
  readonly workspace: string;
}

async function journeyOfAda(server: AgentServer): Promise<Ada> {
  const conversation = await newConversation(server);
  await ask(server, `/conversations/${conversation}`, { method: "PATCH", json: { title: SECRET } });
  const body = `${SECRET}\n`;
  await ask(server, `/conversations/${conversation}/uploads/note.txt`, { method: "PUT", body });
  const events = await allEvents(await say(server, conversation, "Write the note in capital letters"));
  const parts = events.flatMap(({ data }) => (data === "[DONE]" ? [] : [data]));
  const { id: call } = parts.find(({ type }) => type === "data-run") as { id: string };
  const { messageId: turn } = parts[0] as { messageId: string };
  const [workspace] = (await (await ask(server, "/workspaces")).json()) as { id: string }[];
  return { conversation, turn, call, workspace: workspace?.id ?? "" };
}

async function routesOf(server: AgentServer): Promise<readonly Route[]> {
  const document = (await (await ask(server, "/openapi.json")).json()) as {
    paths: Record<string, Record<string, { operationId: string; security?: unknown[] }>>;
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security }]) => ({
      ...{
        method: method.toUpperCase(),
        path: path.replace("/v1", ""),
        operation: operationId,
        isPublic: security?.length === 0,
      },
    })),
  );
}

const UNKNOWN: Route = { method: "GET", path: "", operation: "", isPublic: false };

const BODIES: Readonly<Record<string, unknown>> = {
  startTurn: { message: { parts: [{ type: "text", text: "Hello" }] } },
  createConversation: { title: "mine" },
  decideApproval: { answer: { allow: "once" } },
  renameConversation: { title: "taken over" },
};

async function called(server: AgentServer, { method, path, operation }: Route, ada: Ada, user: string) {
  const given: Record<string, string> = {
    ...ada,
    approval: "0".repeat(32),
    name: operation === "getSkill" ? "shout" : "note.txt",
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given[name] ?? ""));
  const json = BODIES[operation];
  const query = "?path=work/inputs/note.txt&name=out/loud.txt&query=letters";
  const answer = await ask(server, filled + query, { user, method, ...(json !== undefined && { json }) });
  return { status: answer.status, text: await answer.text() };
}
