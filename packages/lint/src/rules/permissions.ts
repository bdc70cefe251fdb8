import { findField } from "@skillwright/core/adapter";
import type { CheckedRule, LintHit } from "../lint-rule.js";
import type { LintSubject } from "../lint-subject.js";

/** SEC-18: what the skill asks a client to run or allow without asking. */
export const permissions: CheckedRule = {
  id: "SEC-18",
  severity: "warning",
  title: "Permission or command that needs approval: bare shell, hooks, injected commands, installers",
  help: "Name the commands, such as `Bash(git:*)`, and keep only what is needed; whoever installs the skill should approve the rest.",
  *check(subject) {
    yield* tools(subject);
    yield* fields(subject);
    yield* injectedCommands(subject);
  },
};

const BARE_TOOL =
  /^(?:\*|(?:bash|shell|sh|zsh|powershell|terminal|exec|execute|run_?command|run_?shell_?command|computer)(?:\((?:\*|:\*|\*:\*|)\))?)$/i;
const RAISED_TOOL = /^bash\((?:sudo|su|doas|eval|(?:ba|z)?sh)\b/i;

function* tools({
  header,
  fields: { allowedTools },
  skillText,
}: LintSubject): Generator<LintHit, void, undefined> {
  const field = findField(header, "allowed-tools");
  for (const tool of new Set(allowedTools))
    if (skillText && (BARE_TOOL.test(tool) || RAISED_TOOL.test(tool)))
      yield {
        message: `\`allowed-tools\` allows every command without confirmation by "${tool.slice(0, 100)}".`,
        path: skillText.path,
        ...(field?.line !== undefined && { line: field.line }),
        ...(field?.column !== undefined && { column: field.column }),
      };
}

function* fields({
  header,
  fields: { openclaw },
  skillText,
}: LintSubject): Generator<LintHit, void, undefined> {
  if (!skillText) return;
  const found = [
    { key: "hooks", what: "`hooks` run commands when the skill is used" },
    { key: "command-dispatch", what: "`command-dispatch` passes a command to a tool without the model" },
    ...(openclaw?.install.length
      ? [{ key: "metadata", what: `\`install\` has the client install ${installed(openclaw.install)}` }]
      : []),
  ];
  for (const { key, what } of found) {
    const entry = header.get(key);
    if (entry === undefined || entry.value === null) continue;
    yield { message: `${what}.`, path: skillText.path, line: entry.line, column: entry.column };
  }
}

const NAMES = ["formula", "package", "module", "cask", "url", "id"];

/** Each installer with the package it installs, such as `brew:jq`. */
function installed(install: readonly unknown[]): string {
  const names = install.map((one) => {
    const fields = typeof one === "object" && one !== null ? new Map(Object.entries(one)) : new Map();
    const name = NAMES.map((key) => fields.get(key)).find((value) => typeof value === "string");
    return [fields.get("kind"), name].filter((part) => typeof part === "string").join(":") || "something";
  });
  return names.slice(0, 5).join(", ") + (names.length > 5 ? ` and ${names.length - 5} more` : "");
}

const COMMAND = /^!(`[^`\n]{1,1000}`)/;

function* injectedCommands({ skillText }: LintSubject): Generator<LintHit, void, undefined> {
  if (!skillText) return;
  let offset = skillText.text.indexOf("!`");
  while (offset !== -1) {
    const line = skillText.lineAt(offset);
    const column = offset - skillText.lineStart(line);
    const text = skillText.line(line);
    const match = /^\s?$/.test(text.charAt(column - 1)) && COMMAND.exec(text.slice(column, column + 1010));
    if (match && skillText.context(line) !== "header")
      yield {
        message: `\`!\` has the client run ${match[1]?.slice(0, 100)} before the model sees the text.`,
        path: skillText.path,
        line,
        column: column + 1,
      };
    offset = skillText.text.indexOf("!`", offset + 2);
  }
  offset = skillText.text.indexOf("```!");
  while (offset !== -1) {
    const line = skillText.lineAt(offset);
    if (/^\s{0,8}`{3,}!/.test(skillText.line(line)))
      yield {
        message: "A block opened by `!` is run by the client before the model sees the text.",
        path: skillText.path,
        line,
        column: offset - skillText.lineStart(line) + 1,
      };
    offset = skillText.text.indexOf("```!", offset + 4);
  }
}
