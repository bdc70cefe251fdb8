import {
  type CallOptions,
  type Diagnostic,
  type RuntimeWorkspace,
  type Skill,
  type SkillCatalog,
  SkillError,
} from "@skillwright/core";
import type { PathContext } from "../path/locate-path.js";
import { workspacePath } from "../path/workspace-path.js";
import type { PlannedInput } from "./plan-inputs.js";
import { skillTree } from "./skill-tree.js";
import { workspaceTree } from "./workspace-tree.js";

export interface InputLinks extends CallOptions {
  readonly skills: SkillCatalog;
  readonly workspace: RuntimeWorkspace;
  readonly paths: PathContext;
  readonly tell: (diagnostic: Diagnostic) => void;
  /** Stages the skill in the workspace, so that it can be linked to. */
  readonly stage: (skill: string) => Promise<Skill>;
}

/**
 * Creates a link where it stays inside the workspace: to its own files and to staged skills. Returns `false`, and adds
 * a diagnostic, where the input must be copied instead: files of this machine and artifacts are outside the workspace,
 * and a link to them would lead out of it.
 * @throws SkillError where the source is missing, as a copy would.
 */
export async function linkInput(input: PlannedInput, links: InputLinks): Promise<boolean> {
  const { source, target } = input;
  const { workspace, tell } = links;
  const linkable = source.scheme === "workspace" || source.scheme === "skill";
  if (!linkable || !workspace.link) {
    tell(linkCopied(input));
    return false;
  }
  const path =
    source.scheme === "skill"
      ? await skillPath(source.skill, source.path, links)
      : await ownPath(source.path, target, links);
  await workspace.link(target, path, { signal: links.signal });
  return true;
}

async function skillPath(name: string, path: string, links: InputLinks): Promise<string> {
  const skill = await links.stage(name);
  skillTree(skill, path, links);
  return `skills/${skill.name}/${path.replace(/\/+$/, "")}`;
}

async function ownPath(written: string, target: string, links: InputLinks): Promise<string> {
  const path = workspacePath(written, links.paths);
  if (path === target)
    throw new SkillError(
      "INPUT_INVALID",
      `The input ${written} would be a link to itself. Give another \`to\`.`,
    );
  const { isDirectory, files } = await workspaceTree(path, links.workspace, {
    ...links,
    tell: () => undefined,
  });
  // Opened only to check that it exists and is a regular file.
  if (!isDirectory) for (const { open } of files) await closed((await open()).content);
  return path;
}

async function closed(content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of content) break;
}

function linkCopied({ from, target }: PlannedInput): Diagnostic {
  return {
    code: "input.link-copied",
    severity: "info",
    message: `The input ${from} was copied to ${target}; a link can only refer to files of the workspace and its skills.`,
    hint: "The copy does not follow changes of its source; stage the input again to update it.",
  };
}
