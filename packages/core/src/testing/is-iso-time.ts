/** True for a moment as `Date.toISOString` writes it. */
export function isIsoTime(text: string): boolean {
  return !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;
}
