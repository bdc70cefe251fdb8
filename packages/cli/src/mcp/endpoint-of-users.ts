import type { SkillServer } from "@skillwright/mcp";
import type { CliContext } from "../cli-context.js";
import { issuerUsers, type UserFlags } from "../users/issuer-users.js";
import type { ServedEndpoint } from "./serve-http.js";

/** Opens the endpoint for the users of the issuer. Without an audience, tokens are for the public address. */
export async function endpointOfUsers(
  server: SkillServer,
  flags: UserFlags & { readonly issuer: string; readonly publicUrl: string },
  context: CliContext,
): Promise<ServedEndpoint> {
  const { issuer, publicUrl } = flags;
  const { href } = new URL(publicUrl);
  const endpoint = server.userEndpoint({
    address: href,
    authenticate: await issuerUsers({ audience: href, ...flags }, context),
    authorizationServers: [issuer],
  });
  return {
    ...endpoint,
    lines: (origin) => [`address  ${href}`, `listens  ${origin}`, `issuer   ${issuer}`],
  };
}
