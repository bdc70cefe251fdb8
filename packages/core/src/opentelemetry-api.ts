/**
 * Returns the providers that the application registered with OpenTelemetry. Every copy of version 1 of its API stores them in this
 * place. Importing the API, which is optional, would be an error for bundlers, and would give an application that bundles its own a
 * second copy.
 */
export function registeredProviders<Providers extends object>(): Partial<Providers> {
  return (globalThis as { readonly [API]?: Partial<Providers> })[API] ?? {};
}

const API = Symbol.for("opentelemetry.js.api.1");
