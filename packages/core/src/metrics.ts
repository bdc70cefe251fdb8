import { registeredProviders } from "./opentelemetry-api.js";
import type { SpanAttributes } from "./span.js";

/** A metric that counts what is open at the moment. */
export type OpenCount = "skillwright.server.turns" | "skillwright.server.streams";

/**
 * Changes the count of what is open: by 1 when a turn or a stream begins, by -1 when it ends. This function and the other functions
 * of this file do nothing if the application has registered no provider of metrics.
 */
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

/**
 * Returns a function that records how long an operation took, with those attributes that have few values. Returns `undefined` if the
 * application has registered no provider of metrics.
 */
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

/** The attributes that a measurement keeps. Each value of another attribute, such as an id or a count, would begin a new series. */
const MEASURED = ["error.type", "finish", "isolation", "outcome", "repository", "runtime", "store", "tool"];

/** The limits of the histograms' buckets in seconds. The default limits of the SDK are meant for milliseconds. */
const LIMITS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

interface Instruments {
  readonly duration: Histogram;
  readonly approval: Histogram;
  readonly tokens: Counter;
  readonly open: Readonly<Record<OpenCount, Counter>>;
}

let made: { readonly provider: MeterProvider; readonly instruments: Instruments } | undefined;

/** Returns the instruments of the registered provider. */
function instruments(): Instruments | undefined {
  const { metrics: provider } = registeredProviders<{ readonly metrics: MeterProvider }>();
  if (!provider) return undefined;
  if (made?.provider !== provider) made = { provider, instruments: instrumentsOf(provider) };
  return made.instruments;
}

function instrumentsOf(provider: MeterProvider): Instruments {
  const meter = provider.getMeter("skillwright");
  const seconds = (name: string, description: string) =>
    meter.createHistogram(name, {
      ...{ description, unit: "s" },
      advice: { explicitBucketBoundaries: LIMITS },
    });
  const open = <Name extends OpenCount>(name: Name, options: object) =>
    ({ [name]: meter.createUpDownCounter(name, options) }) as Record<Name, Counter>;
  return {
    duration: seconds("skillwright.operation.duration", "Duration of an operation"),
    approval: seconds("skillwright.approval.wait", "Time until a question was answered"),
    tokens: meter.createCounter("skillwright.model.tokens", {
      ...{ description: "Tokens that models read and wrote", unit: "{token}" },
    }),
    open: {
      ...open("skillwright.server.turns", { description: "Turns that run now", unit: "{turn}" }),
      ...open("skillwright.server.streams", {
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
