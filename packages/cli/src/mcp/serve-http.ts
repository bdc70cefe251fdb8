import type { Closable } from "@skillwright/core";
import type { SkillServer } from "@skillwright/mcp";
import type { CliContext } from "../cli-context.js";
import { importListen } from "../serve/import-server.js";
import { untilInterrupted } from "../serve/until-interrupted.js";
import { endpointOfPerson } from "./endpoint-of-person.js";
import { endpointOfUsers } from "./endpoint-of-users.js";
import type { McpFlags } from "./serve-host.js";

/** Where clients are served, and what the command prints about it. */
export interface ServedEndpoint extends Closable {
  fetch(request: Request): Promise<Response>;
  /** The token of the only person; missing where an issuer names the users. */
  readonly token?: string;
  /** Returns the lines to be printed when the server listens at the origin. */
  lines(origin: string): readonly string[];
}

/**
 * Serves this person's clients over HTTP until the signal fires, or with an issuer those of its users.
 * @throws SkillError `CONFIG_INVALID` for a place at which it cannot listen, and for one that others reach without an issuer;
 * `UNSUPPORTED` where the server's package is not installed; and as `issuerUsers`.
 */
export async function serveHttp(
  server: SkillServer,
  flags: Pick<McpFlags, "port" | "host" | "issuer" | "keys" | "audience" | "publicUrl">,
  context: CliContext,
): Promise<void> {
  const listen = await importListen();
  const { issuer, publicUrl, port, host } = flags;
  await using endpoint =
    issuer !== undefined && publicUrl !== undefined
      ? await endpointOfUsers(server, { ...flags, issuer, publicUrl }, context)
      : endpointOfPerson(server, context);
  const { fetch, token, lines, close } = endpoint;
  const listening = await listen(
    { fetch, token, drain: close, close, [Symbol.asyncDispose]: close },
    { port, host },
  );
  context.print(...lines(listening.address));
  await untilInterrupted(context);
  await listening.close({ drainMs: 0 });
}
