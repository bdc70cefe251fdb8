import { script } from "../connection/script.js";
import { MOST_BYTES, SIZE_CHECK } from "../connection/size-limit.js";

/** Changes that are told by their fields: this many at the end, none of more fields than that. */
const LOGGED_CHANGES = 128;
const LOGGED_FIELDS = 256;

/**
 * KEYS: the index's hash. ARGV: the revision it must be at ("" for none, "?" for one that says none), the id of the change,
 * "1" to begin anew, the channel, how many fields go, those fields, then fields and values that come.
 * Gives { 'written' | 'conflict', revision }.
 *
 * The first revision is the server's time in milliseconds, so that it rises also when the index was lost in between. Each
 * change after it is logged with its fields. The epoch is the id of the change that began the index.
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
local begins = at == '' or ARGV[3] == '1'
if begins then
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
if begins then redis.call('HSET', KEYS[1], 'epoch', ARGV[2]) end
local gone = tonumber(ARGV[5])
local log = {}
for index = 6, 5 + gone do
  redis.call('HDEL', KEYS[1], ARGV[index])
  log[#log + 1] = ARGV[index]
end
for index = 6 + gone, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[index], ARGV[index + 1])
  log[#log + 1] = ARGV[index]
end
if not begins and #log <= ${LOGGED_FIELDS} then
  redis.call('HSET', KEYS[1], 'log:' .. text, table.concat(log, '\\n'))
end
redis.call('HDEL', KEYS[1], 'log:' .. string.format('%.0f', revision - ${LOGGED_CHANGES}))
redis.call('PUBLISH', ARGV[4], text)
return { 'written', text }
`);

const READING = `${SIZE_CHECK}
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return { 'none' } end
if kind ~= 'hash' then return { 'foreign' } end

local function all()
  local refusal = tooLarge(KEYS[1])
  if refusal then return refusal end
  local answer = redis.call('HGETALL', KEYS[1])
  table.insert(answer, 1, 'all')
  return answer
end
`;

/**
 * KEYS: the index's hash. ARGV: nothing for everything, else epoch, change and revision that the reader knows. Gives { 'same' }; { 'some', change,
 * revision, then the fields that are others since then with their values, '' for one that is gone }; { 'all', then fields and values of
 * the hash } where the log does not reach back so far; { 'none' }; or { 'foreign' } for another kind of value.
 */
export const readSince = script(`${READING}
if #ARGV == 0 then return all() end

local at = redis.call('HMGET', KEYS[1], 'formatVersion', 'epoch', 'change', 'revision')
if at[1] ~= '1' or at[2] ~= ARGV[1] then return all() end
if at[3] == ARGV[2] and at[4] == ARGV[3] then return { 'same' } end
local first, last = tonumber(ARGV[3]) + 1, tonumber(at[4])
if not last or last < first or last - first >= ${LOGGED_CHANGES} then return all() end

local answer = { 'some', at[3], at[4] }
local told = {}
for revision = first, last do
  local log = redis.call('HGET', KEYS[1], 'log:' .. string.format('%.0f', revision))
  if not log then return all() end
  for field in string.gmatch(log, '[^\\n]+') do
    if not told[field] then
      told[field] = true
      if redis.call('HSTRLEN', KEYS[1], field) > ${MOST_BYTES} then return all() end
      answer[#answer + 1] = field
      answer[#answer + 1] = redis.call('HGET', KEYS[1], field) or ''
    end
  end
end
return answer
`);
