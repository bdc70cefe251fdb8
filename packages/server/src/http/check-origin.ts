import { SkillError } from "@skillwright/core";

/**
 * Web pages may send requests from the server's own origin and from the given ones. Requests without an `Origin` come
 * from no page, or read from the same one.
 * @throws SkillError `REFUSED` for any other page.
 */
export function checkOrigin(request: Request, origins: readonly string[]): void {
  const origin = request.headers.get("origin");
  if (origin === null || origin === new URL(request.url).origin || origins.includes(origin)) return;
  throw new SkillError(
    "REFUSED",
    `Web pages of ${JSON.stringify(origin)} may not use this server. Add the page's origin to \`origins\`.`,
  );
}
