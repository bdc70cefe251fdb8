import type { Approval } from "@skillwright/core";
import { printable } from "./printable.js";
import type { Screen } from "./screen.js";
import type { TerminalInput } from "./terminal-input.js";

/**
 * Asks the person at the terminal. With `yes` everything is allowed and shown;
 * where nobody can be asked everything is refused with the way out.
 */
export function terminalApproval(
  screen: Screen,
  input: Pick<TerminalInput, "isTerminal" | "ask">,
  yes: boolean,
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
    if (!input.isTerminal) {
      screen.line(`      ${colours.red("refused")}: nobody can be asked here; --yes allows it`);
      return {
        allowed: false,
        reason:
          "It needs a person's yes and there is no terminal to ask at. Start the agent with --yes to allow it.",
      };
    }
    const answer = await input.ask("      Run it? [y/N] ");
    if (/^\s*y(es)?\s*$/i.test(answer ?? "")) return { allowed: true };
    return { allowed: false, reason: "The user said no." };
  };
}
