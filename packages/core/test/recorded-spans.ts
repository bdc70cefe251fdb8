import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, beforeEach } from "vitest";

/** Records the spans of each test of this file with the SDK's own provider. */
export function recordedSpans() {
  const exporter = new InMemorySpanExporter();
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

  /** Names and attributes, in the order in which they ended. */
  function ended(): readonly (readonly [name: string, attributes: ReadableSpan["attributes"]])[] {
    return exporter.getFinishedSpans().map(({ name, attributes }) => [name, attributes]);
  }

  /** Each span's name with its parent's, in the order in which they ended. */
  function tree(): readonly string[] {
    const spans = exporter.getFinishedSpans();
    const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
    return spans.map(
      ({ name, parentSpanContext }) => `${name} < ${names.get(parentSpanContext?.spanId ?? "") ?? "nothing"}`,
    );
  }

  /** All exported data, as text. */
  function text(): string {
    const spans = exporter.getFinishedSpans();
    return JSON.stringify(
      spans.map(({ name, attributes, events, status }) => [name, attributes, events, status]),
    );
  }

  return {
    ended,
    tree,
    text,
    /** All spans in the SDK's form, in the order in which they ended. */
    spans: () => exporter.getFinishedSpans(),
    reset: () => exporter.reset(),
  };
}
