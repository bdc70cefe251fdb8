import type { LogLevel } from "@skillwright/server";
import type { CliContext } from "../cli-context.js";
import { configuredCatalog } from "../places/configured-catalog.js";
import { issuerUsers, type UserFlags } from "../users/issuer-users.js";
import { importServer, importWeb } from "./import-server.js";
import { remarkOnRuntime } from "./remark-on-runtime.js";
import { serveLog } from "./serve-log.js";
import { servedParts } from "./served-parts.js";
import { untilInterrupted } from "./until-interrupted.js";

export interface ServeFlags extends UserFlags {
  /** 0 for any free one. */
  readonly port: number;
  readonly host: string;
  readonly model?: string;
  readonly skills?: readonly string[];
  readonly isolation?: "sandbox" | "auto" | "none";
  readonly data?: string;
  readonly records?: string;
  readonly artifacts?: string;
  readonly keepArtifacts?: true;
  readonly web?: true;
  /** False only with `--no-open`. */
  readonly open: boolean;
  /** Milliseconds. */
  readonly drain: number;
  /** Milliseconds. */
  readonly lease: number;
  readonly logLevel?: LogLevel;
}

/**
 * Serves one agent with the configured skills, to its local user or to those of an issuer, until the signal fires, then lets its turns end.
 * @throws SkillError `CONFIG_INVALID` for a configuration or an address that cannot be used; `UNSUPPORTED` where the
 * server's package is not installed; and as `issuerUsers`.
 */
export async function serveAgent(flags: ServeFlags, given: CliContext): Promise<void> {
  const { agentServer, listen, ...logParts } = await importServer();
  const log = serveLog(flags.logLevel, given, logParts);
  // A program that reads standard error finds remarks as entries of the log.
  const remark = (...lines: readonly string[]) => {
    if (lines.length > 0) log.warn({}, lines.map((line) => line.trim()).join(" "));
  };
  const context = given.stderr.isTTY ? given : { ...given, remark };
  const web = flags.web && (await importWeb());
  const { issuer, audience } = flags;
  const authenticate =
    issuer !== undefined && audience !== undefined
      ? await issuerUsers({ ...flags, issuer, audience }, context)
      : undefined;
  await using configured = await configuredCatalog(context, flags.skills ?? []);
  const { model, runtime, options, close } = await servedParts(
    flags,
    configured,
    context,
    web?.PAGE_EVENT_LIMITS,
  );
  try {
    await using server = agentServer({ ...options, authenticate, leaseMs: flags.lease, log });
    const { port, host, drain: drainMs } = flags;
    const page = web?.localPage(server);
    const listening = await listen({ ...server, ...page }, { port, host });
    context.print(
      `model    ${model.provider}:${model.model} (${model.because})`,
      `address  ${listening.address}/v1`,
      issuer === undefined ? `token    ${server.token}` : `issuer   ${issuer}`,
      `API      ${listening.address}/v1/openapi.json`,
      ...(page ? [`page     ${page.addressAt(listening.address)}`] : []),
    );
    if (flags.open) await page?.open(listening.address);
    void remarkOnRuntime(runtime, context);
    await untilInterrupted(context);
    context.remark(
      "Takes no new turns, and ends when running ones have ended. Interrupt again to end at once.",
    );
    await listening.close({ drainMs });
  } finally {
    await close();
  }
}
