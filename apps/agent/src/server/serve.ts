import { once } from "node:events";
import { SkillError } from "@skillwright/core";
import { agentServer } from "@skillwright/server";
import { listen } from "@skillwright/server/node";
import { localPage, PAGE_EVENT_LIMITS } from "@skillwright/web";
import { type AppEnvironment, openParts } from "../terminal/app-parts.js";
import { showWarnings } from "../terminal/banner.js";
import type { DemoOptions } from "../terminal/command-line.js";
import type { Screen } from "../terminal/screen.js";

/**
 * Serves the agent to this machine's user until the signal fires, then lets turns end. Resolves to the exit code 0.
 * @throws SkillError `CONFIG_INVALID` for options of the terminal and a port that is taken; as `openParts`.
 */
export async function serve(
  screen: Screen,
  options: DemoOptions,
  environment: AppEnvironment,
  signal: AbortSignal,
): Promise<number> {
  checkOptions(options);
  const opened: (() => Promise<void>)[] = [];
  try {
    // Nobody is asked at this terminal about what users of the server do.
    const nobody = { isTerminal: false, ask: async () => undefined };
    const parts = await openParts(options, environment, screen, nobody as never, opened);
    const { config, runtime, stores, skills, dependencies, model, diagnostics } = parts;
    opened.push(() => runtime.close());
    const { session: _session, skillsPackage: _package, ...assistant } = config;
    // A question waits for a person, who answers it over HTTP; --yes answers all of them.
    const { approval, ...others } = dependencies;
    const eventLimits = { ...(options.web && PAGE_EVENT_LIMITS), ...assistant.eventLimits };
    const server = agentServer({
      agents: { assistant: { ...assistant, eventLimits } },
      ...{ runtime, skills, records: stores.records, artifacts: stores.artifacts },
      keep: stores.keep,
      dependencies: options.yes ? dependencies : others,
    });
    opened.push(() => server.close());
    const page = options.web ? localPage(server) : undefined;
    const { address, close } = await listen({ ...server, ...page }, { port: options.port });
    opened.push(close);
    showWarnings(screen, diagnostics);
    screen.line(`  model    ${model.provider}:${model.model} (${model.because})`);
    screen.line(`  address  ${address}/v1`);
    screen.line(`  token    ${server.token}`);
    screen.line(`  API      ${address}/v1/openapi.json`);
    if (page) screen.line(`  page     ${page.addressAt(address)}`);
    if (options.open) await page?.open(address);
    if (!signal.aborted) await once(signal, "abort");
    return 0;
  } finally {
    for (const close of opened.reverse()) await close();
  }
}

function checkOptions({ session, workspace, chat, request }: DemoOptions): void {
  const given = Object.entries({
    "--session": session,
    "--workspace": workspace,
    "--chat": chat || undefined,
    "a request": request,
  });
  for (const [name, value] of given)
    if (value !== undefined)
      throw new SkillError(
        "CONFIG_INVALID",
        `${name} is for the terminal, not for --serve or --web. Leave it out.`,
      );
}
