export { type PgBossTurnsOptions, pgBossTurns } from "./queues/pg-boss-turns.js";
export type { SeeOptions, TurnQueue, TurnWork } from "./queues/turn-queue.js";
