import { script } from "../connection/script.js";

const NOW = `
local function now()
  local time = redis.call('TIME')
  return string.format('%.3f', tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000)
end
`;

/** KEYS: the turn. Returns { the time in milliseconds, its record or nothing }. */
export const readTurn = script(`${NOW}
return { now(), redis.call('HGET', KEYS[1], 'record') }
`);

/**
 * KEYS: the turn, the set of its logs, the active turns by time. ARGV: "1" and the required stamp, or "0" and anything
 * where there must be no turn; the stamp, turn and holder; "active" or "ended", the time; the record; the conversation,
 * the channel. Returns 1, or 0 where the stamp was another one.
 */
export const writeTurn = script(`
local at = redis.call('HGET', KEYS[1], 'stamp')
-- The client may send a command again whose answer was lost.
if at and at == ARGV[3] then return 1 end
if ARGV[1] == '0' and at or ARGV[1] == '1' and at ~= ARGV[2] then return 0 end

local before = redis.call('HGET', KEYS[1], 'turn')
redis.call('HSET', KEYS[1],
  'stamp', ARGV[3], 'turn', ARGV[4], 'holder', ARGV[5], 'state', ARGV[6], 'record', ARGV[8])
if before ~= ARGV[4] then
  for _, log in ipairs(redis.call('SMEMBERS', KEYS[2])) do
    -- The output of commands outlives its turn; the last part of a key is the encoded name of the log.
    if not string.find(log, ':run%%20[^:]*$') then
      redis.call('DEL', log)
      redis.call('SREM', KEYS[2], log)
    end
  end
end
if ARGV[6] == 'active' then redis.call('ZADD', KEYS[3], ARGV[7], ARGV[9])
else redis.call('ZREM', KEYS[3], ARGV[9]) end
redis.call('PUBLISH', ARGV[10], ARGV[9])
return 1
`);

/**
 * KEYS: the turn, the log, the set of logs. ARGV: the turn, the holder, the id of the call, the conversation, the
 * channel, then the events. Returns the log's length, or nothing where the turn is not active or another's.
 */
export const appendEvents = script(`
local turn = redis.call('HMGET', KEYS[1], 'turn', 'holder', 'state', 'call')
if turn[1] ~= ARGV[1] or turn[2] ~= ARGV[2] or turn[3] ~= 'active' then return nil end
local length = redis.call('XLEN', KEYS[2])
-- The client may send a command again whose answer was lost.
if turn[4] == ARGV[3] then return length end

redis.call('HSET', KEYS[1], 'call', ARGV[3])
redis.call('SADD', KEYS[3], KEYS[2])
for index = 6, #ARGV do
  length = length + 1
  redis.call('XADD', KEYS[2], string.format('%.0f-0', length), 'event', ARGV[index])
end
redis.call('PUBLISH', ARGV[5], ARGV[4])
return length
`);

/** KEYS: the active turns by time. Returns the conversations whose time is over. */
export const lapsedTurns = script(`${NOW}
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now())
`);

/** KEYS: the turn, the set of its logs, the active turns by time. ARGV: the conversation, the channel. */
export const deleteTurn = script(`
for _, log in ipairs(redis.call('SMEMBERS', KEYS[2])) do redis.call('DEL', log) end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('PUBLISH', ARGV[2], ARGV[1])
`);
