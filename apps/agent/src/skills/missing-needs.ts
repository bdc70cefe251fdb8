import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { HiddenSkill, HideSkill } from "./without-skills.js";

/** Programs that a skill's `compatibility` line may ask for. */
const PROGRAMS: readonly { readonly asked: RegExp; readonly program: string; readonly remedy: string }[] = [
  { asked: /\bpython ?3?\b/i, program: "python3", remedy: "Install Python 3 (apt-get install python3)." },
];

/** Says of a skill which declared program is not on the PATH; looks once, when it is made. */
export async function missingNeeds(env: Readonly<Record<string, string | undefined>>): Promise<HideSkill> {
  const directories = (env["PATH"] ?? "").split(delimiter).filter((directory) => directory !== "");
  const missing: (typeof PROGRAMS)[number][] = [];
  for (const entry of PROGRAMS) if (!(await isOnPath(entry.program, directories))) missing.push(entry);
  return ({ name, frontmatter }) => {
    const { compatibility } = frontmatter;
    if (typeof compatibility !== "string") return undefined;
    const lacking = missing.find(({ asked }) => asked.test(compatibility));
    return lacking && programMissing(name, lacking);
  };
}

async function isOnPath(program: string, directories: readonly string[]): Promise<boolean> {
  for (const directory of directories) {
    const found = await access(join(directory, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}

function programMissing(name: string, { program, remedy }: { program: string; remedy: string }): HiddenSkill {
  return {
    code: "UNSUPPORTED",
    diagnostic: {
      code: "skill.program-missing",
      severity: "warning",
      message: `The skill "${name}" is skipped: it needs ${program}, which is not on the PATH.`,
      hint: remedy,
    },
  };
}
