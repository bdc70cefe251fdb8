import type { LintedFile } from "./lint-finding.js";

export type FileKind = "prose" | "code" | "data" | "binary";

const PROSE = extensions("md markdown mdx mdc txt text rst adoc asciidoc org html htm");
const CODE = extensions(
  `py pyw sh bash zsh fish ksh csh js mjs cjs jsx ts mts cts tsx vue svelte rb pl pm php lua go rs java kt kts
  scala swift c cc cpp h hpp cs fs r jl sql awk ps1 psm1 psd1 bat cmd vbs applescript scpt groovy gradle dart ex exs
  clj hs nim zig coffee command tool mk ipynb`,
);
const CODE_NAMES = new Set([
  "dockerfile",
  "containerfile",
  "makefile",
  "justfile",
  "rakefile",
  "gemfile",
  "procfile",
]);

/**
 * Classifies a file by its name and first bytes. A text with a NUL byte still counts as code where its name says so.
 */
export function fileKind({ path, content }: LintedFile): FileKind {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const extension = extensionOf(name);
  if (CODE.has(extension) || CODE_NAMES.has(name)) return "code";
  if (PROSE.has(extension)) return "prose";
  const start = startOf(content);
  if (start.startsWith("#!")) return "code";
  if (start.includes("\0") && !/^(?:\ufffd\ufffd|\u00ff\u00fe|\u00fe\u00ff)/.test(start)) return "binary";
  return extension === "" ? "prose" : "data";
}

/** Returns the text after the last dot of a file's name, in lower case; `""` for `README` and `.env`. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}

/** True for programs and scripts, judged by name or first line. */
export function isCode(file: LintedFile): boolean {
  return fileKind(file) === "code";
}

function startOf(content: string | Uint8Array | undefined): string {
  if (content === undefined) return "";
  return typeof content === "string"
    ? content.slice(0, 8192)
    : Buffer.from(content.subarray(0, 8192)).toString("latin1");
}

function extensions(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
