import { setTimeout } from "node:timers/promises";
import { EventSourceParserStream } from "eventsource-parser/stream";

/**
 * A client that has one turn, whatever happens to its server: it sends the message until it is accepted, and reads the
 * stream from the next offset until its end. `serverNow()` resolves with the server that is alive; `events` receives what is
 * read. Rejects where an event is missing or comes twice.
 */
export async function clientTurn(conversation, words, serverNow, events) {
  for (let isOver = false; !isOver; ) {
    const server = await serverNow();
    isOver = await readOn(server, conversation, words, events).catch(unlessFault);
  }
}

/** What no killed server explains. */
class StreamFault extends Error {}

function unlessFault(error) {
  if (error instanceof StreamFault) throw error;
  return false;
}

async function readOn(server, conversation, words, events) {
  const path = `/conversations/${conversation}`;
  if ((await server.ask(path)).status === 404)
    await server.ask("/conversations", { json: { id: conversation } });
  const offset = events.length === 0 ? {} : { "last-event-id": String(events.length - 1) };
  const resumed = await server.ask(`${path}/stream`, { headers: offset });
  if (resumed.status === 200) return await read(resumed, events);
  if (events.length > 0) return await readEnded(server, conversation, events);
  const { messages } = await (await server.ask(`${path}/messages`)).json().then((all) => ({ messages: all }));
  const answered = messages.findLast(({ role }) => role === "assistant");
  if (answered) return await readFrom(server, `${path}/turns/${answered.id}/stream`, events);
  const parts = [{ type: "text", text: words }];
  return await read(await server.ask(`${path}/turns`, { json: { message: { parts } } }), events);
}

/** The turn ended while nobody read it. */
async function readEnded(server, conversation, events) {
  const turn = events[0].messageId;
  return await readFrom(server, `/conversations/${conversation}/turns/${turn}/stream`, events);
}

async function readFrom(server, path, events) {
  const answer = await server.ask(`${path}?offset=${events.length}`);
  return await read(answer, events);
}

/** Returns whether the end of the stream was read. */
async function read(answer, events) {
  if (answer.status !== 200) {
    await setTimeout(50);
    return false;
  }
  const stream = answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { id, data } of stream) {
    // A turn without events began and was given up before its message was stored.
    if (data === "[DONE]") return events.length > 0;
    if (Number(id) !== events.length)
      throw new StreamFault(`Event ${id} came where ${events.length} was due.`);
    events.push(JSON.parse(data));
  }
  return false;
}
