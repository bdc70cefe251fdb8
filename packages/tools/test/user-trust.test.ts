import type { TrustStore } from "@skillwright/core";
import { expect, test } from "vitest";
import { userTrust } from "../src/index.js";

/** A store that keeps pairs of digest and source as its contract says. */
function pairStore(): TrustStore {
  const pairs = new Set<string>();
  const pair = (...names: string[]) => JSON.stringify(names);
  return {
    isAllowed: async (digest, source, options) => {
      options?.signal?.throwIfAborted();
      return pairs.has(pair(digest, source));
    },
    allow: async (digest, source, options) => {
      options?.signal?.throwIfAborted();
      pairs.add(pair(digest, source));
    },
  };
}

test("an approval applies to one user of one application, one digest and one source", async () => {
  const store = pairStore();
  const trust = (app: string, user: string) => userTrust(store, { app, user });
  await trust("app", "ann").allow("d1", "git");
  expect(await trust("app", "ann").isAllowed("d1", "git")).toBe(true);
  const others = [
    trust("app", "bob").isAllowed("d1", "git"),
    trust("other", "ann").isAllowed("d1", "git"),
    trust("app", "ann").isAllowed("d2", "git"),
    trust("app", "ann").isAllowed("d1", "npm"),
    store.isAllowed("d1", "git"),
  ];
  expect(await Promise.all(others)).toEqual(others.map(() => false));
});

test("passes the signal of a call to the store", async () => {
  const trust = userTrust(pairStore(), { app: "app", user: "ann" });
  const options = { signal: AbortSignal.abort() };
  await expect(trust.isAllowed("d", "git", options)).rejects.toThrow("abort");
  await expect(trust.allow("d", "git", options)).rejects.toThrow("abort");
});
