import { pgBossTurns } from "@skillwright/server/pg-boss";
import { PgBoss } from "pg-boss";

/** A queue in the PostgreSQL database at that URL. Processes that die are noticed after 10 s. */
export async function open(connectionString) {
  const boss = new PgBoss({
    connectionString,
    useListenNotify: true,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  });
  boss.on("error", () => undefined);
  await boss.start();
  const queue = pgBossTurns({ boss, lostAfterMs: 10_000, againAfterMs: 1000 });
  return {
    ...queue,
    close: async () => {
      await queue.close();
      await boss.stop({ graceful: true });
    },
  };
}
