import { globLibrary } from "#glob";

const MAX_LENGTH = 256;
const MAX_BRACES = 32;
/** Maximum number of `*` in one part of a path: each further one multiplies the time by the length of a name. */
const MAX_STARS = 3;
const MAX_GLOBSTARS = 4;
const MAX_PATH = 1024;

/**
 * Returns a test for paths, or `undefined` for a pattern that is too expensive: longer than 256 characters, more than
 * 32 alternatives by its braces, three `*` in one part of a path, four `**`. A pattern without `/` matches the file's
 * name in any directory.
 */
export function filePattern(written: string): ((path: string) => boolean) | undefined {
  const pattern = written.trim().replaceAll("\\", "/").replace(/^\.\//, "");
  if (pattern === "" || pattern.length > MAX_LENGTH) return undefined;
  const { braceExpand, Minimatch } = globLibrary();
  const patterns = braceExpand(pattern, { braceExpandMax: MAX_BRACES + 1 });
  if (patterns.length > MAX_BRACES || patterns.some(asksTooMuch)) return undefined;
  const matchers = patterns.map((one) => new Minimatch(one, { ...OPTIONS, matchBase: !one.includes("/") }));
  return (path) => {
    const name = path.replaceAll("\\", "/").replace(/^\.\//, "");
    return name.length <= MAX_PATH && matchers.some((matcher) => matcher.match(name));
  };
}

const OPTIONS = {
  dot: true,
  noext: true,
  nobrace: true,
  nocase: true,
  nocomment: true,
  nonegate: true,
  platform: "linux",
} as const;

function asksTooMuch(pattern: string): boolean {
  const parts = pattern.split("/");
  const globstars = parts.filter((part) => part === "**").length;
  const stars = parts.map((part) => (part === "**" ? 0 : part.split("*").length - 1));
  return globstars > MAX_GLOBSTARS || stars.some((count) => count > MAX_STARS);
}
