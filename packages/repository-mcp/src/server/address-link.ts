import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SkillError } from "@skillwright/core";
import type { McpAddress } from "../mcp-repository-options.js";
import type { McpSettings } from "../mcp-settings.js";
import { excessAnswer } from "./excess-answer.js";
import type { LinkFailure, ServerLink } from "./server-link.js";

/** Redirects are followed within the url's origin only. No stream is kept open for messages that nobody asked for. */
export function addressLink(
  settings: McpSettings,
  { url, headers = {}, fetch = globalThis.fetch }: McpAddress,
): ServerLink {
  const { origin } = new URL(url);
  let failure: LinkFailure | undefined;

  const limitedFetch: typeof fetch = async (input, init) => {
    const at = new URL(input instanceof Request ? input.url : input);
    if (at.origin !== origin)
      throw new SkillError(
        "REFUSED",
        `The MCP server ${settings.shown} leads to ${at.origin}, another origin. Give the final address.`,
      );
    if (init?.method === "GET") return new Response(null, { status: 405 });
    const response = await fetch(input, init);
    if (!response.body) return response;
    const { status, statusText, headers: told } = response;
    return new Response(limited(response.body), { status, statusText, headers: told });
  };

  function limited(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    let bytes = 0;
    return body.pipeThrough(
      new TransformStream({
        transform(piece, controller) {
          bytes += piece.byteLength;
          if (bytes <= settings.limits.answerBytes) return controller.enqueue(piece);
          failure = { error: excessAnswer(settings), isEnd: false };
          controller.error(failure.error);
          void transport.close();
        },
      }),
    );
  }

  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: limitedFetch,
    requestInit: {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          typeof value === "string" ? value : value.reveal(),
        ]),
      ),
    },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
  });
  return { transport, failure: async () => failure, close: () => transport.close() };
}
