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
  | `repository.${"list" | "load" | "open" | "upload" | "delete"}`;

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/**
 * Does the work inside a span of OpenTelemetry, below the caller's active span. What the work throws is thrown on, and the
 * span then says `error` with the error's code, never its message. Without `@opentelemetry/api` installed, or without a
 * provider registered by the application, only the work is done.
 *
 * @param work Is given a function that adds attributes, for what is only known at the end.
 */
export async function withSpan<Result>(
  name: SpanName,
  attributes: SpanAttributes,
  work: (set: (more: SpanAttributes) => void) => Promise<Result>,
): Promise<Result> {
  loading ??= load();
  const api = await loading;
  if (!api) return await work(() => undefined);
  const tracer = api.trace.getTracer("skillwright");
  return await tracer.startActiveSpan(name, { attributes: { ...attributes } }, async (span) => {
    try {
      return await work((more) => void span.setAttributes({ ...more }));
    } catch (error) {
      const code = (error as { code?: unknown } | undefined)?.code;
      if (typeof code === "string") span.setAttribute("error.type", code);
      span.setStatus({ code: api.SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

let loading: Promise<typeof import("@opentelemetry/api") | undefined> | undefined;

/** On first use, since the package is optional and importing ours does no work. */
function load(): Promise<typeof import("@opentelemetry/api") | undefined> {
  return import("@opentelemetry/api").catch(() => undefined);
}
