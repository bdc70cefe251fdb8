const NUMBERS = new Intl.NumberFormat("en");
const UNITS = ["B", "kB", "MB", "GB", "TB"];

export function bytesInWords(bytes: number): string {
  let unit = 0;
  let value = bytes;
  for (; value >= 1000 && unit < UNITS.length - 1; unit++) value /= 1000;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${NUMBERS.format(number)} ${number === 1 ? one : many}`;
}

export function durationInWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export function agoInWords(time: string): string {
  const seconds = (Date.now() - Date.parse(time)) / 1000;
  if (seconds < 60) return "now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return new Date(time).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}
