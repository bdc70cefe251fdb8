import { expect } from "vitest";
import { openArchive, writeArchive } from "../../../packages/archive/src/index.js";
import { memoryLabels, registryHandler } from "../../../packages/repository-http/src/index.js";
import { memoryRepository } from "../../../packages/repository-memory/src/index.js";
import { settlesAfter, zeros } from "../boundary.js";
import { limitsOf, MIB, SECOND } from "../limit.js";

const HANDLER = "src/registry/server/registry-handler.ts";

export const registryLimits = limitsOf("repository-http", [
  {
    option: "upload to a registry: `limits.archiveBytes`",
    kind: "default",
    value: 32 * MIB,
    unit: "bytes",
    documented: ["README.md", "a zip of at most 32 MiB (`limits.archiveBytes`)"],
    source: [HANDLER, "archiveBytes: 32 * MEBIBYTE"],
    probe: async (value) => {
      const put = async (bytes: number) => {
        const body = ReadableStream.from(zeros(bytes));
        const init = { method: "PUT", body, duplex: "half" } as RequestInit;
        return (await handler()(new Request("http://localhost/v1/skill?skill=one", init))).status;
      };
      // The permitted number of bytes is read, and then the digest is missing.
      expect([await put(value), await put(value + 1)]).toEqual([400, 413]);
    },
  },
  {
    option: "question for changes of a registry",
    kind: "limit",
    value: 25 * SECOND,
    unit: "ms",
    documented: ["README.md", "up to 25 seconds for each question"],
    source: [HANDLER, "MAX_WAIT_MS = 25_000"],
    probe: async (value) => {
      const handle = handler();
      const address = "http://localhost/v1/changes";
      const { revision } = (await (await handle(new Request(address))).json()) as { revision: string };
      await settlesAfter(value, () => handle(new Request(`${address}?wait=99999999&since=${revision}`)));
    },
  },
  {
    option: "length of a label",
    kind: "limit",
    value: 64,
    unit: "characters",
    documented: ["README.md", "A label has 1 to 64 lower-case letters"],
    source: ["src/registry/registry-labels.ts", "{0,62}"],
    probe: async (value) => {
      const remove = async (length: number) => {
        const address = `http://localhost/v1/label?skill=one&label=${"x".repeat(length)}`;
        return (await handler()(new Request(address, { method: "DELETE" }))).status;
      };
      expect([await remove(value), await remove(value + 1)]).toEqual([200, 400]);
    },
  },
]);

function handler(): (request: Request) => Promise<Response> {
  const repository = memoryRepository();
  return registryHandler({
    repository,
    labels: memoryLabels(),
    openArchive,
    writeArchive,
    authorize: () => true,
  });
}
