import { type TurnTransport, turnTransport } from "@skillwright/server/client";
import { watchedFetch } from "../api/connection.js";
import { API } from "../api/request.js";
import { authorization } from "../api/token.js";

const server = turnTransport({ server: API, headers: authorization, fetch: watchedFetch });

/** The connection of all chats to the server. A chat that leaves the page stops reading; its turn goes on. */
export const transport: TurnTransport = {
  ...server,
  sendMessages: async ({ abortSignal, ...options }) => {
    const stream = await server.sendMessages({ ...options, abortSignal: undefined });
    return abortSignal ? stream.pipeThrough(new TransformStream(), { signal: abortSignal }) : stream;
  },
};
