import { type FileFormat, fileFormat } from "../file-format.js";
import { extensionOf, isCode } from "../file-kind.js";
import type { LintedFile } from "../lint-finding.js";
import type { CheckedRule } from "../lint-rule.js";

/** SEC-20: files that a reviewer does not see or cannot read. */
export const fileKinds: CheckedRule = {
  id: "SEC-20",
  severity: "warning",
  title: "Hidden code, bytecode, program, archive, or drawing that contains a script",
  help: "Include source code under a visible name, declare programs as requirements, and unpack archives.",
  *check({ skill, texts }) {
    for (const file of skill.files) {
      if ((file.kind ?? "file") !== "file") continue;
      const what = concealed(file);
      if (what) yield { message: `${JSON.stringify(file.path.slice(0, 200))} is ${what}.`, path: file.path };
    }
    for (const { path, text } of texts) {
      if (!/\.svgz?$/i.test(path)) continue;
      const at = text.search(ACTIVE_DRAWING);
      if (at !== -1)
        yield { message: `${JSON.stringify(path.slice(0, 200))} is a drawing that contains a script.`, path };
    }
  },
};

const ACTIVE_DRAWING =
  /<script\b|\son(?:load|click|error|begin|end|mouse\w{2,6}|focus\w{0,3}|activate)\s{0,3}=|javascript:|<foreignObject\b/i;
const BYTECODE = new Set(["pyc", "pyo", "class", "jar", "war", "dex", "wasm", "luac", "beam", "elc"]);
const PROGRAMS = new Set([
  "exe",
  "dll",
  "so",
  "dylib",
  "scr",
  "msi",
  "appimage",
  "deb",
  "rpm",
  "apk",
  "dmg",
  "pkg",
  "cpl",
  "lnk",
  "hta",
  "node",
]);
const ARCHIVES = new Set([
  "zip",
  "7z",
  "rar",
  "tar",
  "tgz",
  "gz",
  "bz2",
  "xz",
  "tbz2",
  "txz",
  "zst",
  "cab",
  "iso",
  "whl",
  "gem",
  "crate",
  "skill",
  "xpi",
  "crx",
]);
/** ZIP-based formats that office programs open. */
const DOCUMENTS = new Set(
  "docx docm xlsx xlsm pptx pptm dotx xltx potx odt ods odp odg epub vsdx sketch 3mf kmz usdz".split(" "),
);
const BY_FORMAT: Readonly<Record<FileFormat, string>> = {
  program: "a program",
  bytecode: "bytecode",
  archive: "an archive",
};

function concealed(file: LintedFile): string | undefined {
  const name = file.path.slice(file.path.lastIndexOf("/") + 1);
  const extension = extensionOf(name);
  if (BYTECODE.has(extension)) return "bytecode, which cannot be reviewed";
  if (PROGRAMS.has(extension)) return "a program or library, which cannot be reviewed";
  if (ARCHIVES.has(extension)) return "an archive, which hides what is in it";
  const format = fileFormat(file.content);
  if (format && !(format === "archive" && DOCUMENTS.has(extension)))
    return `${BY_FORMAT[format]} according to its first bytes, whatever its name says`;
  return isHidden(file) && runs(file) ? "code in a hidden place" : undefined;
}

/** Settings files of well-known tools are hidden files by convention. */
const SETTINGS =
  /(?:^|\/)\.(?:eslintrc|prettierrc|babelrc|mocharc|stylelintrc|commitlintrc|lintstagedrc|releaserc|markdownlint)[\w.-]*$|(?:^|\/)\.(?:github|gitlab|vscode|husky|devcontainer|circleci)\//;

function isHidden({ path }: LintedFile): boolean {
  return path.split("/").some((part) => /^\.[^.]/.test(part)) && !SETTINGS.test(path);
}

function runs(file: LintedFile): boolean {
  return isCode(file) || file.executable === true;
}
