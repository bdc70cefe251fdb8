const SKILL_FOLDER =
  /^(?:\{baseDir\}|\$\{?(?:SKILL_DIR|SKILL_ROOT|CLAUDE_SKILL_DIR|BASE_DIR|baseDir)\}?|\{\{?\s?(?:skill_?(?:dir|path|root)|base_?dir)\s?\}?\})\//i;
const WORKING = /^(?:\.\/)?(?:out|output|outputs|work|inputs|input|tmp|temp|dist|build|node_modules)\//;
const STANDS_FOR_ANY = /(?:^|[/_-])(?:your|my|foo|bar|xxx+|name|filename|path|example)(?=[/._-]|$)/i;

/**
 * Normalizes a path from the text, relative to the skill or to the file that mentions it. Returns `undefined` where the
 * path does not clearly name a file of the skill: web addresses, anchors, absolute and home paths, globs, placeholders,
 * and the working directories (`out/`, `work/`, `inputs/`) that exist only while a command runs.
 */
export function relativeReference(written: string): string | undefined {
  const path = decoded(written.replace(SKILL_FOLDER, "").replace(/[?#].*$/, ""));
  if (!path || /^(?:[a-z][a-z0-9+.-]*:|\/|\\|~|\$|%|@)/i.test(path)) return undefined;
  if (/[*?<>{}$|\\[\]\u2026]|\.\.\.|\s/.test(path)) return undefined;
  return WORKING.test(path) || STANDS_FOR_ANY.test(path) ? undefined : path;
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
