import { script } from "../connection/script.js";
import { MOST_BYTES, refuseAsTooLarge } from "../connection/size-limit.js";

/*
 * A record is a hash with the fields `value`, `holder` and `revisions`, and a field `log:<name>` for each of its logs. `revisions` holds
 * the last revisions in order; the current one is at the end. The field of a log holds the last calls that added to it, each as
 * `<id>=<length after it>;`. If the answer to a command was lost, the client may send the command again, even after later ones: the
 * script then finds the command's id here.
 */

/** Characters of an id of a revision or a call: hexadecimal digits. */
export const ID_LENGTH = 24;
const REVISIONS_LENGTH = 16 * ID_LENGTH;
const CALLS_LENGTH = 1000;

/** Lua: `revisionsOf(record)`, and `last(revisions)`, which is "" where there is no record. */
export const REVISION = `
local function revisionsOf(record) return redis.call('HGET', record, 'revisions') or '' end
local function last(revisions) return string.sub(revisions, -${ID_LENGTH}) end
`;

const DROP = `
local function drop(record, logs, starts)
  for _, field in ipairs(redis.call('HKEYS', record)) do
    local log = string.match(field, '^log:(.*)$')
    for _, start in ipairs(log and starts or {}) do
      if string.sub(log, 1, #start) == start then
        redis.call('DEL', logs .. log)
        redis.call('HDEL', record, field)
        break
      end
    end
  end
end
`;

/** KEYS: the record. Returns { the time in milliseconds, the revision or "", the value or nothing }. */
export const readRecord = script(`${REVISION}
if redis.call('HSTRLEN', KEYS[1], 'value') > ${MOST_BYTES} then return ${refuseAsTooLarge("KEYS[1]")} end
local time = redis.call('TIME')
local now = string.format('%.3f', tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000)
return { now, last(revisionsOf(KEYS[1])), redis.call('HGET', KEYS[1], 'value') }
`);

/**
 * KEYS: the record, the names by bytes, the names by age, the start of the keys of the record's logs. ARGV: the channel, the message;
 * the name, the new revision, "1" and the required revision or "" for none, or "0" and anything; the value, the holder or "" for
 * nobody; the number of starts of logs to drop, these; then for each log its name, the number of its entries, these. Returns 1, or
 * 0 where the record is at another revision.
 */
export const writeRecord = script(`${REVISION}${DROP}
local revisions = revisionsOf(KEYS[1])
for at = 1, #revisions, ${ID_LENGTH} do
  if string.sub(revisions, at, at + ${ID_LENGTH - 1}) == ARGV[4] then return 1 end
end
if ARGV[5] == '1' and last(revisions) ~= ARGV[6] then return 0 end

-- First what a full server refuses: once a script has written, nothing is refused to it.
redis.call('HSET', KEYS[1], 'value', ARGV[7], 'revisions', string.sub(revisions .. ARGV[4], -${REVISIONS_LENGTH}))
if ARGV[8] == '' then redis.call('HDEL', KEYS[1], 'holder')
else redis.call('HSET', KEYS[1], 'holder', ARGV[8]) end
redis.call('ZADD', KEYS[2], 0, ARGV[3])
local newest = redis.call('ZREVRANGE', KEYS[3], 0, 0, 'WITHSCORES')
redis.call('ZADD', KEYS[3], string.format('%.0f', (tonumber(newest[2]) or 0) + 1), ARGV[3])

local index = 10 + tonumber(ARGV[9])
local starts = {}
for at = 10, index - 1 do starts[#starts + 1] = ARGV[at] end
if #starts > 0 then drop(KEYS[1], KEYS[4], starts) end
while index < #ARGV do
  local log, count = ARGV[index], tonumber(ARGV[index + 1])
  for at = index + 2, index + 1 + count do redis.call('RPUSH', KEYS[4] .. log, ARGV[at]) end
  if count > 0 then redis.call('HSETNX', KEYS[1], 'log:' .. log, '') end
  index = index + 2 + count
end
redis.call('PUBLISH', ARGV[1], ARGV[2])
return 1
`);

/**
 * KEYS as for a write. ARGV: the channel, the message, the name, "1" and the required revision, or "0" and anything. Returns 1, or
 * 0 where there is no such record.
 */
export const deleteRecord = script(`${REVISION}${DROP}
local revision = last(revisionsOf(KEYS[1]))
if revision == '' or ARGV[4] == '1' and revision ~= ARGV[5] then return 0 end
drop(KEYS[1], KEYS[4], { '' })
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[3])
redis.call('ZREM', KEYS[3], ARGV[3])
redis.call('PUBLISH', ARGV[1], ARGV[2])
return 1
`);

/**
 * KEYS: the record, the log. ARGV: the channel, the message, the holder, the name of the log, the id of the call, then the entries.
 * Returns the log's length, or nothing where there is no record, or it has another holder.
 */
export const appendEntries = script(`
local found = redis.call('HMGET', KEYS[1], 'holder', 'log:' .. ARGV[4])
if found[1] ~= ARGV[3] then return nil end
if #ARGV == 5 then return redis.call('LLEN', KEYS[2]) end
local calls = found[2] or ''
local length = string.match(calls, ARGV[5] .. '=(%d+);')
if length then return tonumber(length) end

-- First what a full server refuses: once a script has written, nothing is refused to it.
redis.call('RPUSH', KEYS[2], ARGV[6])
for at = 7, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[at]) end
length = redis.call('LLEN', KEYS[2])
calls = string.sub(calls .. ARGV[5] .. '=' .. string.format('%.0f', length) .. ';', -${CALLS_LENGTH})
redis.call('HSET', KEYS[1], 'log:' .. ARGV[4], calls)
redis.call('PUBLISH', ARGV[1], ARGV[2])
return length
`);
