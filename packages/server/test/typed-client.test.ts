import createClient from "openapi-fetch";
import { expect, test } from "vitest";
import type { ServerPaths } from "../src/client.js";
import { testServer } from "./test-server.js";

test("SERVE-50: a client with the generated types asks every kind of endpoint, and wrong names and bodies are type errors", async () => {
  const server = testServer();
  const client = createClient<ServerPaths>({
    baseUrl: "http://localhost",
    headers: { authorization: "Bearer ada" },
    fetch: (request) => server.fetch(request),
  });
  const { data: made } = await client.POST("/v1/conversations", { body: { title: "Typed" } });
  const title: string | undefined = made?.title;
  expect(title).toBe("Typed");
  const id = made?.id ?? "";
  const path = { conversation: id };
  const { data: changed } = await client.PATCH("/v1/conversations/{conversation}", {
    params: { path },
    body: { title: "Renamed" },
  });
  expect(changed).toMatchObject({ id, title: "Renamed" });
  const { data: listed } = await client.GET("/v1/conversations");
  expect(listed?.map((one) => one.title)).toEqual(["Renamed"]);
  const turn = await client.POST("/v1/conversations/{conversation}/turns", {
    params: { path },
    body: { message: { parts: [{ type: "text", text: "Go" }] } },
    parseAs: "text",
  });
  expect(turn.data).toContain("[DONE]");
  const { error, response } = await client.GET("/v1/conversations/{conversation}", {
    params: { path: { conversation: "none" } },
  });
  expect(response.status).toBe(404);
  expect(error?.remedy).toContain("List what there is");
  // @ts-expect-error There is no such endpoint.
  await client.GET("/v1/conversation");
  // @ts-expect-error A title is text.
  const refused = await client.POST("/v1/conversations", { body: { title: 1 } });
  expect(refused.response.status).toBe(400);
});
