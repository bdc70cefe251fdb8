import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withSpan } from "../src/adapter.js";
import { SkillError } from "../src/index.js";

const exporter = new InMemorySpanExporter();

test("without a provider only the work runs", async () => {
  expect(await withSpan("workspace.run", {}, async () => 1)).toBe(1);
});

describe("with the SDK's provider", () => {
  beforeAll(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    );
  });
  afterAll(() => {
    trace.disable();
    context.disable();
  });
  beforeEach(() => exporter.reset());

  test("a span has its name and attributes, including those set at the end, and is a child of the active one", async () => {
    await withSpan("workspace.run", { skill: "a" }, async (set) => {
      await withSpan("workspace.collect", {}, async () => undefined);
      set({ exitCode: 0 });
    });
    const [inner, outer] = exporter.getFinishedSpans();
    expect(outer).toMatchObject({ name: "workspace.run", attributes: { skill: "a", exitCode: 0 } });
    expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
  });

  test("an error is rethrown, and the span has its code but not its message", async () => {
    const error = new SkillError("REFUSED", "the secret");
    await expect(withSpan("skill.load", {}, () => Promise.reject(error))).rejects.toBe(error);
    const [span] = exporter.getFinishedSpans();
    expect(span).toMatchObject({ attributes: { "error.type": "REFUSED" }, status: { code: 2 }, events: [] });
    expect(JSON.stringify([span?.attributes, span?.status])).not.toContain("secret");
  });
});
