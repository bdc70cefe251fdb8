import { script } from "../connection/script.js";
import { MOST_BYTES, refuseAsTooLarge } from "../connection/size-limit.js";

/** KEYS: the log. ARGV: the first and the last position. Returns the entries. */
export const readEntries = script(`
local entries = redis.call('LRANGE', KEYS[1], ARGV[1], ARGV[2])
for _, entry in ipairs(entries) do
  if #entry > ${MOST_BYTES} then return ${refuseAsTooLarge("KEYS[1]")} end
end
return entries
`);
