import { script } from "../connection/script.js";
import { SIZE_CHECK } from "../connection/size-limit.js";

/**
 * KEYS: the session's hash, the list of its messages, and (for writing) the set of its user's sessions. `revisionOf`
 * returns "0" for a missing session and "?" for an incomplete one.
 */
const READING = `${SIZE_CHECK}
local function kindOf(key) return redis.call('TYPE', key).ok end

local function revisionOf()
  local kind, list = kindOf(KEYS[1]), kindOf(KEYS[2])
  if kind == 'none' then return '0' end
  if kind ~= 'hash' or (list ~= 'none' and list ~= 'list') then return '?' end
  if redis.call('HGET', KEYS[1], 'messages') ~= tostring(redis.call('LLEN', KEYS[2])) then return '?' end
  return redis.call('HGET', KEYS[1], 'revision') or '?'
end

local function whole()
  local refusal = tooLarge(KEYS[1]) or tooLarge(KEYS[2])
  if refusal then return refusal end
  return { 'whole', redis.call('HGETALL', KEYS[1]), redis.call('LRANGE', KEYS[2], 0, -1) }
end
`;

/** Returns { 'whole', fields, messages } or { 'absent' | 'damaged', revision }. */
export const readSession = script(`${READING}
local at = revisionOf()
if at == '0' then return { 'absent', at } end
if at == '?' then return { 'damaged', at } end
return whole()
`);

/**
 * ARGV: the required revision, the id of the change, the session as a member of the set, "1" to start again, the
 * snapshot or "", "1" to drop the messages, the number of messages, the messages, then fields and values of the state,
 * "" to remove one. Returns { 'whole', fields, messages } or { 'conflict', revision }.
 */
export const updateSession = script(`${READING}
local at = revisionOf()
-- The client may send a command again whose answer was lost.
if redis.call('EXISTS', KEYS[1]) == 1 and at ~= '?' and redis.call('HGET', KEYS[1], 'change') == ARGV[2] then
  return whole()
end
if at ~= ARGV[1] then return { 'conflict', at } end

if at == '0' or ARGV[4] == '1' then
  if redis.call('EXISTS', KEYS[1], KEYS[2]) > 0 then redis.call('DEL', KEYS[1], KEYS[2]) end
  at = '0'
end
-- First what a full server refuses: once a script has written, nothing is refused to it.
redis.call('HSET', KEYS[1], 'formatVersion', '1')
if ARGV[6] == '1' then redis.call('DEL', KEYS[2]) end

local messages = tonumber(ARGV[7])
for index = 8, 7 + messages do redis.call('RPUSH', KEYS[2], ARGV[index]) end
for index = 8 + messages, #ARGV, 2 do
  if ARGV[index + 1] == '' then redis.call('HDEL', KEYS[1], ARGV[index])
  else redis.call('HSET', KEYS[1], ARGV[index], ARGV[index + 1]) end
end
if ARGV[5] ~= '' then redis.call('HSET', KEYS[1], 'snapshot', ARGV[5]) end

local time = redis.call('TIME')
redis.call('HSET', KEYS[1],
  'revision', string.format('%.0f', tonumber(at) + 1),
  'change', ARGV[2],
  'messages', tostring(redis.call('LLEN', KEYS[2])),
  'updatedMs', string.format('%.0f', tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)))

local members = kindOf(KEYS[3])
if members ~= 'set' and members ~= 'none' then redis.call('DEL', KEYS[3]) end
redis.call('SADD', KEYS[3], ARGV[3])
return whole()
`);

/** ARGV: the session as a member of the set. Returns 1 where there was one. */
export const deleteSession = script(`
local isThere = redis.call('EXISTS', KEYS[1])
redis.call('DEL', KEYS[1], KEYS[2])
if redis.call('TYPE', KEYS[3]).ok == 'set' then redis.call('SREM', KEYS[3], ARGV[1]) end
return isThere
`);
