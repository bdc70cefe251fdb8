import { script } from "../connection/script.js";
import { SIZE_CHECK } from "../connection/size-limit.js";

/** KEYS: the hash of the records. Gives ids and values in turn; nothing where another kind of value lies there. */
export const readRecords = script(`${SIZE_CHECK}
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then return {} end
return tooLarge(KEYS[1]) or redis.call('HGETALL', KEYS[1])
`);
