import { script } from "../connection/script.js";

/**
 * A lease's value is "<who> <token>". A value in another form, or without an expiry, is foreign and counts as absent.
 */
const LEASE = `
local function holder()
  if redis.call('TYPE', KEYS[1]).ok ~= 'string' or redis.call('PTTL', KEYS[1]) < 0 then return nil end
  local value = redis.call('GET', KEYS[1])
  return string.match(value, '^%S+ %d+$') and value or nil
end
`;

/**
 * KEYS: the lease, the last token. ARGV: who, the duration in milliseconds. Returns { 'granted', token } or { 'held',
 * ms left }. A token is the server's time in microseconds, or one more than the last: it increases even when Redis lost
 * its data.
 */
export const takeLease = script(`${LEASE}
local value = holder()
if value then
  local who, token = string.match(value, '^(%S+) (%d+)$')
  -- The client may send a command again whose answer was lost.
  if who == ARGV[1] then return { 'granted', token } end
  return { 'held', redis.call('PTTL', KEYS[1]) }
end

local time = redis.call('TIME')
local token = tonumber(time[1]) * 1000000 + tonumber(time[2])
local last = redis.call('TYPE', KEYS[2]).ok == 'string' and tonumber(redis.call('GET', KEYS[2])) or 0
if last >= token and last < 9007199254740991 then token = last + 1 end
local text = string.format('%.0f', token)
redis.call('SET', KEYS[2], text)
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. text, 'PX', ARGV[2])
return { 'granted', text }
`);

/** KEYS: the lease. ARGV: its value, the new duration in milliseconds. Returns 1 where it was still held. */
export const renewLease = script(`${LEASE}
if holder() ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`);

/** KEYS: the lease. ARGV: its value, the channel that waiters listen on, the workspace. */
export const releaseLease = script(`${LEASE}
if holder() ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', ARGV[2], ARGV[3])
return 1
`);
