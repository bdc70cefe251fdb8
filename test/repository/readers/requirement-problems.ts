import type { SourceFile } from "./source-files.js";

export interface RequirementInput {
  /** The text of `docs/requirements.md`. */
  readonly document: string;
  /** Files with test titles: test files, tables of cases, contract suites. */
  readonly tests: readonly SourceFile[];
  /** Every committed text file. */
  readonly texts: readonly SourceFile[];
}

/** The differences between the list of requirements and the files, one line each; empty if they agree. */
export function requirementProblems({ document, tests, texts }: RequirementInput): string[] {
  const listed = [...document.matchAll(/^- ([A-Z]+-\d{2,3}): /gm)].map(([, id = ""]) => id);
  const known = new Set(listed);
  const groups = new Set(listed.map(groupOf));
  const named = new Set(tests.flatMap(({ text }) => idsInTitles(text)));
  return [
    ...listed.filter((id, index) => listed.indexOf(id) < index).map((id) => `${id} is given twice`),
    ...[...known].filter((id) => !named.has(id)).map((id) => `${id} has no test that names it`),
    ...texts.flatMap(({ path, text }) => [
      ...ids(text)
        .filter((id) => groups.has(groupOf(id)) && !known.has(id))
        .map((id) => `${path} names ${id}, which is not in docs/requirements.md`),
      ...[...text.matchAll(FOREIGN)].map(([id]) => `${path} names ${id}, an id of another document`),
    ]),
  ];
}

/** Ids of systems and documents outside the repository. */
const FOREIGN = /\b(?:TR|OC|AS|PB|AT|SCHEME|SPEC)-\d{2,3}\b|\bseeds? 00\d\b|\bsandbox-and[-]security\b/g;

const ID = String.raw`[A-Z]+-\d{2,3}`;

/** `"RUN-01, RUN-02: title"`, `"title (RUN-01)"`, and `["RUN-01",` where a row of a table begins with its id. */
const TITLE = new RegExp(String.raw`["'\`](${ID}(?:, ${ID})*): |\((${ID}(?:, ${ID})*)\)|\["(${ID})",`, "g");

function idsInTitles(text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, "");
  return [...code.matchAll(TITLE)].flatMap(([title]) => ids(title));
}

function ids(text: string): string[] {
  return [...text.matchAll(new RegExp(String.raw`\b${ID}\b`, "g"))].map(([id]) => id);
}

function groupOf(id: string): string {
  return id.slice(0, id.indexOf("-"));
}
