import type { CatalogSnapshot, JsonValue, SessionRecord, SessionScope } from "@skillwright/core";

const STATE = "state:";

/** The field of the session's hash for this key of the state. */
export function stateField(key: string): string {
  // As JSON, which preserves lone surrogates, unlike UTF-8.
  return STATE + JSON.stringify(key);
}

/**
 * Parses the record returned by the scripts: fields and values in turn, and the messages; `undefined` where any part is
 * damaged.
 */
export function sessionRecord(
  { app, user, session }: SessionScope,
  fields: readonly string[],
  messages: readonly string[],
): SessionRecord | undefined {
  const values = new Map<string, string>();
  for (let index = 0; index + 1 < fields.length; index += 2)
    values.set(String(fields[index]), String(fields[index + 1]));
  try {
    const snapshot = values.get("snapshot");
    return {
      formatVersion: formatVersion(values.get("formatVersion")),
      scope: { app, user, session },
      revision: wholeNumber(values.get("revision")),
      history: messages.map((text): JsonValue => JSON.parse(text)),
      state: stateOf(values),
      ...(snapshot !== undefined && { snapshot: snapshotOf(snapshot) }),
      updatedAt: new Date(wholeNumber(values.get("updatedMs"))).toISOString(),
    };
  } catch {
    return undefined;
  }
}

function stateOf(values: ReadonlyMap<string, string>): SessionRecord["state"] {
  const entries = [...values].filter(([field]) => field.startsWith(STATE));
  return Object.fromEntries(
    entries.map(([field, text]): [string, JsonValue] => {
      const key: unknown = JSON.parse(field.slice(STATE.length));
      if (typeof key !== "string") throw new TypeError("No key of a state.");
      return [key, JSON.parse(text)];
    }),
  );
}

function snapshotOf(text: string): CatalogSnapshot {
  const snapshot: unknown = JSON.parse(text);
  if (typeof snapshot !== "object" || snapshot === null || Array.isArray(snapshot))
    throw new TypeError("No snapshot.");
  return snapshot as CatalogSnapshot;
}

function formatVersion(text: string | undefined): 1 {
  if (text !== "1") throw new TypeError("Another format.");
  return 1;
}

function wholeNumber(text: string | undefined): number {
  if (text === undefined || !/^\d{1,16}$/.test(text)) throw new TypeError("No whole number.");
  return Number(text);
}
