/** The names of all spans. None carries content: no command, no path of a user's file, no value of a variable. */
export type SpanName =
  | "workspace.create"
  | "workspace.bootstrap"
  | "workspace.stage.skill"
  | "workspace.stage.inputs"
  | "workspace.run"
  | "workspace.collect"
  | "workspace.cleanup"
  | "workspace.inline"
  | "workspace.snapshot"
  | "workspace.restore"
  | "skill.load"
  | `repository.${"list" | "find" | "load" | "open" | "upload" | "delete"}`
  | `catalog.${"snapshot" | "load" | "open" | "search" | "upload" | "delete"}`
  | "tool.call"
  | "agent.turn"
  | "agent.model";

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/**
 * Does the work inside a span of OpenTelemetry, below the caller's active span. What the work throws is thrown on, and the
 * span then says `error` with the error's code, never its message. Where the application registered no provider with
 * `@opentelemetry/api` 1.x, only the work is done.
 *
 * @param work Is given a function that adds attributes, for what is only known at the end.
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
      const code = (error as { code?: unknown } | undefined)?.code;
      if (typeof code === "string") span.setAttribute("error.type", code);
      span.setStatus({ code: STATUS_ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** `SpanStatusCode.ERROR` */
const STATUS_ERROR = 2;

/**
 * The provider that the application registered, from where every copy of version 1 of the API finds it. An import of the
 * package, which is optional, is an error to bundlers, and would give a second copy to an application that bundles its own.
 */
function registeredProvider(): TracerProvider | undefined {
  return (globalThis as { readonly [API]?: { readonly trace?: TracerProvider } })[API]?.trace;
}

const API = Symbol.for("opentelemetry.js.api.1");

/** What is used of the API's types. */
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
