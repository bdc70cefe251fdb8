import type { LintedText } from "./linted-text.js";

/** A path mentioned in the text. */
export interface FileReference {
  /** Relative path, without `#...` and without a leading variable for the skill's folder. */
  readonly target: string;
  readonly line: number;
  readonly column: number;
  /** True for a Markdown link, false for code. */
  readonly isLink: boolean;
}

const LINK = /\]\(\s{0,3}<?([^\s<>()]{1,300})>?(?:\s{1,3}["'][^\n]{0,200})?\s{0,3}\)/g;
const CODE_SPAN = /`([^`\n]{1,300})`/g;
const WORD = /[^\s"'`=,;|&()<>[\]]{3,300}/g;
const FENCE = /^\s{0,12}(?:`{3,}|~{3,})\s{0,3}([\w+-]{0,30})/;
/** In other languages a path often refers to the user's own project. */
const SHELLS = new Set(["", "bash", "sh", "shell", "zsh", "console", "terminal", "text", "powershell"]);

/**
 * Yields relative paths in Markdown links, and paths in code that can only mean a file of the skill: below `scripts/`,
 * `references/`, `assets/`, `templates/`, `resources/` or `examples/`, in code spans and in fenced commands. Skips
 * paths that commands write to, and paths that the text calls an example.
 */
export function* fileReferences(file: LintedText): Generator<FileReference, void, undefined> {
  let language: string | undefined;
  for (let line = 1; line <= file.lineCount; line++) {
    const context = file.context(line);
    const text = file.line(line).slice(0, 2000);
    if (context === "code") {
      const mark = FENCE.exec(text)?.[1];
      if (mark !== undefined)
        language = mark !== "" || language === undefined ? mark.toLowerCase() : undefined;
    } else language = undefined;
    if (context === "prose") yield* once([...links(text), ...inSpans(text)], line);
    else if (language !== undefined && SHELLS.has(language)) yield* once(commandPaths(text, 0), line);
  }
}

type InLine = Omit<FileReference, "line">;

function* once(references: Iterable<InLine>, line: number): Generator<FileReference, void, undefined> {
  const seen = new Set<string>();
  for (const reference of references) {
    if (seen.has(reference.target)) continue;
    seen.add(reference.target);
    yield { ...reference, line };
  }
}

function* links(text: string): Generator<InLine, void, undefined> {
  if (!text.includes("](")) return;
  for (const match of text.matchAll(LINK)) {
    // A link inside a code span is an example of a link.
    if ((text.slice(0, match.index).match(/`/g)?.length ?? 0) % 2 === 1) continue;
    const target = relativeReference(match[1] ?? "");
    if (target && /\.\w{1,8}$/.test(target))
      yield { target, column: match.index + match[0].indexOf(match[1] ?? "") + 1, isLink: true };
  }
}

const WRITTEN =
  /\b(?:creat|writ|sav|generat|add|produc|export|output|put|stor|nam|mov|copy|rename|new)\w{0,6}\b[^.`]{0,40}$/i;
const EXAMPLE = /\b(?:e\.g\.|i\.e\.|examples?\b[^`]{0,40}$|such as|like)/i;

function* inSpans(text: string): Generator<InLine, void, undefined> {
  if (!text.includes("/")) return;
  for (const match of text.matchAll(CODE_SPAN)) {
    const before = text.slice(Math.max(0, match.index - 120), match.index);
    if (!WRITTEN.test(before) && !EXAMPLE.test(before)) yield* commandPaths(match[1] ?? "", match.index + 1);
  }
}

const OWN =
  /^(?:\.\/)?(?:scripts|references|assets|templates|resources|examples)\/[\w./-]{0,280}\w\.[a-z][a-z0-9]{0,7}$/i;

function* commandPaths(code: string, from: number): Generator<InLine, void, undefined> {
  if (!code.includes("/")) return;
  for (const match of code.matchAll(WORD)) {
    const target = relativeReference(match[0].replace(/[.:,!?]$/, ""));
    if (!target || !OWN.test(target)) continue;
    const before = code.slice(Math.max(0, match.index - 40), match.index);
    if (!/(?:>|\s-o|\s--out\w{0,10}[= ]?|\b(?:touch|mkdir|tee)\b.{0,30})\s{0,3}["']?$/.test(before))
      yield { target, column: from + match.index + 1, isLink: false };
  }
}

const SKILL_FOLDER =
  /^(?:\{baseDir\}|\$\{?(?:SKILL_DIR|SKILL_ROOT|CLAUDE_SKILL_DIR|BASE_DIR|baseDir)\}?|\{\{?\s?(?:skill_?(?:dir|path|root)|base_?dir)\s?\}?\})\//i;
const WORKING = /^(?:\.\/)?(?:out|output|outputs|work|inputs|input|tmp|temp|dist|build|node_modules)\//;
const STANDS_FOR_ANY = /(?:^|[/_-])(?:your|my|foo|bar|xxx+|name|filename|path|example)(?=[/._-]|$)/i;

/**
 * Normalizes a path from the text, relative to the skill or to the file that mentions it. Returns `undefined` where the
 * path does not clearly name a file of the skill: web addresses, anchors, absolute and home paths, globs, placeholders,
 * and the working directories (`out/`, `work/`, `inputs/`) that exist only while a command runs.
 */
function relativeReference(written: string): string | undefined {
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
