import { expect, test } from "vitest";
import type { AgentServer } from "../src/index.js";
import { ask, testServer } from "./test-server.js";

interface Shown {
  readonly id: string;
  readonly title: string;
}

async function withConversations(count: number): Promise<AgentServer> {
  const server = testServer({ limiter: false });
  for (let n = 0; n < count; n++)
    expect((await ask(server, "/conversations", { json: { id: `c${n}`, title: `Title ${n}` } })).status).toBe(
      201,
    );
  return server;
}

/** The conversations of a page, and the path of the next page from the header `link`. */
async function page(server: AgentServer, path: string) {
  const answer = await ask(server, path);
  expect(answer.status).toBe(200);
  const [, link] = /^<([^>]*)>; rel="next"$/.exec(answer.headers.get("link") ?? "") ?? [];
  const next = link && new URL(link, `http://localhost/some/prefix/v1${path}`);
  if (next) expect(next.pathname).toBe("/some/prefix/v1/conversations");
  const shown = (await answer.json()) as readonly Shown[];
  return { ids: shown.map(({ id }) => id), next: next && `/conversations${next.search}` };
}

async function allPages(server: AgentServer, path: string): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  for (let next: string | undefined = path; next; ) {
    const got: Awaited<ReturnType<typeof page>> = await page(server, next);
    pages.push(got.ids);
    next = got.next;
  }
  return pages;
}

test("SERVE-77: the links from page to page lead to each conversation once, in the order of the whole list", async () => {
  const server = await withConversations(25);
  const whole = (await page(server, "/conversations")).ids;
  expect(whole).toHaveLength(25);
  const pages = await allPages(server, "/conversations?limit=10");
  expect(pages.map(({ length }) => length)).toEqual([10, 10, 5]);
  expect(pages.flat()).toEqual(whole);
  const even = await allPages(server, "/conversations?limit=5");
  expect(even.map(({ length }) => length)).toEqual([5, 5, 5, 5, 5]);
});

test("SERVE-77: the next page starts at the right place, even if conversations were created, changed and deleted meanwhile", async () => {
  const server = await withConversations(9);
  const { ids: first, next = "" } = await page(server, "/conversations?limit=3");
  const rest = (await page(server, "/conversations")).ids.slice(3);
  await ask(server, `/conversations/${first[2]}`, { method: "DELETE" });
  await ask(server, `/conversations/${first[0]}`, { method: "PATCH", json: { title: "Later" } });
  await ask(server, "/conversations", { json: { id: "new" } });
  expect((await allPages(server, next)).flat()).toEqual(rest);
});

test("a search ignores upper and lower case in titles and ids, and its results have pages", async () => {
  const server = await withConversations(12);
  expect((await page(server, "/conversations?query=TITLE%2011")).ids).toEqual(["c11"]);
  expect((await page(server, "/conversations?query=C3")).ids).toEqual(["c3"]);
  expect(
    (await allPages(server, "/conversations?query=title%201&limit=2")).map(({ length }) => length),
  ).toEqual([2, 1]);
  expect((await page(server, "/conversations?query=other")).ids).toEqual([]);
});

test.each([
  "limit=0",
  "limit=1001",
  "limit=x",
  "cursor=",
  "cursor=x",
  "cursor=eA",
  `query=${"x".repeat(201)}`,
])("a list with %s is refused with 400", async (query) => {
  const answer = await ask(testServer(), `/conversations?${query}`);
  expect([answer.status, await answer.json()]).toEqual([
    400,
    expect.objectContaining({ code: "INPUT_INVALID" }),
  ]);
});

test("a page contains only conversations of the user who asks, even with the cursor of another user", async () => {
  const server = await withConversations(3);
  const { next = "" } = await page(server, "/conversations?limit=1");
  expect(await (await ask(server, next, { user: "bob" })).json()).toEqual([]);
});
