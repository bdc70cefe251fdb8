/** Maximum size of a value read at once; an index of 10,000 skills has about 10 MB. */
export const MOST_BYTES = 128 * 1024 * 1024;

const TOO_LARGE = "TOOLARGE ";

/** Lua for the error of a script that refuses to read the value of the key in this variable. */
export function refuseAsTooLarge(key: string): string {
  return `redis.error_reply('${TOO_LARGE}' .. ${key})`;
}

/**
 * Lua for scripts that read a whole value: `tooLarge(key)` returns an error where the stored value is too large to be
 * read, otherwise nothing. The server knows the size without reading the value.
 */
export const SIZE_CHECK = `
local function tooLarge(key)
  local used = redis.call('MEMORY', 'USAGE', key, 'SAMPLES', 0)
  if used and used > ${MOST_BYTES} then return ${refuseAsTooLarge("key")} end
end
`;

/** The key of the value that a script refused to read; `undefined` for any other error. */
export function keyOfTooLarge(error: unknown): string | undefined {
  if (!(error instanceof Error) || !error.message.startsWith(TOO_LARGE)) return undefined;
  return error.message.slice(TOO_LARGE.length);
}
