import { describe, expect, test } from "vitest";
import type { AgentServer } from "../src/index.js";
import { ask, newConversation, testServer } from "./test-server.js";

const TYPE = { "content-type": "multipart/form-data; boundary=edge" };

describe("a form with files", () => {
  test("SERVE-40: stores each file, in order, with its content and without the path in its name", async () => {
    const server = testServer();
    const id = await newConversation(server);
    const form = new FormData();
    form.append("file", new Blob(["first"]), "a.txt");
    form.append("other", new Blob(["x".repeat(300_000)]), "../../é b.txt");
    form.append("file", new Blob([]), "empty.txt");
    const { headers, body } = new Request("http://localhost", { method: "POST", body: form });
    const answer = await ask(server, `/conversations/${id}/uploads`, {
      body: body as ReadableStream,
      headers: { "content-type": headers.get("content-type") ?? "" },
    });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject([
      { path: "work/inputs/a.txt", size: 5 },
      { path: "work/inputs/é b.txt", size: 300_000 },
      { path: "work/inputs/empty.txt", size: 0 },
    ]);
    const read = await ask(server, `/conversations/${id}/files/content?path=work/inputs/a.txt`);
    expect(await read.text()).toBe("first");
  });

  test("is refused before its body is read when it announces too much", async () => {
    const server = testServer({ maxUploadBytes: 10 });
    const id = await newConversation(server);
    let read = 0;
    const body = new ReadableStream(
      { pull: (controller) => controller.enqueue(new Uint8Array(++read)) },
      { highWaterMark: 0 },
    );
    const headers = { ...TYPE, "content-length": "11" };
    expect((await ask(server, `/conversations/${id}/uploads`, { body, headers })).status).toBe(413);
    expect(read).toBe(0);
    expect(await (await ask(server, "/workspaces")).json()).toEqual([]);
  });

  const refused: readonly (readonly [string, string, number, RegExp])[] = [
    ["grows past the limit", `${file("a.txt")}${"x".repeat(2000)}`, 413, /at most 1000 bytes/],
    ["ends in a file", `${file("a.txt")}begun`, 400, /cannot be read/],
    ["ends before a file", "--edge\r\n", 400, /cannot be read|no file/],
    ["has a text field", `${part('name="a"')}text\r\n--edge--\r\n`, 400, /"a".* no file/],
    ["has no file", "--edge--\r\n", 400, /no file/],
    ["has a file with a name that is too long", `${file("a".repeat(300))}x\r\n--edge--\r\n`, 400, /255/],
    ["is no form", "begun", 400, /cannot be read|no file/],
  ];
  test.each(refused)("that %s is refused, and leaves no file", async (_, body, status, told) => {
    const server = testServer({ maxUploadBytes: 1000 });
    const id = await newConversation(server);
    const { length } = body;
    const answer = await sent(server, id, body);
    const { detail } = (await answer.json()) as { detail: string };
    expect({ status: answer.status, detail, length }).toEqual({
      ...{ status, length },
      detail: expect.stringMatching(told),
    });
    expect(await (await ask(server, `/conversations/${id}/files`)).json()).toEqual([]);
  });

  test("keeps the files before the one that fails", async () => {
    const server = testServer();
    const id = await newConversation(server);
    const answer = await sent(server, id, `${file("a.txt")}whole\r\n${file("b.txt")}begun`);
    expect(answer.status).toBe(400);
    const files = (await (await ask(server, `/conversations/${id}/files`)).json()) as { path: string }[];
    expect(files.map(({ path }) => path)).toEqual(["work/inputs/a.txt"]);
  });

  test("of another type is refused", async () => {
    const server = testServer();
    const id = await newConversation(server);
    for (const type of ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      const headers = { "content-type": type };
      const answer = await ask(server, `/conversations/${id}/uploads`, { body: "a=b", headers });
      expect([type, answer.status]).toEqual([type, 400]);
    }
  });
});

function part(disposition: string): string {
  return `--edge\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n`;
}

function file(name: string): string {
  return part(`name="file"; filename="${name}"`);
}

/** In small pieces and without its length. */
async function sent(server: AgentServer, id: string, body: string): Promise<Response> {
  const pieces = body.match(/[\s\S]{1,7}/g) ?? [];
  const stream = new ReadableStream({
    pull: (controller) => {
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
  return await ask(server, `/conversations/${id}/uploads`, { body: stream, headers: TYPE });
}
