export { type PgBossTurnsOptions, pgBossTurns, type TurnBoss, type TurnJob } from "./queues/pg-boss-turns.js";
export type { SeeOptions, TurnQueue, TurnWork } from "./queues/turn-queue.js";
