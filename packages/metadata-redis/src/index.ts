export type { RedisClient, RedisPlaceOptions } from "./connection/redis-place.js";
export { type RedisIndexOptions, redisIndex } from "./redis-index.js";
export { redisRecords } from "./redis-records.js";
export { redisRegistry } from "./redis-registry.js";
export { redisSessions } from "./redis-sessions.js";
export { redisTurns } from "./redis-turns.js";
