import { expect, test } from "vitest";
import { type DockerRuntime, dockerRuntime } from "../../src/index.js";
import { knowingItself, startFakeEngine } from "../engine/fake-engine.js";

const TIMEOUT_MS = 200;
/** Enough for the calls that are answered, on a busy machine. */
const LONG_TIMEOUT_MS = 3000;

const operations: readonly [string, (runtime: DockerRuntime) => Promise<unknown>][] = [
  ["capabilities", (runtime) => runtime.capabilities()],
  ["create", (runtime) => runtime.create("w")],
  ["attach", (runtime) => runtime.attach("w")],
  ["destroy", (runtime) => runtime.destroy("w")],
  ["list", (runtime) => runtime.list()],
];

test.each(operations)(
  "DOCK-04: %s on an engine that never answers ends at the deadline",
  async (_, operation) => {
    await using engine = await startFakeEngine(() => undefined);
    await endsInTime(engine.host, operation);
  },
);

test.each(operations)(
  "DOCK-04: %s on an engine that answers only queries about itself ends at the deadline",
  async (_, operation) => {
    await using engine = await startFakeEngine(knowingItself(() => undefined));
    await endsInTime(engine.host, operation);
  },
);

test("DOCK-04: create ends even where the engine falls silent halfway, and does not wait for the cleanup", async () => {
  await using engine = await startFakeEngine(
    knowingItself((request, response) => {
      const answers = [
        ["/images/", { Id: "sha256:1", Architecture: "amd64", Config: {} }],
        ["/info", { MemTotal: 2 ** 30 }],
        ["/volumes/create", { Name: "x" }],
      ] as const;
      const answer = answers.find(([part]) => request.url?.includes(part))?.[1];
      if (answer) response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
    }),
  );
  await endsInTime(engine.host, (runtime) => runtime.create("w"), LONG_TIMEOUT_MS);
  expect(engine.asked.some((line) => line.includes("/containers/create"))).toBe(true);
});

test("closing does not wait for an engine that never answers", async () => {
  await using engine = await startFakeEngine(() => undefined);
  const runtime = dockerRuntime({ engine: { host: engine.host }, callTimeoutMs: 60_000 });
  const listing = runtime.list();
  listing.catch(() => undefined);
  await expect.poll(() => engine.asked.length).toBeGreaterThan(0);
  await runtime.close();
  await expect(runtime.list()).rejects.toMatchObject({ code: "CLOSED" });
});

async function endsInTime(
  host: string,
  operation: (runtime: DockerRuntime) => Promise<unknown>,
  callTimeoutMs = TIMEOUT_MS,
): Promise<void> {
  await using runtime = dockerRuntime({ engine: { host }, callTimeoutMs });
  await expect(operation(runtime)).rejects.toMatchObject({
    code: "BACKEND_FAILED",
    message: expect.stringContaining(`did not respond within ${callTimeoutMs} ms`),
  });
}
