import { StringDecoder } from "node:string_decoder";

/**
 * A client of the protocol on two streams that does nothing but to write requests and to wait for their answers, so that its own time
 * is small.
 *
 * @param {{ input: import("node:stream").Readable, output: import("node:stream").Writable }} streams
 */
export function rawClient({ input, output }) {
  /** @type {Map<number, (message: any) => void>} */
  const waiting = new Map();
  const decoder = new StringDecoder("utf8");
  /** @type {string[]} */
  let pieces = [];
  let last = 0;
  input.on("data", (data) => {
    const lines = decoder.write(data).split("\n");
    for (const line of lines.slice(0, -1)) {
      const message = JSON.parse([...pieces, line].join(""));
      pieces = [];
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
    pieces.push(lines.at(-1) ?? "");
  });
  const send = (/** @type {object} */ message) =>
    output.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

  /** @param {string} method @param {object} [params] @returns {Promise<any>} the whole answer */
  function ask(method, params = {}) {
    const id = ++last;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    return answer;
  }

  return {
    ask,
    async initialize() {
      const clientInfo = { name: "bench", version: "1" };
      const answer = await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
      send({ method: "notifications/initialized" });
      return answer;
    },
  };
}
