import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { SkillServer } from "@skillwright/mcp";
import type { CliContext } from "../cli-context.js";
import type { ServedEndpoint } from "./serve-http.js";

const PATH = "/mcp";

/** Opens the endpoint for the clients of one person: those with the token of `SKILLWRIGHT_MCP_TOKEN`, or with a new one. */
export function endpointOfPerson(server: SkillServer, { env }: Pick<CliContext, "env">): ServedEndpoint {
  const endpoint = server.endpoint();
  const token = env["SKILLWRIGHT_MCP_TOKEN"]?.trim() || randomBytes(32).toString("base64url");
  const isToken = sameText(token);
  return {
    ...endpoint,
    token,
    lines: (origin) => [`address  ${origin}${PATH}`, `token    ${token}`],
    fetch: async (request) => {
      if (new URL(request.url).pathname !== PATH) return refusal(404, `There is nothing here. Use ${PATH}.`);
      // HTTP allows the name of the scheme in lower case.
      if (!isToken(/^Bearer +(.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? ""))
        return refusal(401, "Send the token that the server printed, as `Authorization: Bearer TOKEN`.");
      return await endpoint.fetch(request);
    },
  };
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
