import type { SessionScope, TrustStore } from "@skillwright/core";

/**
 * A view of the store for one user of an application: approvals of other users do not apply, and this user's do not
 * apply to others. The store keeps application and user with each source.
 */
export function userTrust(store: TrustStore, { app, user }: Pick<SessionScope, "app" | "user">): TrustStore {
  const own = (source: string): string => JSON.stringify([app, user, source]);
  return {
    isAllowed: (digest, source, options) => store.isAllowed(digest, own(source), options),
    allow: (digest, source, options) => store.allow(digest, own(source), options),
  };
}
