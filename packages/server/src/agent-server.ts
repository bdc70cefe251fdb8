import { checkModelKey } from "@skillwright/agent";
import { checkOrigins } from "./http/cross-origin.js";
import { ownRequest } from "./http/own-request.js";
import { serverApp } from "./http/server-app.js";
import { serverParts } from "./parts/server-parts.js";
import type { AgentServer, AgentServerOptions } from "./server-options.js";

/**
 * Serves agents over HTTP: `fetch` answers one request and fits every server with web-standard requests. Nothing is
 * opened at construction; only turns that a dead process left in `records` are resumed from then on. `close` leaves the
 * turns of this process to others where `records` were given, and stops them otherwise; then it closes what the server opened.
 * @throws SkillError `CONFIG_INVALID` where `agents` is empty, where the key of a model is one that no HTTP header can carry, if `origins` contains a text that no browser sends as an origin, and for a time of `keep` below a minute.
 */
export function agentServer(options: AgentServerOptions): AgentServer {
  checkOrigins(options.origins);
  for (const { modelConfig } of Object.values(options.agents)) checkModelKey(modelConfig);
  const parts = serverParts(options);
  const app = serverApp(parts);
  const close = () => parts.close();
  return {
    fetch: async (request) => await app.fetch(ownRequest(request)),
    token: parts.token,
    drain: ({ forMs = DRAIN_MS } = {}) => parts.draining.drain(forMs),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const DRAIN_MS = 10_000;
