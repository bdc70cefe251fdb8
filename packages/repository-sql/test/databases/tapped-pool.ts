import type { Pool, PoolClient } from "pg";
import type { PostgresClient, PostgresPool } from "../../src/index.js";
import type { Tap } from "./subjects.js";

/** The pool with a tap before each statement, from `begin` on. Where the tap throws, the client's connection is cut. */
export function tappedPool(pool: Pool, tap: Tap): { readonly pool: PostgresPool; begin(): void } {
  let isOn = false;

  async function connect(): ReturnType<PostgresPool["connect"]> {
    const client = await pool.connect();
    return withQuery(client, async (text, values = []) => {
      try {
        if (isOn) tap(text, values);
      } catch (error) {
        // The server then ends the transaction, as it does for a killed process.
        (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
        throw error;
      }
      return await client.query(text, values);
    });
  }

  return {
    pool: { connect },
    begin() {
      isOn = true;
    },
  };
}

/** The client, whose queries are run by that function. */
export function withQuery(client: PoolClient, query: PostgresClient["query"]): PostgresClient {
  return {
    query,
    release: (isBroken) => client.release(isBroken),
    on: (event: never, listener: never) => client.on(event, listener),
    off: (event: never, listener: never) => client.off(event, listener),
  };
}
