import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import type { Closable } from "@skillwright/core";
import { hostServer } from "../session/host-server.js";
import { hostSession } from "../session/host-session.js";
import type { SkillServerOptions } from "../skill-server-options.js";

/** Serves clients over HTTP. All clients belong to one person and share one workspace. */
export interface HostEndpoint extends Closable {
  /**
   * Answers one request of the transport "Streamable HTTP". The application identifies the user before. Requests from pages of
   * other sites and requests with a foreign `Host` are refused with 403. Never rejects.
   */
  fetch(request: Request): Promise<Response>;
}

export interface HostEndpointOptions {
  /** Host names of the server, without ports. Defaults to the names of this machine. */
  readonly hostnames?: readonly string[] | undefined;
}

export function hostEndpoint(
  options: SkillServerOptions,
  { hostnames = localhostAllowedHostnames() }: HostEndpointOptions,
  userId?: string,
): HostEndpoint {
  const session = hostSession(options, userId);
  const allowed = [...hostnames];
  const handler = createMcpHandler(() => hostServer(session, options), {
    onerror: session.report,
    // With a stream, the connection stays alive while a command prints nothing.
    responseMode: "sse",
  });
  const watching = options.skills.subscribe(() => {
    handler.notify.resourcesChanged();
    handler.notify.toolsChanged();
  });
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    session.leave();
    await watching.close();
    await handler.close();
    await session.end();
  }

  const close = () => (closing ??= closeAll());
  return {
    fetch: async (request) =>
      hostHeaderValidationResponse(request, allowed) ??
      originValidationResponse(request, allowed) ??
      (await handler.fetch(request)),
    close,
    [Symbol.asyncDispose]: close,
  };
}
