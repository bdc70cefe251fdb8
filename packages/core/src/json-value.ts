/** A value that `JSON.stringify` and `JSON.parse` keep. Everything stored or shown to a model has this type. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}
