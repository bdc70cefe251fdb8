import assert from "node:assert/strict";
import type { WorkspaceRecord } from "@skillwright/core/adapter";
import { failsWith } from "../fails-with.js";
import { isIsoTime } from "../is-iso-time.js";
import { scribble } from "../scribble.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { closesTwice } from "../traits/closing.js";
import { holds, type RegistryPromise, record } from "./subject.js";

const BAD_IDS = ["", "..", "a/b", "a b", "ä", "a.b", "x".repeat(65), "a\u0000"];

export const recordPromises: readonly RegistryPromise[] = [
  {
    id: "workspace-registry/put/kept",
    promise: "get() returns a record as it was put, with or without owner and state.",
    seed: undefined,
    run: async (subject) => {
      const owned = record("a", { owner: "app/ada%2F1/one", state: "paused" });
      await subject.registry.put(owned);
      await subject.registry.put(record("b"));
      await holds(subject, "a", owned);
      await holds(subject, "b", record("b"));
    },
  },
  {
    id: "workspace-registry/put/replaced",
    promise: "A second put() replaces the whole record.",
    seed: undefined,
    run: async (subject) => {
      await subject.registry.put(record("a", { owner: "app/ada/one", state: "destroying" }));
      const later = record("a", { lastUsedAt: "2026-01-01T00:00:00.001Z" });
      await subject.other.put(later);
      await holds(subject, "a", later);
      assert.deepEqual(await subject.registry.list(), [later]);
    },
  },
  {
    id: "workspace-registry/put/apart",
    promise: "Two ids share nothing, even if they are similar.",
    seed: undefined,
    run: async (subject) => {
      const ids = ["a", "A", "a_", "a-", "_a", "a".repeat(64), "A".repeat(64)];
      for (const id of ids) await subject.registry.put(record(id, { owner: `app/ada/${id}` }));
      for (const id of ids) await holds(subject, id, record(id, { owner: `app/ada/${id}` }));
    },
  },
  {
    id: "workspace-registry/put/own",
    promise: "Changing an argument or a result after the call does not change what is stored.",
    seed: undefined,
    run: async (subject) => {
      const given = record("a", { owner: "app/ada/one" });
      await subject.registry.put(given);
      const values = [
        given,
        await subject.registry.get("a"),
        await subject.registry.list(),
        await subject.registry.findByOwner("app/ada/one"),
      ];
      for (const value of values) scribble(value);
      await holds(subject, "a", record("a", { owner: "app/ada/one" }));
    },
  },
  {
    id: "workspace-registry/id/refused",
    promise: "A malformed id is refused with INPUT_INVALID, and nothing is changed.",
    seed: undefined,
    run: async ({ registry }) => {
      for (const id of BAD_IDS) {
        await failsWith(registry.put(record(id)), "INPUT_INVALID", `put ${id}`);
        await failsWith(registry.get(id), "INPUT_INVALID", `get ${id}`);
        await failsWith(registry.touch(id), "INPUT_INVALID", `touch ${id}`);
        await failsWith(registry.remove(id), "INPUT_INVALID", `remove ${id}`);
        await failsWith(registry.lease(id, { forMs: 1000 }), "INPUT_INVALID", `lease ${id}`);
      }
      assert.deepEqual(await registry.list(), []);
    },
  },
  {
    id: "workspace-registry/get/unknown",
    promise: "get() returns undefined for an unknown workspace.",
    seed: undefined,
    run: async (subject) => {
      await subject.registry.put(record("a"));
      await holds(subject, "b", undefined);
    },
  },
  {
    id: "workspace-registry/find-by-owner/one",
    promise: "findByOwner() compares the whole owner and returns undefined for an unknown one.",
    seed: undefined,
    run: async ({ registry, other }) => {
      const owners = ["a/b/c", "a/b%2Fc/d", "a/b/C", "a/b"];
      for (const [index, owner] of owners.entries()) await registry.put(record(`w${index}`, { owner }));
      await registry.put(record("none"));
      for (const [index, owner] of owners.entries())
        assert.deepEqual(await other.findByOwner(owner), record(`w${index}`, { owner }));
      for (const owner of ["a", "", "a/b/", "*", "undefined"])
        assert.equal(await registry.findByOwner(owner), undefined, owner);
    },
  },
  {
    id: "workspace-registry/find-by-owner/first",
    promise:
      "findByOwner() returns the oldest of several records of one owner, and of equally old ones the first by id.",
    seed: undefined,
    run: async ({ registry, other }) => {
      const owner = "a/b/c";
      const early = "2025-01-01T00:00:00.000Z";
      const all: WorkspaceRecord[] = [
        record("w1", { owner }),
        record("w3", { owner, createdAt: early, lastUsedAt: "2027-01-01T00:00:00.000Z" }),
        record("w2", { owner, createdAt: early }),
      ];
      await Promise.all(all.map(async (one, index) => await (index % 2 ? registry : other).put(one)));
      for (const asked of [registry, other]) assert.deepEqual(await asked.findByOwner(owner), all[2]);
    },
  },
  {
    id: "workspace-registry/touch/used",
    promise: "touch() sets the time of last use of one record to now and changes nothing else.",
    seed: undefined,
    run: async (subject) => {
      const before = record("a", { owner: "a/b/c", state: "paused" });
      await subject.registry.put(before);
      await subject.registry.put(record("b"));
      const from = Date.now() - 1000;
      await subject.registry.touch("a");
      const { lastUsedAt = "", ...rest } = (await subject.other.get("a")) ?? {};
      const { lastUsedAt: _, ...expected } = before;
      assert.deepEqual(rest, expected);
      assert(isIsoTime(lastUsedAt), lastUsedAt);
      assert(Date.parse(lastUsedAt) >= from && Date.parse(lastUsedAt) <= Date.now() + 1000, lastUsedAt);
      await holds(subject, "b", record("b"));
    },
  },
  {
    id: "workspace-registry/touch/unknown",
    promise: "touch() of an unknown id creates no record.",
    seed: undefined,
    run: async (subject) => {
      await subject.registry.touch("a");
      await holds(subject, "a", undefined);
      assert.deepEqual(await subject.registry.list(), []);
    },
  },
  {
    id: "workspace-registry/remove/once",
    promise:
      "remove() returns true to one of several concurrent callers and false to later ones; other records stay.",
    seed: undefined,
    run: async (subject) => {
      const { registry, other } = subject;
      await registry.put(record("a"));
      await registry.put(record("b"));
      const answers = await Promise.all([registry, other, registry, other].map((one) => one.remove("a")));
      assert.deepEqual(answers.filter(Boolean), [true]);
      assert.equal(await other.remove("a"), false);
      await holds(subject, "a", undefined);
      assert.deepEqual(await other.list(), [record("b")]);
    },
  },
  {
    id: "workspace-registry/list/sorted",
    promise: "list() returns all records, sorted by id.",
    seed: undefined,
    run: async ({ registry, other }) => {
      assert.deepEqual(await registry.list(), []);
      const ids = ["b", "a", "B", "_", "c-1", "c1"];
      for (const id of ids) await registry.put(record(id));
      await registry.lease("leased-only", { forMs: 1000 });
      assert.deepEqual(
        (await other.list()).map(({ workspaceId }) => workspaceId),
        [...ids].sort(),
      );
    },
  },
  endsWhenAborted("workspace-registry/put/aborted", undefined, ({ registry }, signal) =>
    registry.put(record("a"), { signal }),
  ),
  endsWhenAborted("workspace-registry/get/aborted", undefined, ({ registry }, signal) =>
    registry.get("a", { signal }),
  ),
  endsWhenAborted("workspace-registry/find-by-owner/aborted", undefined, ({ registry }, signal) =>
    registry.findByOwner("a/b/c", { signal }),
  ),
  endsWhenAborted("workspace-registry/touch/aborted", undefined, ({ registry }, signal) =>
    registry.touch("a", { signal }),
  ),
  endsWhenAborted("workspace-registry/remove/aborted", undefined, ({ registry }, signal) =>
    registry.remove("a", { signal }),
  ),
  endsWhenAborted("workspace-registry/list/aborted", undefined, ({ registry }, signal) =>
    registry.list({ signal }),
  ),
  closesTwice("workspace-registry/close/twice", undefined, ({ registry }) => registry),
];
