import { script } from "../connection/script.js";

/**
 * KEYS: the index's hash. ARGV: the revision it must be at ("" for none, "?" for one that says none), the id of the change,
 * "1" to begin anew, the channel, how many fields go, those fields, then fields and values that come.
 * Gives { 'written' | 'conflict', revision }.
 *
 * The first revision is the server's time in milliseconds, so that it rises also when the index was lost in between.
 */
export const writeIndex = script(`
local kind = redis.call('TYPE', KEYS[1]).ok
local at = ''
if kind == 'hash' then at = redis.call('HGET', KEYS[1], 'revision') or '?'
elseif kind ~= 'none' then at = '?' end

-- The client may send a command again whose answer was lost.
if kind == 'hash' and redis.call('HGET', KEYS[1], 'change') == ARGV[2] then return { 'written', at } end
if at ~= ARGV[1] then return { 'conflict', at } end

local revision
if at == '' or ARGV[3] == '1' then
  if kind ~= 'none' then redis.call('DEL', KEYS[1]) end
  local time = redis.call('TIME')
  revision = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  local last = tonumber(at) or 0
  if last >= revision and last < 9007199254740991 then revision = last + 1 end
else
  revision = tonumber(at) + 1
end

local text = string.format('%.0f', revision)
-- First what a full server refuses: once a script has written, nothing is refused to it.
redis.call('HSET', KEYS[1], 'formatVersion', '1', 'revision', text, 'change', ARGV[2])
local gone = tonumber(ARGV[5])
for index = 6, 5 + gone do redis.call('HDEL', KEYS[1], ARGV[index]) end
for index = 6 + gone, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[index], ARGV[index + 1]) end
redis.call('PUBLISH', ARGV[4], text)
return { 'written', text }
`);
