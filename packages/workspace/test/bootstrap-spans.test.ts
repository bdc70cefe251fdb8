import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { BootstrapStep } from "../src/index.js";
import { SESSION, workspaceFixture } from "./workspace-fixture.js";

const exporter = new InMemorySpanExporter();

async function spanOf(step: BootstrapStep) {
  await using fixture = await workspaceFixture("none", { bootstrap: () => [step] });
  const { id } = await fixture.workspaces.forSession(SESSION);
  await fixture.workspaces.run(id, { skill: "demo", command: "true" }).catch(() => undefined);
  const spans = exporter.getFinishedSpans().filter(({ name }) => name === "workspace.bootstrap");
  expect(spans).toHaveLength(1);
  return { id, attributes: spans[0]?.attributes, status: spans[0]?.status };
}

const STEP: BootstrapStep = {
  name: "name-of-step",
  files: [{ path: "work/name-of-file", content: "content-of-file" }],
  commands: ["echo text-of-command"],
};

describe("the span of a bootstrap step", () => {
  beforeAll(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const spanProcessors = [new SimpleSpanProcessor(exporter)];
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
  });
  afterAll(() => {
    trace.disable();
    context.disable();
  });
  beforeEach(() => exporter.reset());

  test("carries ids and counts, and no name, path or text", async () => {
    const { id, attributes } = await spanOf(STEP);
    const fingerprint = expect.stringMatching(/^[0-9a-f]{64}$/);
    const counts = { files: 1, commands: 1, fromCache: false };
    expect(attributes).toEqual({ workspaceId: id, skill: "demo", fingerprint, ...counts });
  });

  test("says the code of a failure, and nothing of its message", async () => {
    const { attributes, status } = await spanOf({ ...STEP, commands: ["echo text-of-output; exit 3"] });
    expect(attributes).toMatchObject({ "error.type": "BACKEND_FAILED" });
    expect(JSON.stringify([attributes, status])).not.toMatch(/text-of|name-of/);
  });
});
