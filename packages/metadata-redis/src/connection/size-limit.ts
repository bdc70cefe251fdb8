/** What is read at once is at most as large as this; an index of 10,000 skills has some 10 MB. */
export const MOST_BYTES = 128 * 1024 * 1024;

const TOO_LARGE = "TOOLARGE ";

/**
 * Lua for scripts that read a whole value: `tooLarge(key)` gives an error to return where somebody put there what nobody
 * could read, else nothing. The server knows the size without the value.
 */
export const SIZE_CHECK = `
local function tooLarge(key)
  local used = redis.call('MEMORY', 'USAGE', key, 'SAMPLES', 0)
  if used and used > ${MOST_BYTES} then return redis.error_reply('${TOO_LARGE}' .. key) end
end
`;

/** The key of the value that a script refused to read; `undefined` for any other error. */
export function keyOfTooLarge(error: unknown): string | undefined {
  if (!(error instanceof Error) || !error.message.startsWith(TOO_LARGE)) return undefined;
  return error.message.slice(TOO_LARGE.length);
}
