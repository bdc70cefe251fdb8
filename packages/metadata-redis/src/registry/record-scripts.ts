import { script } from "../connection/script.js";

/**
 * KEYS: the hash of the records by id, and the sorted set of the owned ones, whose members are ordered by bytes. A
 * record's value is "<last used, ms> <member of the set or nothing>\n<the rest as JSON>".
 */
const RECORDS = `
local function isKind(key, kind) return redis.call('TYPE', key).ok == kind end

local function clear(key, kind)
  if not isKind(key, kind) and not isKind(key, 'none') then redis.call('DEL', key) end
end

local function recordOf(id)
  return isKind(KEYS[1], 'hash') and redis.call('HGET', KEYS[1], id) or nil
end

local function disown(record)
  local member = string.match(record, '^%-?%d+ ([^\\n]*)\\n')
  if member and member ~= '' and isKind(KEYS[2], 'zset') then redis.call('ZREM', KEYS[2], member) end
end
`;

/** ARGV: id, value, member or "". */
export const putRecord = script(`${RECORDS}
clear(KEYS[1], 'hash')
clear(KEYS[2], 'zset')
local old = recordOf(ARGV[1])
-- First what a full server refuses: once a script has written, nothing is refused to it.
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if old then disown(old) end
if ARGV[3] ~= '' then redis.call('ZADD', KEYS[2], 0, ARGV[3]) end
`);

/** ARGV: id. */
export const touchRecord = script(`${RECORDS}
local old = recordOf(ARGV[1])
local rest = old and string.match(old, '^%-?%d+( .*)$')
if rest then
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now) .. rest)
end
`);

/** ARGV: id. Returns 1 where there was a record. */
export const removeRecord = script(`${RECORDS}
local old = recordOf(ARGV[1])
if not old then return 0 end
disown(old)
return redis.call('HDEL', KEYS[1], ARGV[1])
`);

/**
 * ARGV: the first and the last possible member of an owner. Returns ids and values in turn, in the order of the
 * members.
 */
export const findRecords = script(`${RECORDS}
local found = {}
if not isKind(KEYS[2], 'zset') then return found end
for _, member in ipairs(redis.call('ZRANGEBYLEX', KEYS[2], ARGV[1], ARGV[2])) do
  local id = string.match(member, '(%S+)$')
  local record = id and recordOf(id)
  if record then
    found[#found + 1] = id
    found[#found + 1] = record
  end
end
return found
`);
