import type { CallOptions } from "../closable.js";
import type { JsonValue } from "../json-value.js";
import { SkillError } from "../skill-error.js";
import type { SessionScope, SessionStore } from "./session-store.js";

/**
 * Changes one value in the state of a session by compare-and-set, as often as another process changes the session at the
 * same time. Returns the value that the session has afterwards.
 * @param next `null` removes the value, `undefined` leaves it as it is.
 */
export async function changeValue<Value extends JsonValue>(
  store: Pick<SessionStore, "get" | "update">,
  scope: SessionScope,
  key: string,
  next: (held: Value | undefined) => Value | null | undefined,
  options?: CallOptions,
): Promise<Value | undefined> {
  for (;;) {
    const record = await store.get(scope, options);
    const held = record?.state[key] as Value | undefined;
    const value = next(held);
    if (value === undefined) return held;
    try {
      const change = { from: record?.revision ?? 0, stateDelta: { [key]: value } };
      return (await store.update(scope, change, options)).state[key] as Value | undefined;
    } catch (error) {
      if (!SkillError.is(error, "CONFLICT")) throw error;
    }
  }
}
