import type { Diagnostic, Skill } from "@skillwright/core";
import { SKILL_LINKS } from "@skillwright/core/adapter";

/** Reports directories of the skill that take the place of the workspace's links. They are kept unchanged. */
export function ownDirectoryDiagnostics({
  name,
  manifest,
}: Pick<Skill, "name" | "manifest">): readonly Diagnostic[] {
  const isOwn = (link: string): boolean => {
    const below = `${link}/`;
    return manifest.files.some(({ path }) => path === link || path.startsWith(below));
  };
  return Object.keys(SKILL_LINKS)
    .filter(isOwn)
    .map((link) => ({
      code: "skill-link.kept",
      severity: "warning",
      message: `The skill "${name}" brings its own "${link}", so "${link}/" there is not the workspace's.`,
      hint: `Commands reach the workspace's by $${VARIABLES[link] ?? "WORKSPACE_DIR"}.`,
      path: link,
    }));
}

const VARIABLES: Readonly<Record<string, string>> = {
  out: "OUTPUT_DIR",
  work: "WORK_DIR",
  inputs: "INPUTS_DIR",
};
