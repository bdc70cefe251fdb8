/**
 * A value that survives `JSON.stringify` and `JSON.parse` unchanged. Everything stored or shown to a model has this
 * type.
 */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}
