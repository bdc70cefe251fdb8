import { script } from "../connection/script.js";
import { MOST_BYTES, SIZE_CHECK } from "../connection/size-limit.js";

/** Number of latest changes that are logged with their fields; a change of more fields than that is not logged. */
const LOGGED_CHANGES = 128;
const LOGGED_FIELDS = 256;

/**
 * KEYS: the index's hash. ARGV: the required revision ("" for none, "?" for a missing one), the id of the change, "1"
 * to start a new index, the channel, the number of fields to remove, those fields, then fields and values to set.
 * Returns { 'written' | 'conflict', revision }.
 *
 * The first revision is the server's time in milliseconds, so that revisions increase even when the index was lost in
 * between. Each later change is logged with its fields. The epoch is the id of the change that started the index.
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
 * KEYS: the index's hash. ARGV: nothing to read everything, otherwise the reader's epoch, change and revision. Returns
 * { 'same' }; { 'some', change, revision, then the fields changed since with their values, '' for a removed one }; {
 * 'all', then fields and values of the hash } where the log does not reach back far enough; { 'none' }; or { 'foreign'
 * } for another type of value.
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
