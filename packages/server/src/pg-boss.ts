export { type PgBossTurnsOptions, pgBossTurns, type TurnBoss, type TurnJob } from "./queues/pg-boss-turns.js";
export type { TurnJobOptions, TurnQueue, TurnWork } from "./queues/turn-queue.js";
