import { expect, test } from "vitest";
import { ask, testServer } from "./test-server.js";

test("SERVE-12: openapi.json is the document of the current endpoints (vitest -u writes it)", async () => {
  const document = (await (await ask(testServer(), "/openapi.json")).json()) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  expect(document).toMatchObject({ openapi: "3.1.0" });
  const ids = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId }) => operationId);
  expect(ids).toEqual([...new Set(ids)]);
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot("../openapi.json");
});
