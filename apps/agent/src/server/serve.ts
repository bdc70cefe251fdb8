import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { SkillError } from "@skillwright/core";
import { agentServer } from "@skillwright/server";
import { type AppEnvironment, openParts } from "../terminal/app-parts.js";
import type { DemoOptions } from "../terminal/command-line.js";
import type { Screen } from "../terminal/screen.js";

const PORT = 8787;

/**
 * Serves the agent to this machine's user until the signal fires, then stops the turns. Resolves to the exit code 0.
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
    const { config, runtime, stores, skills, dependencies, model } = parts;
    opened.push(() => runtime.close());
    const { session: _session, skillsPackage: _package, ...assistant } = config;
    const server = agentServer({
      agents: { assistant },
      ...{ runtime, skills, dependencies, sessions: stores.sessions, artifacts: stores.artifacts },
    });
    opened.push(() => server.close());
    const http = createAdaptorServer({ fetch: (request) => server.fetch(request) }) as Server;
    const address = await listening(http, options.port ?? PORT);
    opened.push(() => closed(http));
    screen.line(`  model    ${model.provider}:${model.model} (${model.because})`);
    screen.line(`  address  ${address}/v1`);
    screen.line(`  token    ${server.token}`);
    screen.line(`  API      ${address}/v1/openapi.json`);
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
      throw new SkillError("CONFIG_INVALID", `${name} is for the terminal, not for --serve. Leave it out.`);
}

async function listening(http: Server, port: number): Promise<string> {
  const failed = once(http, "error").then(([error]) => {
    throw new SkillError(
      "CONFIG_INVALID",
      `The port ${port} cannot be used: ${(error as Error).message}. Choose another one with --port.`,
      { cause: error },
    );
  });
  http.listen(port, "127.0.0.1");
  await Promise.race([once(http, "listening"), failed]);
  failed.catch(() => undefined);
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

async function closed(http: Server): Promise<void> {
  http.close();
  http.closeAllConnections();
  await once(http, "close");
}
