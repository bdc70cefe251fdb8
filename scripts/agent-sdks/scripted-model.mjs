import { once } from "node:events";
import { createServer } from "node:http";
import { chatCompletions } from "./chat-completions.mjs";
import { generateContent } from "./generate-content.mjs";
import { responses } from "./responses.mjs";

/**
 * What a request of one protocol says. `results` are what the tools returned so far, in order, as the model reads them.
 *
 * @typedef {{ text: string, tools: { name: string, schema: any }[], results: string[] }} Heard
 */

/**
 * @typedef {object} Protocol
 * @property {RegExp} path
 * @property {(body: any) => Heard} hear
 * @property {(step: Step, number: number) => object} answer
 * @property {(step: Step, number: number) => { event?: string, data: object | string }[]} stream
 */

/** @typedef {{ tool?: string, input?: object, text?: string }} Step */

const PROTOCOLS = [chatCompletions, responses, generateContent];

/**
 * A fake model: an HTTP server on this machine that speaks the protocols of OpenAI and Gemini. It makes the calls of
 * `script` one after the other and then says what the last of them returned. It keeps what each request said.
 *
 * @param {{ tool: string, input: object }[]} script
 */
export async function scriptedModel(script) {
  const heard = /** @type {Heard[]} */ ([]);
  const refused = /** @type {string[]} */ ([]);

  const server = createServer(async (request, response) => {
    const [path = "", query = ""] = (request.url ?? "").split("?");
    const protocol = PROTOCOLS.find((one) => one.path.test(path));
    let given = "";
    for await (const chunk of request) given += chunk;
    if (!protocol) {
      refused.push(`${request.method} ${request.url}`);
      response.writeHead(404).end();
      return;
    }
    const body = JSON.parse(given);
    const said = protocol.hear(body);
    heard.push(said);
    const number = said.results.length;
    const step = script[number] ?? { text: `The skill says: ${said.results.at(-1)}` };
    if (body.stream || query.includes("alt=sse")) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const { event, data } of protocol.stream(step, number))
        response.write(`${event ? `event: ${event}\n` : ""}data: ${text(data)}\n\n`);
      response.end();
    } else {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(protocol.answer(step, number)));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());

  return {
    origin: `http://127.0.0.1:${port}`,
    heard,
    /** Requests that are of no known protocol. */
    refused,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function text(data) {
  return typeof data === "string" ? data : JSON.stringify(data);
}
