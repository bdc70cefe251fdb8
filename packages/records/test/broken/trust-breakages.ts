import type { Breakages, RevocableTrustSubject } from "@skillwright/contracts";
import type { RevocableTrustStore } from "@skillwright/core";
import { memoryRecords } from "@skillwright/repository-memory";
import { recordTrust } from "../../src/index.js";
import { closingOnce } from "./closing-once.js";

type Broken = (subject: RevocableTrustSubject) => RevocableTrustSubject;

export const trustBreakages: Breakages<RevocableTrustSubject> = {
  "trust-store/allow/remembered": overriding((store) => ({
    isAllowed: async (digest, source) =>
      (await store.isAllowed(digest, source)) && (await store.revoke(digest, source)),
  })),
  "trust-store/allow/shared": ({ trust }) => ({ trust, other: recordTrust(memoryRecords()) }),
  "trust-store/allow/at-once": overriding((store) => {
    let last: Promise<unknown> = Promise.resolve();
    return {
      allow: async (digest, source) => {
        const before = last;
        last = store.allow(digest, source);
        await before;
        if (digest.includes("7")) await store.revoke(digest, source);
      },
    };
  }),
  "trust-store/allow/that-content-only": overriding((store) => ({
    allow: (digest, source) => store.allow(digest.toLowerCase(), source.toLowerCase()),
    isAllowed: (digest, source) => store.isAllowed(digest.toLowerCase(), source.toLowerCase()),
  })),
  "trust-store/is-allowed/aborted": overriding((store) => ({
    isAllowed: (digest, source) => store.isAllowed(digest, source),
  })),
  "trust-store/allow/aborted": overriding((store) => ({
    allow: (digest, source) => store.allow(digest, source),
  })),
};

export const revocableTrustBreakages: Breakages<RevocableTrustSubject> = {
  "revocable-trust-store/revoke/forgotten": overriding(() => ({ revoke: async () => true })),
  "revocable-trust-store/revoke/only-that": overriding((store) => ({
    revoke: async (digest) => {
      const revoked = await store.revoke(digest, "project");
      return (await store.revoke(digest, "own")) || revoked;
    },
  })),
  "revocable-trust-store/revoke/none": overriding((store) => ({
    revoke: async (digest, source) => {
      await store.revoke(digest, source);
      return true;
    },
  })),
  "revocable-trust-store/revoke/aborted": overriding((store) => ({
    revoke: (digest, source) => store.revoke(digest, source),
  })),
  "revocable-trust-store/close/twice": overriding(() => ({ close: closingOnce() })),
};

function overriding(changed: (store: RevocableTrustStore) => Partial<RevocableTrustStore>): Broken {
  return ({ trust }) => {
    const broken = { ...trust, ...changed(trust) };
    return { trust: broken, other: broken };
  };
}
