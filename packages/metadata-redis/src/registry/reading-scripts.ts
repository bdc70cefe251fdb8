import { script } from "../connection/script.js";
import { SIZE_CHECK } from "../connection/size-limit.js";

/** KEYS: the hash of the records. Returns ids and values in turn; nothing where the key holds another type of value. */
export const readRecords = script(`${SIZE_CHECK}
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then return {} end
return tooLarge(KEYS[1]) or redis.call('HGETALL', KEYS[1])
`);
