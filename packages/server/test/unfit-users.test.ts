import { expect, test } from "vitest";
import { proxyUsers } from "../src/users.js";
import { ask, testServer } from "./test-server.js";

test.each([{ id: 5 }, { id: "" }, { id: "a\nb" }, { id: "x".repeat(129) }])(
  "a request whose user gets the invalid id $id from the application is answered with 500, and the log says why (SERVE-113)",
  async (user) => {
    const errors: unknown[] = [];
    const log = {
      ...{ debug: () => undefined, info: () => undefined, warn: () => undefined },
      error: (fields: { readonly err?: unknown }) => void errors.push(fields.err),
    };
    const server = testServer({ authenticate: () => user as { id: string }, log });
    const answer = await server.fetch(new Request("http://localhost/v1/server"));
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ requestId: expect.any(String) });
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining("authenticate") })]);
  },
);

test.each([{ app: "" }, { app: "a\nb" }, { basePath: "v1" }, { basePath: "/v1/" }, { basePath: "/v 1" }])(
  "agentServer refuses the options %j",
  (options) => {
    expect(() => testServer(options)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  },
);

test("the error for an invalid cursor of the list of conversations names the cursor", async () => {
  const answer = await ask(testServer(), "/conversations?cursor=abc");
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ detail: expect.stringContaining("The cursor must be the") });
});

test("proxyUsers refuses a missing secret", () => {
  const secret = process.env["SKILLWRIGHT_NO_SUCH_VARIABLE"] as string;
  expect(() => proxyUsers({ secret })).toThrow(/secret: is missing or has fewer than 16 characters/);
});
