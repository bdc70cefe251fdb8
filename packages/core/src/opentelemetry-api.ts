/**
 * Returns the providers that the application registered with OpenTelemetry. Every copy of version 1 of its API stores them in this
 * place. Importing the API, which is optional, would be an error for bundlers, and would give an application that bundles its own a
 * second copy.
 */
export function registeredProviders<Providers extends object>(): Partial<Providers> {
  return (globalThis as { readonly [API]?: Partial<Providers> })[API] ?? {};
}

/** True where the application has registered a provider of spans or of metrics. */
export function isObserved(): boolean {
  const { trace, metrics } = registeredProviders<{ readonly trace: unknown; readonly metrics: unknown }>();
  return trace !== undefined || metrics !== undefined;
}

const API = Symbol.for("opentelemetry.js.api.1");
