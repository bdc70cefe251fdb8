import type { Pool } from "pg";
import type { PostgresPool } from "../../src/index.js";
import type { Tap } from "./subjects.js";

/** The pool with a tap before each statement, from `begin` on. Where the tap throws, the client's connection is cut. */
export function tappedPool(pool: Pool, tap: Tap): { readonly pool: PostgresPool; begin(): void } {
  let isOn = false;

  async function connect(): ReturnType<PostgresPool["connect"]> {
    const client = await pool.connect();
    return {
      async query(text, values = []) {
        try {
          if (isOn) tap(text, values);
        } catch (error) {
          // The server then ends the transaction, as it does for a killed process.
          (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
          throw error;
        }
        return await client.query(text, values);
      },
      release: (isBroken) => client.release(isBroken),
      on: (event, listener) => client.on(event, listener),
      off: (event, listener) => client.off(event, listener),
    };
  }

  return {
    pool: { connect },
    begin() {
      isOn = true;
    },
  };
}
