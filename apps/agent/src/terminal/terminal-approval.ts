import type { Approval } from "@skillwright/core";
import { printable } from "./printable.js";
import type { Screen } from "./screen.js";
import type { TerminalInput } from "./terminal-input.js";

export interface TerminalApprovalOptions {
  /** Everything is allowed, and shown. */
  readonly yes: boolean;
  /** Whether what is said of a skill's content holds beyond this start. */
  readonly remembers: boolean;
}

/** Asks the person at the terminal; where nobody can be asked everything is refused with the way out. */
export function terminalApproval(
  screen: Screen,
  input: Pick<TerminalInput, "isTerminal" | "ask">,
  { yes, remembers }: TerminalApprovalOptions,
): Approval {
  return async ({ action, skill, digest, source, subject, reason }) => {
    const { colours } = screen;
    screen.prose(`    ${colours.yellow("?")} ${printable(reason)}`, 6);
    const facts = { skill, source, digest, [action === "run" ? "command" : "file"]: subject };
    for (const [name, value] of Object.entries(facts))
      if (value !== undefined)
        screen.prose(`      ${name.padEnd(8)} ${printable(value).replaceAll("\n", "\n               ")}`, 15);
    if (yes) {
      screen.line("      allowed by --yes");
      return { allowed: true };
    }
    const isKept = remembers && skill !== undefined && digest !== undefined;
    if (!input.isTerminal) {
      const also = isKept ? "; so does a yes at a terminal, which is remembered" : "";
      screen.prose(`      ${colours.red("refused")}: nobody can be asked here; --yes allows it${also}`);
      return {
        allowed: false,
        reason: `It needs a person's yes and there is no terminal to ask at. ${isKept ? ONCE : "Start"} the agent with --yes to allow it.`,
      };
    }
    if (isKept) screen.prose(colours.dim("      A yes is remembered until the skill changes."));
    if (await saysYes(input, "      Run it? [y/N] ")) return { allowed: true };
    return { allowed: false, reason: "The user said no." };
  };
}

const ONCE = "Say yes at a terminal once, which is remembered, or start";

/** True for `y` and `yes`, in any case of letters. */
export async function saysYes(input: Pick<TerminalInput, "ask">, question: string): Promise<boolean> {
  return /^\s*y(es)?\s*$/i.test((await input.ask(question)) ?? "");
}
