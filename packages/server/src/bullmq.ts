export { type BullmqTurnsOptions, bullmqTurns } from "./queues/bullmq-turns.js";
export type { TurnJobOptions, TurnQueue, TurnWork } from "./queues/turn-queue.js";
