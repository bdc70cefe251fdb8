import { Readable, Writable } from "node:stream";
import { shownLine } from "@skillwright/core/adapter";
import { skillServer } from "@skillwright/mcp";
import type { CliContext, CliStream } from "../cli-context.js";
import { ownVersion } from "../own-version.js";
import { configuredCatalog } from "../places/configured-catalog.js";
import { servingPlace } from "../serve/serving-place.js";
import type { UserFlags } from "../users/issuer-users.js";
import { checkedAgent } from "./checked-agent.js";
import { hostSettings } from "./host-settings.js";
import { hostWorkspaces } from "./host-workspaces.js";
import { serveHttp } from "./serve-http.js";

export interface McpFlags extends UserFlags {
  readonly skills?: readonly string[];
  readonly isolation?: "sandbox" | "auto" | "none";
  /** Folders from which inputs may be read. */
  readonly files?: readonly string[];
  readonly data?: string;
  readonly http?: true;
  /** The port for HTTP; 0 for any free port. */
  readonly port: number;
  /** The address at which the server listens for HTTP; by default only this machine reaches it. */
  readonly host?: string;
  /** The address at which clients of the issuer's users reach the server. */
  readonly publicUrl?: string;
}

/**
 * Serves one program over standard input and output until it closes the input or the signal fires, or several over HTTP
 * until the signal fires. Only the protocol is written to standard output, and with HTTP what clients need: the address, and the token or the issuer.
 * @throws SkillError `CONFIG_INVALID` for a configuration that cannot be used.
 */
export async function serveHost(flags: McpFlags, context: CliContext): Promise<void> {
  const remark = (...lines: readonly string[]) => context.remark(...lines.map(shownLine));
  await using configured = await configuredCatalog(context, flags.skills ?? []);
  const { loaded, usable } = configured;
  remark(...loaded.diagnostics.map(({ message, hint }) => `${message} ${hint}`));
  const agent = checkedAgent(loaded);
  const place = await servingPlace(flags, loaded, context);
  try {
    await using workspaces = await hostWorkspaces(flags, configured, agent, place, context);
    await using server = skillServer({
      skills: usable,
      workspaces,
      version: await ownVersion(),
      ...hostSettings(flags, loaded, agent, context.cwd),
      onDiagnostic: ({ message, hint }) => remark(`${message} ${hint}`),
    });
    if (flags.http) return await serveHttp(server, flags, context);
    const { stdin = [], stdout, signal } = context;
    const input = stdin instanceof Readable ? stdin : Readable.from(stdin);
    await server.serve({ input, output: writable(stdout) }, { signal });
  } finally {
    await place.close();
  }
}

function writable(stream: CliStream): Writable {
  if (stream instanceof Writable) return stream;
  return new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      stream.write(text);
      done();
    },
  });
}
