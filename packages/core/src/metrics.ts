import type { SpanAttributes } from "./span.js";

/** Counts that rise and fall. */
export type OpenCount = "skillwright.server.turns" | "skillwright.server.streams";

/** Adds to what is open now, such as 1 when a turn begins and -1 when it ends. Does nothing without a provider of metrics. */
export function countOpen(name: OpenCount, change: 1 | -1): void {
  instruments()?.open[name].add(change);
}

/** Counts the tokens that a model read or wrote. */
export function countTokens(type: "input" | "output", tokens: number | undefined): void {
  if (tokens) instruments()?.tokens.add(tokens, { type });
}

/** Records how long a question waited for its answer. */
export function measureApproval(seconds: number, answer: "allowed" | "refused"): void {
  instruments()?.approval.record(seconds, { answer });
}

/** Records how long an operation took, with those of its attributes that have few values. `undefined` without a provider of metrics. */
export function durations():
  | ((operation: string, seconds: number, attributes: SpanAttributes) => void)
  | undefined {
  const duration = instruments()?.duration;
  if (!duration) return undefined;
  return (operation, seconds, attributes) =>
    duration.record(seconds, {
      operation,
      ...Object.fromEntries(
        MEASURED.flatMap((name) => (name in attributes ? [[name, attributes[name]]] : [])),
      ),
    } as SpanAttributes);
}

/** Attributes that are measured. Other attributes, such as ids, names of skills and counts, would make a series for each value. */
const MEASURED = ["error.type", "finish", "isolation", "outcome", "repository", "runtime", "store", "tool"];

/** Limits of the buckets in seconds. The default limits of the SDK suit milliseconds. */
const LIMITS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

interface Instruments {
  readonly duration: Histogram;
  readonly approval: Histogram;
  readonly tokens: Counter;
  readonly open: Readonly<Record<OpenCount, Counter>>;
}

let made: { readonly provider: MeterProvider; readonly instruments: Instruments } | undefined;

/** The provider is read from where every copy of version 1 of the API stores it, as that of spans. */
function instruments(): Instruments | undefined {
  const provider = (globalThis as { readonly [API]?: { readonly metrics?: MeterProvider } })[API]?.metrics;
  if (!provider) return undefined;
  if (made?.provider !== provider) made = { provider, instruments: instrumentsOf(provider) };
  return made.instruments;
}

const API = Symbol.for("opentelemetry.js.api.1");

function instrumentsOf(provider: MeterProvider): Instruments {
  const meter = provider.getMeter("skillwright");
  const seconds = (description: string) => ({
    ...{ description, unit: "s" },
    advice: { explicitBucketBoundaries: LIMITS },
  });
  return {
    duration: meter.createHistogram("skillwright.operation.duration", seconds("Duration of an operation")),
    approval: meter.createHistogram(
      "skillwright.approval.wait",
      seconds("Time until a question was answered"),
    ),
    tokens: meter.createCounter("skillwright.model.tokens", {
      ...{ description: "Tokens that models read and wrote", unit: "{token}" },
    }),
    open: {
      "skillwright.server.turns": meter.createUpDownCounter("skillwright.server.turns", {
        ...{ description: "Turns that run now", unit: "{turn}" },
      }),
      "skillwright.server.streams": meter.createUpDownCounter("skillwright.server.streams", {
        ...{ description: "Streams that clients read now", unit: "{stream}" },
      }),
    },
  };
}

/** The part of the API's types that this file uses. */
interface MeterProvider {
  getMeter(name: string): {
    createHistogram(name: string, options: object): Histogram;
    createCounter(name: string, options: object): Counter;
    createUpDownCounter(name: string, options: object): Counter;
  };
}

interface Histogram {
  record(value: number, attributes: SpanAttributes): void;
}

interface Counter {
  add(value: number, attributes?: SpanAttributes): void;
}
