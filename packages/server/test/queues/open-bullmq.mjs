import { bullmqTurns } from "@skillwright/server/bullmq";

/** A queue in the Redis server at that port. Processes that die are noticed after a second. */
export function open(port) {
  return bullmqTurns({
    connection: { host: "127.0.0.1", port: Number(port) },
    lostAfterMs: 1000,
    againAfterMs: 100,
  });
}
