import type { SessionScope } from "@skillwright/core";
import type { WorkspaceRecord } from "@skillwright/core/adapter";

/** Encodes the session for a record: `app/user/session`, each part URI-encoded. */
export function ownerOf({ app, user, session }: SessionScope): string {
  return [app, user, session].map(encodeURIComponent).join("/");
}

/** Parses a record's session; `undefined` where it has none, or has the format of another release. */
export function sessionOf({ owner }: WorkspaceRecord): SessionScope | undefined {
  const parts = owner?.split("/") ?? [];
  const [app, user, session] = parts.map(decoded);
  return parts.length === 3 && app && user && session ? { app, user, session } : undefined;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
