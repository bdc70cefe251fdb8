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
 * Runs the work inside an OpenTelemetry span, as a child of the caller's active span. An exception of the work is
 * rethrown; the span then has status `error` with the error's code, never its message. Without a provider registered
 * with `@opentelemetry/api` 1.x, only the work runs.
 *
 * @param work Receives a function that adds attributes, for values that are known only at the end.
 */
export async function withSpan<Result>(
  name: SpanName,
  attributes: SpanAttributes,
  work: (set: (more: SpanAttributes) => void) => Promise<Result>,
): Promise<Result> {
  const tracer = registeredProvider()?.getTracer("skillwright");
  if (!tracer) return await work(() => undefined);
  return await tracer.startActiveSpan(name, { attributes: { ...attributes } }, async (span) => {
    try {
      return await work((more) => void span.setAttributes({ ...more }));
    } catch (error) {
      failed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** As `withSpan`, for work that gives its result at once. */
export function withSpanSync<Result>(
  name: SpanName,
  attributes: SpanAttributes,
  work: (set: (more: SpanAttributes) => void) => Result,
): Result {
  const tracer = registeredProvider()?.getTracer("skillwright");
  if (!tracer) return work(() => undefined);
  return tracer.startActiveSpan(name, { attributes: { ...attributes } }, (span) => {
    try {
      return work((more) => void span.setAttributes({ ...more }));
    } catch (error) {
      failed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

function failed(span: Span, error: unknown): void {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (typeof code === "string") span.setAttribute("error.type", code);
  span.setStatus({ code: STATUS_ERROR });
}

/** `SpanStatusCode.ERROR` */
const STATUS_ERROR = 2;

/**
 * The provider that the application registered, read from where every copy of version 1 of the API stores it. Importing
 * the package, which is optional, would be an error for bundlers, and would give an application that bundles its own a
 * second copy.
 */
function registeredProvider(): TracerProvider | undefined {
  return (globalThis as { readonly [API]?: { readonly trace?: TracerProvider } })[API]?.trace;
}

const API = Symbol.for("opentelemetry.js.api.1");

/** The part of the API's types that is used. */
interface TracerProvider {
  getTracer(name: string): {
    startActiveSpan<Result>(
      name: string,
      options: { attributes: SpanAttributes },
      work: (span: Span) => Result,
    ): Result;
  };
}

interface Span {
  setAttribute(name: string, value: string): unknown;
  setAttributes(attributes: SpanAttributes): unknown;
  setStatus(status: { code: number }): unknown;
  end(): void;
}
