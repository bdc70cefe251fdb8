import { randomUUID } from "node:crypto";
import type { JsonValue, SessionScope, TurnStore } from "@skillwright/core";
import { checkArtifactScope, spanned, storedTurn } from "@skillwright/core/adapter";
import { attempt, sentAgain } from "./connection/attempt.js";
import { keyPart, type RedisPlaceOptions, redisPlace } from "./connection/redis-place.js";
import { runScript } from "./connection/script.js";
import { releases } from "./registry/releases.js";
import { appendEvents, deleteTurn, lapsedTurns, readTurn, writeTurn } from "./turns/turn-scripts.js";

/**
 * Stores turns in Redis, shared by all processes: their logs are streams, each change is one round trip and one atomic
 * step, and all processes are told of it. Time is the server's clock. In a Cluster all turns of one application are in
 * one slot.
 * @throws SkillError `CONFIG_INVALID` for a prefix with a brace; `BACKEND_FAILED` for every failure of Redis.
 */
export function redisTurns(options: RedisPlaceOptions): TurnStore {
  const place = redisPlace(options);
  const { client } = place;
  const told = new Map<string, ReturnType<typeof releases>>();

  const get: TurnStore["get"] = (scope, { signal } = {}) =>
    attempt("Reading a turn", signal, async () => {
      const [nowMs, record] = (await runScript(client, readTurn, [keysOf(scope).turn], [])) as [
        string,
        string | null,
      ];
      return { stored: record ? storedTurn(record) : undefined, nowMs: Number(nowMs) };
    });

  const put: TurnStore["put"] = (given, from, { signal } = {}) =>
    attempt("Keeping a turn", signal, async () => {
      const { turn, logs, due, conversation, channel } = keysOf(given.scope);
      const { stamp, turn: id, holder, state, untilMs } = given;
      const record = JSON.stringify(given);
      const values = [from === undefined ? "0" : "1", from ?? "", stamp, id, holder, state, untilMs, record];
      const keys = [turn, logs, due];
      return Number(await runScript(client, writeTurn, keys, [...values, conversation, channel])) === 1;
    });

  const append: TurnStore["append"] = ({ scope, turn: id, holder }, log, events, { signal } = {}) =>
    attempt("Adding to a turn", signal, async () => {
      const { turn, logs, conversation, channel, logOf } = keysOf(scope);
      const texts = events.map((event) => JSON.stringify(event));
      const values = [id, holder, randomUUID(), conversation, channel, ...texts];
      const send = () => runScript(client, appendEvents, [turn, logOf(id, log), logs], values);
      // The server adds the events of a call once, however often it receives them.
      const length = await sentAgain(send);
      return length === null ? undefined : Number(length);
    });

  const read: TurnStore["read"] = ({ scope, turn }, log, from, { limit, signal }) =>
    attempt("Reading the events of a turn", signal, async () => {
      const first = `${BigInt(from) + 1n}-0`;
      const entries = await client.xrange(keysOf(scope).logOf(turn, log), first, "+", "COUNT", limit);
      return entries.map(([, [, event = "null"]]) => JSON.parse(event) as JsonValue);
    });

  const lapsed: TurnStore["lapsed"] = (app, { signal } = {}) =>
    attempt("Listing turns", signal, async () => {
      const { due, turnOf } = keysOfApp(checkArtifactScope({ app }).app);
      const over = (await runScript(client, lapsedTurns, [due], [])) as readonly string[];
      const records = await Promise.all(
        over.map((conversation) => client.hget(turnOf(conversation), "record")),
      );
      return records.flatMap((record) => (record ? [storedTurn(record)] : []));
    });

  const remove: TurnStore["delete"] = (scope, { signal } = {}) =>
    attempt("Forgetting a turn", signal, async () => {
      const { turn, logs, due, conversation, channel } = keysOf(scope);
      await runScript(client, deleteTurn, [turn, logs, due], [conversation, channel]);
    });

  const waiter: TurnStore["waiter"] = (scope) => {
    const { conversation, channel } = keysOf(scope);
    const ofApp = told.get(channel) ?? releases(client, channel);
    told.set(channel, ofApp);
    const { look, wait, done } = ofApp.waiter(conversation);
    return { look, wait: () => wait(Number.POSITIVE_INFINITY, undefined), done };
  };

  async function close(): Promise<void> {
    for (const ofApp of told.values()) ofApp.close();
  }

  const turns = { get, put, append, read, lapsed, delete: remove, waiter };
  return spanned("turns", { ...turns, close, [Symbol.asyncDispose]: close }, { store: "redis" });

  function keysOfApp(app: string) {
    const tag = `{turns:${keyPart(app)}}`;
    return {
      due: place.key(`${tag}:active`),
      channel: place.channel(`${tag}:changed`),
      turnOf: (conversation: string) => place.key(`${tag}:turn:${conversation}`),
      logsOf: (conversation: string) => place.key(`${tag}:logs:${conversation}`),
      logOf: (conversation: string, turn: string, log: string) =>
        place.key(`${tag}:log:${conversation}:${turn}:${keyPart(log)}`),
    };
  }

  function keysOf(scope: SessionScope) {
    const { app, user, session } = checkArtifactScope(scope);
    const { due, channel, turnOf, logsOf, logOf } = keysOfApp(app);
    const conversation = `${keyPart(user)}/${keyPart(session)}`;
    return {
      ...{ due, channel, conversation, turn: turnOf(conversation), logs: logsOf(conversation) },
      logOf: (turn: string, log: string) => logOf(conversation, turn, log),
    };
  }
}
