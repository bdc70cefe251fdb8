import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";

/** Calls of the model in a turn: commands, the last of which saves a file, and the answer. */
export const STEPS = 6;

/**
 * A fake model server with the protocol of OpenAI. In each turn it asks for five commands, one a step, and then answers.
 * `callOf` returns the call of a tool that writes a line; the last one also saves a file. What it says depends on the
 * conversation only, so that a call that is made again is answered in the same way.
 */
export async function modelServer(random, callOf) {
  let asking = "";
  const server = createServer(async (request, response) => {
    asking = request.url?.split("/")[1] ?? "";
    const { messages } = JSON.parse(await text(request));
    const asked = messages.findLastIndex(({ role }) => role === "user");
    const name = /turn-\d+/.exec(JSON.stringify(messages[asked].content))?.[0];
    const step = messages.slice(asked).filter(({ role }) => role === "assistant").length + 1;
    response.writeHead(200, { "content-type": "text/event-stream" });
    /** @param {object} delta @param {string | null} [finish_reason] */
    const send = (delta, finish_reason = null) =>
      response.write(
        `data: ${JSON.stringify({ ...ENVELOPE, choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
      );
    await setTimeout(random.pick([0, 5, 20, 60]));
    for (const piece of [`${name} `, `step `, `${step}. `]) {
      send({ content: piece });
      await setTimeout(random.pick([0, 1, 10]));
    }
    const given = {
      line: `${name}-${step}`,
      seconds: random.pick([0, 0.02, 0.1]),
      isSaved: step === STEPS - 1,
    };
    const call = { index: 0, id: "call_0", type: "function", function: callOf(given) };
    if (step < STEPS) send({ tool_calls: [call] });
    send({}, step < STEPS ? "tool_calls" : "stop");
    response.end("data: [DONE]\n\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("There is no port.");
  return {
    /** @param {string | number} server The server that asks at this address. */
    baseURL: (server) => `http://127.0.0.1:${address.port}/${server}/v1`,
    /** The server that asked last. */
    asking: () => asking,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const ENVELOPE = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_700_000_000, model: "fake" };
