import { SkillError } from "@skillwright/core";
import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";

/** How long a browser may keep the answer to a preflight. */
const PREFLIGHT_S = 600;

/**
 * Lets pages of these origins read all answers, and answers their preflights. Other requests pass through unchanged. Pages may
 * not send cookies, because the server reads none.
 */
export function crossOrigin(origins: readonly string[]): MiddlewareHandler {
  const allowed = cors({
    origin: (origin) => origin,
    allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    exposeHeaders: READ_BY_CLIENTS,
    maxAge: PREFLIGHT_S,
  });
  return async (c, next) =>
    origins.includes(c.req.header("origin") ?? "") ? await allowed(c, next) : await next();
}

/** @throws SkillError `CONFIG_INVALID` for an origin that no browser sends. */
export function checkOrigins(origins: readonly string[] = []): void {
  for (const origin of origins) if (!isOrigin(origin)) throw noOrigin(origin);
}

/** Headers that browsers hide from pages of another origin unless the answer exposes them. */
const READ_BY_CLIENTS = [
  ...["accept-ranges", "allow", "content-disposition", "content-location", "content-range", "link"],
  ...["retry-after", "www-authenticate", "x-request-id", "x-vercel-ai-ui-message-stream"],
];

/** True for an origin as browsers write it: scheme and host in lower case, and a port only where it is not the default. */
function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/?#@*\p{Lu}]+$/u.test(text)) return false;
  return !/^https?:/.test(text) || (URL.canParse(text) && new URL(text).origin === text);
}

function noOrigin(origin: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `origins: ${JSON.stringify(origin)} is no origin of a web page, so that no page would match it. Give scheme, host and, where it is not the default, port: "https://chat.example".`,
    { details: { fields: [{ path: "origins" }] } },
  );
}
