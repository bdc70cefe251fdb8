import { script } from "../connection/script.js";
import { MOST_BYTES, refuseAsTooLarge } from "../connection/size-limit.js";
import { REVISION } from "./record-scripts.js";

/** After this much, a page ends before its limit. */
const PAGE_BYTES = 32 * 1024 * 1024;

/**
 * KEYS: the names by bytes or by age, the start of the keys of the records. ARGV: "key" or "newest", where the page begins in the
 * form of the server, the limit. Returns the place after which the next page begins, or "", then name, value and revision of
 * each record.
 */
export const listRecords = script(`${REVISION}
local limit = tonumber(ARGV[3])
local found, step
if ARGV[1] == 'key' then
  found, step = redis.call('ZRANGEBYLEX', KEYS[1], ARGV[2], '+', 'LIMIT', 0, limit + 1), 1
else
  found, step = redis.call('ZREVRANGEBYSCORE', KEYS[1], ARGV[2], '-inf', 'WITHSCORES', 'LIMIT', 0, limit + 1), 2
end
local page, bytes = { '' }, 0
for at = 1, #found, step do
  if at > limit * step or bytes > ${PAGE_BYTES} then
    page[1] = found[at - 1]
    break
  end
  local record = KEYS[2] .. found[at]
  if redis.call('HSTRLEN', record, 'value') > ${MOST_BYTES} then return ${refuseAsTooLarge("record")} end
  local value = redis.call('HGET', record, 'value')
  if value then
    bytes = bytes + #value
    page[#page + 1] = found[at]
    page[#page + 1] = value
    page[#page + 1] = last(revisionsOf(record))
  end
end
return page
`);
