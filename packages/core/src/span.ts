import { durations } from "./metrics.js";
import { registeredProviders } from "./opentelemetry-api.js";

/** The names of all spans. No span carries content: no command, no path of a user's file, no value of a variable. */
export type SpanName =
  | "workspace.create"
  | "workspace.bootstrap"
  | "workspace.environment"
  | "workspace.stage.skill"
  | "workspace.stage.inputs"
  | "workspace.run"
  | "workspace.collect"
  | "workspace.cleanup"
  | "workspace.inline"
  | "workspace.snapshot"
  | "workspace.restore"
  | "skill.load"
  | "skill.parse"
  // Those of the ports: `spanned` has the methods.
  | `${"repository" | "catalog" | "runtime" | "index" | "records"}.${string}`
  | `injector.${"overview" | "note" | "put-back"}`
  | "tool.call"
  | "agent.turn"
  | "agent.model"
  | "server.turn";

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/**
 * Runs the work inside an OpenTelemetry span, as a child of the caller's active span, and measures how long it took. An
 * exception of the work is rethrown; the span then has status `error` with the error's code, never its message. Without a
 * provider of spans or metrics registered with `@opentelemetry/api` 1.x, only the work runs.
 *
 * @param work Receives a function that adds attributes, for values that are known only at the end.
 */
export async function withSpan<Result>(
  name: SpanName,
  attributes: SpanAttributes,
  work: (set: (more: SpanAttributes) => void) => Promise<Result>,
): Promise<Result> {
  return await during(begun(name, attributes, tracer()), work);
}

/** Measures how long the work took, as `withSpan` does, without a span. */
export async function withDuration<Result>(
  name: SpanName,
  attributes: SpanAttributes,
  work: () => Promise<Result>,
): Promise<Result> {
  return await during(begun(name, attributes, undefined), work);
}

async function during<Result>(
  operation: Operation | undefined,
  work: (set: (more: SpanAttributes) => void) => Promise<Result>,
): Promise<Result> {
  if (!operation) return await work(() => undefined);
  return await operation.within(async () => {
    try {
      return await work(operation.set);
    } catch (error) {
      operation.failed(error);
      throw error;
    } finally {
      operation.end();
    }
  });
}

/** As `withSpan`, for work that gives its result at once. */
export function withSpanSync<Result>(
  name: SpanName,
  attributes: SpanAttributes,
  work: (set: (more: SpanAttributes) => void) => Result,
): Result {
  const operation = begun(name, attributes, tracer());
  if (!operation) return work(() => undefined);
  return operation.within(() => {
    try {
      return work(operation.set);
    } catch (error) {
      operation.failed(error);
      throw error;
    } finally {
      operation.end();
    }
  });
}

/** An operation that is in progress, for which there is a span, a measurement, or both. */
interface Operation {
  /** Runs the work with the span as the active one. */
  within<Result>(work: () => Result): Result;
  set(more: SpanAttributes): void;
  failed(error: unknown): void;
  end(): void;
}

/** Begins an operation. Returns `undefined` if the application has registered no provider. */
function begun(
  name: SpanName,
  attributes: SpanAttributes,
  tracer: Tracer | undefined,
): Operation | undefined {
  const measure = durations();
  if (!tracer && !measure) return undefined;
  const beganMs = performance.now();
  let all = attributes;
  let span: Span | undefined;
  const set = (more: SpanAttributes): void => {
    all = { ...all, ...more };
    span?.setAttributes({ ...more });
  };
  return {
    within: (work) => {
      if (!tracer) return work();
      return tracer.startActiveSpan(name, { attributes: { ...attributes } }, (active) => {
        span = active;
        return work();
      });
    },
    set,
    failed: (error) => {
      const code = (error as { code?: unknown } | undefined)?.code;
      if (typeof code === "string") set({ "error.type": code });
      span?.setStatus({ code: STATUS_ERROR });
    },
    end: () => {
      span?.end();
      measure?.(name, (performance.now() - beganMs) / 1000, all);
    },
  };
}

/** `SpanStatusCode.ERROR` */
const STATUS_ERROR = 2;

function tracer(): Tracer | undefined {
  return registeredProviders<{ readonly trace: TracerProvider }>().trace?.getTracer("skillwright");
}

/** The part of the API's types that this file uses. */
interface TracerProvider {
  getTracer(name: string): Tracer;
}

interface Tracer {
  startActiveSpan<Result>(
    name: string,
    options: { attributes: SpanAttributes },
    work: (span: Span) => Result,
  ): Result;
}

interface Span {
  setAttributes(attributes: SpanAttributes): unknown;
  setStatus(status: { code: number }): unknown;
  end(): void;
}
