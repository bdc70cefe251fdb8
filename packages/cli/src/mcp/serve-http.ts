import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { SkillServer } from "@skillwright/mcp";
import type { CliContext } from "../cli-context.js";
import { importListen } from "../serve/import-server.js";
import { untilInterrupted } from "../serve/until-interrupted.js";
import type { McpFlags } from "./serve-host.js";

const PATH = "/mcp";

/**
 * Serves this person's clients over HTTP at this machine until the signal fires.
 * @throws SkillError `CONFIG_INVALID` for a port that cannot be used; `UNSUPPORTED` where the server's package is not
 * installed.
 */
export async function serveHttp(
  server: SkillServer,
  { port }: Pick<McpFlags, "port">,
  { env, signal, print }: CliContext,
): Promise<void> {
  const listen = await importListen();
  await using endpoint = server.endpoint();
  const token = env["SKILLWRIGHT_MCP_TOKEN"]?.trim() || randomBytes(32).toString("base64url");
  const isToken = sameText(`Bearer ${token}`);
  const answer = async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname !== PATH) return refusal(404, `There is nothing here. Use ${PATH}.`);
    if (!isToken(request.headers.get("authorization") ?? ""))
      return refusal(401, "Send the token that the server printed, as `Authorization: Bearer TOKEN`.");
    return await endpoint.fetch(request);
  };
  const close = () => endpoint.close();
  const listening = await listen(
    { fetch: answer, token, drain: close, close, [Symbol.asyncDispose]: close },
    { port },
  );
  print(`address  ${listening.address}${PATH}`, `token    ${token}`);
  await untilInterrupted({ signal });
  await listening.close({ drainMs: 0 });
}

function refusal(status: number, error: string): Response {
  const headers = status === 401 ? { "www-authenticate": "Bearer" } : undefined;
  return Response.json({ error }, { status, ...(headers && { headers }) });
}

/** Compares in constant time, so that the time reveals nothing about the text. */
function sameText(text: string): (given: string) => boolean {
  const hash = (value: string) => createHash("sha256").update(value).digest();
  const wanted = hash(text);
  return (given) => timingSafeEqual(hash(given), wanted);
}
