/** True for a time in the format of `Date.toISOString`. */
export function isIsoTime(text: string): boolean {
  return !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;
}
