/** What survives `JSON.stringify` and back unchanged. Everything stored or shown to a model is this. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}
