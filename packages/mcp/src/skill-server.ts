import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Closable, SkillError } from "@skillwright/core";
import { eitherSignal } from "@skillwright/core/adapter";
import { storedApprovals } from "@skillwright/tools";
import { type HostEndpoint, type HostEndpointOptions, hostEndpoint } from "./http/host-endpoint.js";
import { type UserEndpoint, type UserEndpointOptions, userEndpoint } from "./http/user-endpoint.js";
import { followCatalogue } from "./session/follow-catalogue.js";
import { hostServer } from "./session/host-server.js";
import { hostSession, sessionTools } from "./session/host-session.js";
import { watchedTransport } from "./session/watched-transport.js";
import type { SkillServerOptions } from "./skill-server-options.js";

/** The two streams of a client that started this process, or of a socket. */
export interface HostStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Skills, and a workspace to run them in, for clients that speak the Model Context Protocol. */
export interface SkillServer extends Closable {
  /**
   * Serves one client over this transport of `@modelcontextprotocol/server` until either side closes it or the signal
   * fires. Then its calls are ended and its workspace is destroyed.
   * @throws SkillError `CLOSED` after `close()`.
   */
  connect(transport: Transport, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /** Serves one client over streams, with one JSON message per line. Writes nothing else to the output. */
  serve(streams: HostStreams, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /**
   * Opens an endpoint for the HTTP clients of one person, whom the application has identified. Close the endpoint before the server.
   * @throws SkillError `CLOSED` after `close()`.
   */
  endpoint(options?: HostEndpointOptions): HostEndpoint;
  /**
   * Opens an endpoint for the HTTP clients of many users. Close it before the server.
   * @throws SkillError `CLOSED` after `close()`; `CONFIG_INVALID` for an address without encryption.
   */
  userEndpoint(options: UserEndpointOptions): UserEndpoint;
}

/**
 * Offers the skills as tools (`skill_list`, `skill_load`, `skill_read`, `skill_run` and those of the workspace), the files of the
 * client's workspace as resources, and the skills themselves as the extension `io.modelcontextprotocol/skills`. Each
 * client has a workspace of its own and cannot name that of another. Refusals are results of the tools, never errors of the
 * protocol.
 * @throws SkillError `CONFIG_INVALID` as `skillTools` of `@skillwright/tools`.
 */
export function skillServer(options: SkillServerOptions): SkillServer {
  checkTools(options);
  const ending = new AbortController();
  const serving = new Set<Promise<void>>();

  const checkOpen = () => {
    if (ending.signal.aborted)
      throw new SkillError("CLOSED", "This server is closed. Create a new one with skillServer().");
  };

  const connect: SkillServer["connect"] = async (transport, { signal } = {}) => {
    checkOpen();
    const served = serveOne(transport, eitherSignal(signal, ending.signal));
    serving.add(served);
    await served.finally(() => serving.delete(served));
  };

  async function serveOne(transport: Transport, signal: AbortSignal | undefined): Promise<void> {
    const session = hostSession(options);
    // The catalogue is watched before it is first listed; otherwise it would be listed twice.
    const watching = options.skills.subscribe(() => undefined);
    session.atEnd(() => watching.close());
    const { wire, closed } = watchedTransport(transport, session.leave);
    const creating: Promise<unknown>[] = [];
    const handle = serveStdio(
      () => {
        const created = hostServer(session, options, (host, tools) => {
          const following = followCatalogue(host, tools, options);
          session.atEnd(() => following.close());
        });
        creating.push(created);
        return created;
      },
      { transport: wire, onerror: session.report },
    );
    const stop = () => void handle.close();
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    try {
      await closed;
    } finally {
      signal?.removeEventListener("abort", stop);
      // A server that is still being created uses the catalogue, which the caller may close next.
      await Promise.allSettled(creating);
      await session.end();
    }
  }

  let closing: Promise<unknown> | undefined;
  const close = async () => {
    ending.abort();
    closing ??= Promise.allSettled(serving);
    await closing;
  };
  return {
    connect,
    endpoint: (given = {}) => {
      checkOpen();
      return hostEndpoint(options, given);
    },
    userEndpoint: (given) => {
      checkOpen();
      return userEndpoint(options, given);
    },
    serve: ({ input, output }, given) => connect(new StdioServerTransport(input, output), given),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Throws for invalid options at once, not when the first client connects. */
function checkTools(options: SkillServerOptions): void {
  sessionTools(options, options.workspaces, storedApprovals());
}
