import type { Approval, ApprovalRequest } from "@skillwright/core";
import { escaped, escapedRows } from "./escaped-rows.js";
import { fileChangeLines } from "./file-changes.js";
import type { Screen } from "./screen.js";
import type { TerminalInput } from "./terminal-input.js";

export interface TerminalApprovalOptions {
  /** Allows everything, and shows it. */
  readonly yes: boolean;
  /** True where an approval of a skill's content lasts beyond this process. */
  readonly remembers: boolean;
}

/**
 * Asks the person at the terminal; where there is no person, everything is refused with the alternative. The question
 * fits into 24 rows of 80 columns, whatever the skill's name and command: each part has a maximum number of rows,
 * invisible characters are escaped, and the command comes last.
 */
export function terminalApproval(
  screen: Screen,
  input: Pick<TerminalInput, "isTerminal" | "ask">,
  { yes, remembers }: TerminalApprovalOptions,
): Approval {
  return async (request) => {
    const { action, skill, digest } = request;
    const { colours } = screen;
    showFacts(screen, request);
    const isKept = remembers && skill !== undefined && digest !== undefined;
    if (isKept && !yes && input.isTerminal)
      screen.line(colours.dim("      Your approval is stored until the skill changes."));
    const hidden = showSubject(screen, request, MOST_CHANGE_ROWS);
    if (yes) {
      screen.line("      allowed by --yes");
      return { allowed: true };
    }
    if (!input.isTerminal) {
      const also = isKept ? ", and so does an approval at a terminal, which is stored" : "";
      screen.prose(`      ${colours.red("refused")}: there is no terminal to ask at; --yes allows it${also}`);
      return {
        allowed: false,
        reason: `It needs the approval of a person, but there is no terminal to ask at. ${isKept ? ONCE : "Start"} the agent with --yes to allow it.`,
      };
    }
    const isAllowed = hidden
      ? await saysYesAfterLook(input, QUESTIONS[action], () => showSubject(screen, request))
      : await saysYes(input, `      ${QUESTIONS[action]} [y/N] `);
    return isAllowed ? { allowed: true } : { allowed: false, reason: "The user said no." };
  };
}

/** Shows what needs an approval, as a question would, with all changes of files. */
export function showRequest(screen: Screen, request: ApprovalRequest): void {
  showFacts(screen, request);
  showSubject(screen, request);
}

/** Asks the question. The answer `a` shows what was left out, and the question is asked again. */
async function saysYesAfterLook(
  input: Pick<TerminalInput, "ask">,
  question: string,
  showAll: () => void,
): Promise<boolean> {
  const answer = await input.ask(`      ${question} [y/N, a shows all of it] `);
  if (!/^\s*a(ll)?\s*$/i.test(answer ?? "")) return isYes(answer);
  showAll();
  return await saysYes(input, `      ${question} [y/N] `);
}

const ONCE = "Approve it once at a terminal, which is stored, or start";

const QUESTIONS = { run: "Run it?", write: "Write it?", install: "Install them?" } as const;
const SUBJECTS = { run: "command", write: "file", install: "packages" } as const;

const NAME_COLUMNS = 15;
const MOST_COLUMNS = 100;
const MOST_CHANGE_ROWS = 8;

function showFacts(screen: Screen, { reason, skill, source, digest }: ApprovalRequest): void {
  const { yellow } = screen.colours;
  const columns = columnsOf(screen) - NAME_COLUMNS;
  const show = (name: string, value: string, most: number) =>
    escapedRows(escaped(value), { columns, most }).forEach((row, index) => {
      screen.line(`      ${(index === 0 ? name : "").padEnd(NAME_COLUMNS - 6)}${row.replace(/^[│┆] /, "")}`);
    });
  screen.line(`    ${yellow("?")} This needs your approval.`);
  show("because", reason, 4);
  for (const [name, value] of Object.entries({ skill, source, digest }))
    if (value !== undefined) show(name, value, 2);
}

/**
 * The command, the path to be written, or the packages; then the changes of files. Returns true if the changes need more than `most` rows.
 */
function showSubject(screen: Screen, request: ApprovalRequest, most = Number.POSITIVE_INFINITY): boolean {
  const { action, subject, changes = [] } = request;
  const columns = columnsOf(screen) - 6;
  screen.line(`      ${SUBJECTS[action]}`);
  const rows = changes.length > 0 ? { columns, most: 2 } : { columns, most: 9 };
  for (const row of escapedRows(subject, rows)) screen.line(`      ${row}`);
  if (changes.length === 0) return false;
  screen.line("      changes");
  const text = changes.flatMap((change) => fileChangeLines(change)).join("\n");
  const shown = escapedRows(text, { columns, most });
  for (const row of shown) screen.line(`      ${row}`);
  return shown.length < escapedRows(text, { columns, most: Number.POSITIVE_INFINITY }).length;
}

function columnsOf({ columns }: Screen): number {
  return Math.min(columns, MOST_COLUMNS);
}

/** True for `y` and `yes`, in any case. */
export async function saysYes(input: Pick<TerminalInput, "ask">, question: string): Promise<boolean> {
  return isYes(await input.ask(question));
}

function isYes(answer: string | undefined): boolean {
  return /^\s*y(es)?\s*$/i.test(answer ?? "");
}
