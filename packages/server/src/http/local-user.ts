import { createHash, timingSafeEqual } from "node:crypto";
import { SkillError } from "@skillwright/core";
import type { Authenticate } from "../server-options.js";

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Accepts one user, `local`, by a bearer token. A request that is addressed to another name than this machine's is
 * `REFUSED`: a web page could have bound that name to this machine's address.
 */
export function localUser(token: string): Authenticate {
  const expected = hash(token);
  return (request) => {
    const { hostname } = new URL(request.url);
    if (!LOOPBACK.has(hostname)) throw rebound(hostname);
    const given = /^Bearer +(.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
    return timingSafeEqual(hash(given), expected) ? { id: "local" } : undefined;
  };
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function rebound(hostname: string): SkillError {
  return new SkillError(
    "REFUSED",
    `The request is addressed to ${JSON.stringify(hostname)}, and this server answers its local user only at localhost, 127.0.0.1 and [::1]. Use one of these, or give the server an \`authenticate\`.`,
  );
}
