export type { RedisClient, RedisPlaceOptions } from "./connection/redis-place.js";
export { type RedisIndexOptions, redisIndex } from "./redis-index.js";
export { redisRecords } from "./redis-records.js";
