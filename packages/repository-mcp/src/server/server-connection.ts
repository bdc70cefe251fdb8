import { Client, type RequestOptions } from "@modelcontextprotocol/client";
import { SkillError } from "@skillwright/core";
import { checkAborted, sharedWork } from "@skillwright/core/adapter";
import type { McpSettings } from "../mcp-settings.js";
import { addressLink } from "./address-link.js";
import { commandLink } from "./command-link.js";
import { requestFailure } from "./request-failure.js";
import type { ServerLink } from "./server-link.js";
import { type SkillsPage, skillsPageSchema } from "./skills-page.js";

/** Requests to one server, which is connected to by the first of them, and again by the first after its end. */
export interface ServerConnection {
  /** @throws SkillError `UNSUPPORTED` for a server without skills; as `requestFailure`, `ABORTED` and `CLOSED`. */
  skillsPage(cursor: string | undefined, signal: AbortSignal | undefined): Promise<SkillsPage>;
  /** The bytes of one resource. @throws SkillError as `skillsPage`. */
  content(uri: string, signal: AbortSignal | undefined): Promise<Uint8Array>;
  /** Ends the server, if it is a program. Requests in progress fail with `CLOSED`. */
  close(): Promise<void>;
}

interface Connected {
  readonly client: Client;
  readonly link: ServerLink;
}

const EXTENSION = "io.modelcontextprotocol/skills";

export function serverConnection(settings: McpSettings): ServerConnection {
  const { timeoutMs, shown } = settings;
  const opened = new Set<ServerLink>();
  let current: Connected | undefined;
  let isClosed = false;
  const connecting = sharedWork(connect);

  async function connect(signal: AbortSignal): Promise<Connected> {
    const found = await connectBy("auto", signal);
    if (found) return found;
    // Some servers of earlier revisions end when they are asked for the revisions.
    const earlier = await connectBy("legacy", signal);
    if (earlier) return earlier;
    throw closed();
  }

  /** Returns `undefined` where the server ended before its first answer, and another way of greeting may help. */
  async function connectBy(mode: "auto" | "legacy", signal: AbortSignal): Promise<Connected | undefined> {
    if (isClosed) throw closed();
    const link =
      "command" in settings.server
        ? commandLink(settings, settings.server)
        : addressLink(settings, settings.server);
    opened.add(link);
    const client = new Client(
      { name: "skillwright", version: "1" },
      {
        versionNegotiation: { mode, probe: { timeoutMs: Math.ceil(timeoutMs / 2) } },
        inputRequired: { autoFulfill: false },
      },
    );
    client.onclose = () => {
      opened.delete(link);
      if (current?.link === link) current = undefined;
    };
    const stop = () => void link.close();
    signal.addEventListener("abort", stop, { once: true });
    try {
      await client.connect(link.transport, { timeout: timeoutMs, signal });
      if (!client.getServerCapabilities()?.extensions?.[EXTENSION]) throw unsupported(shown);
      current = { client, link };
      return current;
    } catch (error) {
      const failure = await link.failure();
      await link.close();
      opened.delete(link);
      if (mode === "auto" && failure?.isEnd && !isClosed && !signal.aborted) return undefined;
      checkAborted(signal);
      throw isClosed ? closed() : requestFailure(error, failure?.error, settings);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async function ask<T>(
    signal: AbortSignal | undefined,
    work: (client: Client, options: RequestOptions) => Promise<T>,
  ): Promise<T> {
    if (isClosed) throw closed();
    const earlier = current;
    const { client, link } = earlier ?? (await connecting(signal));
    try {
      return await work(client, { timeout: timeoutMs, ...(signal && { signal }) });
    } catch (error) {
      const failure = await link.failure();
      if (current?.link === link && failure) current = undefined;
      checkAborted(signal);
      // It ended since the last request, which this one found out.
      if (earlier && failure?.isEnd && !isClosed) return await ask(signal, work);
      throw isClosed ? closed() : requestFailure(error, failure?.error, settings);
    }
  }

  return {
    skillsPage: (cursor, signal) =>
      ask(signal, (client, options) =>
        client.request(
          { method: "skills/list", params: cursor === undefined ? {} : { cursor } },
          skillsPageSchema,
          options,
        ),
      ),
    content: (uri, signal) =>
      ask(signal, async (client, options) => {
        const { contents } = await client.readResource({ uri }, { ...options, cacheMode: "bypass" });
        const content = contents.find((one) => one.uri === uri) ?? contents[0];
        if (!content) throw new Error(`it has no content for ${uri}`);
        return "text" in content ? Buffer.from(content.text) : Buffer.from(content.blob, "base64");
      }),
    async close() {
      isClosed = true;
      await Promise.all([...opened].map((link) => link.close()));
    },
  };

  function closed(): SkillError {
    return new SkillError("CLOSED", `The repository of the MCP server ${shown} is closed. Create a new one.`);
  }
}

function unsupported(shown: string): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    `The MCP server ${shown} offers no skills: it does not have the extension ${EXTENSION}. Give one that has it, such as "skillwright mcp".`,
  );
}
