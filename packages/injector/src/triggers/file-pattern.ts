import { braceExpand, Minimatch } from "minimatch";

const MAX_LENGTH = 256;
const MAX_BRACES = 32;
/** Of `*` in one part of a path: each more costs the length of a name once more. */
const MAX_STARS = 3;
const MAX_GLOBSTARS = 4;
const MAX_PATH = 1024;

/**
 * A test for paths, or `undefined` for a pattern that asks for too much: longer than 256 characters, more than 32 by its
 * braces, three `*` in one part of a path, four `**`. A pattern without `/` is about the file's name, wherever it lies.
 */
export function filePattern(written: string): ((path: string) => boolean) | undefined {
  const pattern = written.trim().replaceAll("\\", "/").replace(/^\.\//, "");
  if (pattern === "" || pattern.length > MAX_LENGTH) return undefined;
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
