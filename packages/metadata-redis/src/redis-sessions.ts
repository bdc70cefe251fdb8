import { randomUUID } from "node:crypto";
import {
  type CallOptions,
  type SessionRecord,
  type SessionScope,
  type SessionStore,
  SkillError,
} from "@skillwright/core";
import { checkArtifactScope, type SessionChange, spanned } from "@skillwright/core/adapter";
import { attempt, isWrongType } from "./connection/attempt.js";
import { keyPart, type RedisPlaceOptions, redisPlace, textOfKeyPart } from "./connection/redis-place.js";
import { runScript } from "./connection/script.js";
import { sessionRecord, stateField } from "./sessions/session-record.js";
import { deleteSession, readSession, updateSession } from "./sessions/session-scripts.js";

/** The scripts' answers. */
type Answer =
  | readonly ["whole", readonly string[], readonly string[]]
  | readonly ["absent" | "damaged" | "conflict", string];

/**
 * Stores conversations in Redis, shared by all processes: each call is one round trip and one atomic step. `updatedAt`
 * is by the server's clock. In a Cluster all conversations of one user are in one slot. A damaged conversation counts
 * as absent: the next change from 0 starts it anew.
 * @throws SkillError `CONFIG_INVALID` for a prefix with a brace; `BACKEND_FAILED` for every failure of Redis,
 * `LIMIT_EXCEEDED` for reading a value of more than 128 MiB.
 */
export function redisSessions(options: RedisPlaceOptions): SessionStore {
  const place = redisPlace(options);
  const { client } = place;

  const get = (scope: SessionScope, { signal }: CallOptions = {}): Promise<SessionRecord | undefined> =>
    attempt("Reading a session", signal, async () => (await read(scope)).record);

  const update = (
    scope: SessionScope,
    change: SessionChange,
    { signal }: CallOptions = {},
  ): Promise<SessionRecord> =>
    attempt("Changing a session", signal, async () => {
      const keys = keysOf(scope);
      const rest = changeArguments(change);
      const changeId = randomUUID();
      const write = async (from: string, anew: "0" | "1"): Promise<Answer> =>
        answer(
          await runScript(client, updateSession, keys, [
            from,
            changeId,
            keyPart(scope.session),
            anew,
            ...rest,
          ]),
        );

      const first = await write(String(change.from), "0");
      if (first[0] === "whole") return recordOf(scope, first);
      const found = change.from === 0 ? await read(scope) : undefined;
      if (!found?.damagedAt) throw conflict(scope, change.from, first[1]);
      const second = await write(found.damagedAt, "1");
      if (second[0] === "whole") return recordOf(scope, second);
      throw conflict(scope, change.from, second[1]);
    });

  const remove = (scope: SessionScope, { signal }: CallOptions = {}): Promise<boolean> =>
    attempt("Deleting a session", signal, async () => {
      const keys = keysOf(scope);
      return Number(await runScript(client, deleteSession, keys, [keyPart(scope.session)])) === 1;
    });

  const list = (
    scope: Pick<SessionScope, "app" | "user">,
    { signal }: CallOptions = {},
  ): Promise<readonly string[]> =>
    attempt("Listing sessions", signal, async () => {
      const { app, user } = checkArtifactScope(scope);
      const key = place.key(`sessions:{${userTag(app, user)}}`);
      const ids = (await membersOf(key)).map(textOfKeyPart);
      if (ids.includes(undefined)) place.damaged("A session's id", key);
      return ids.filter((id) => id !== undefined).sort();
    });

  async function close(): Promise<void> {}

  return spanned(
    "sessions",
    { get, update, delete: remove, list, close, [Symbol.asyncDispose]: close },
    { store: "redis" },
  );

  /** The record or, where it is damaged, its revision. */
  async function read(scope: SessionScope): Promise<{ record?: SessionRecord; damagedAt?: string }> {
    const keys = keysOf(scope);
    const found = answer(await runScript(client, readSession, keys, []));
    if (found[0] === "absent") return {};
    const record = found[0] === "whole" ? sessionRecord(scope, found[1], found[2]) : undefined;
    if (record) return { record };
    place.damaged("A session", keys[0]);
    return { damagedAt: found[0] === "whole" ? rawRevision(found[1]) : found[1] };
  }

  function keysOf(scope: SessionScope): [string, string, string] {
    const { app, user, session } = checkArtifactScope(scope);
    const tag = `{${userTag(app, user)}}`;
    const id = keyPart(session);
    return [
      place.key(`session:${tag}:${id}`),
      place.key(`history:${tag}:${id}`),
      place.key(`sessions:${tag}`),
    ];
  }

  async function membersOf(key: string): Promise<readonly string[]> {
    try {
      return await client.smembers(key);
    } catch (error) {
      if (!isWrongType(error)) throw error;
      place.damaged("The list of a user's sessions", key);
      return [];
    }
  }
}

function userTag(app: string, user: string): string {
  return `${keyPart(app)}/${keyPart(user)}`;
}

/** Serialized before the first await, because it belongs to the caller. */
function changeArguments({ append = [], history, stateDelta = {}, snapshot }: SessionChange): string[] {
  const messages = [...(history ?? []), ...append].map((message) => JSON.stringify(message));
  const state = Object.entries(stateDelta).flatMap(([key, value]) => [
    stateField(key),
    value === null ? "" : JSON.stringify(value),
  ]);
  const isReplaced = history ? "1" : "0";
  return [
    snapshot ? JSON.stringify(snapshot) : "",
    isReplaced,
    String(messages.length),
    ...messages,
    ...state,
  ];
}

function answer(value: unknown): Answer {
  return value as Answer;
}

function recordOf(
  scope: SessionScope,
  [, fields, messages]: Extract<Answer, readonly ["whole", ...unknown[]]>,
): SessionRecord {
  const record = sessionRecord(scope, fields, messages);
  if (record) return record;
  throw new SkillError(
    "BACKEND_FAILED",
    `The session "${scope.session}" was changed, but its data in Redis is damaged. Delete it to start it again.`,
  );
}

function rawRevision(fields: readonly string[]): string {
  return fields[fields.findIndex((field, index) => index % 2 === 0 && field === "revision") + 1] ?? "?";
}

function conflict({ session }: SessionScope, from: number, at: string): SkillError {
  const isWhole = /^\d+$/.test(at);
  const message = isWhole
    ? `The session "${session}" is at revision ${at}, not ${from}. Read it again and repeat the change.`
    : `The session "${session}" is damaged in Redis and is treated as absent. Change it from revision 0 to start it again.`;
  return new SkillError("CONFLICT", message, { details: isWhole ? { revision: Number(at) } : {} });
}
