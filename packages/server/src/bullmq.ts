export { type BullmqTurnsOptions, bullmqTurns } from "./queues/bullmq-turns.js";
export type { SeeOptions, TurnQueue, TurnWork } from "./queues/turn-queue.js";
