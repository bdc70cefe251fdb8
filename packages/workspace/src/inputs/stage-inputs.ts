import { type Diagnostic, type RunEvent, SkillError } from "@skillwright/core";
import { withSpan } from "@skillwright/core/adapter";
import { workspacePath } from "../path/workspace-path.js";
import { type InputBudget, inputBudget } from "./input-budget.js";
import type { InputTree } from "./input-tree.js";
import { type InputLinks, linkInput } from "./link-input.js";
import { pinnedSource, type TakenVersions } from "./pinned-source.js";
import type { PlannedInput } from "./plan-inputs.js";
import { type InputPlaces, resolveInput } from "./resolve-input.js";
import { inputEmpty } from "./skipped-input.js";
import { writeInput } from "./write-input.js";

export interface InputStaging extends InputPlaces, InputLinks {
  readonly emit: (event: RunEvent) => void;
  /** The artifact versions used before; updated here. */
  readonly taken: TakenVersions;
}

/**
 * Streams the inputs into the workspace and returns the artifact versions that were used.
 * @throws SkillError what resolving and reading throw; `LIMIT_EXCEEDED` above 5,000 files or 4 GiB in total; `details`
 * then has `input` and the targets already `staged`.
 */
export async function stageInputs(
  inputs: readonly PlannedInput[],
  staging: InputStaging,
): Promise<readonly string[]> {
  const { workspace, emit } = staging;
  return await withSpan(
    "workspace.stage.inputs",
    { workspaceId: workspace.id, inputs: inputs.length },
    async (set) => {
      const staged: string[] = [];
      const artifacts: string[] = [];
      const budget = inputBudget();
      for (const told of alikeInputs(inputs)) staging.tell(told);
      for (const input of inputs) {
        const before = budget.used();
        try {
          const artifact = await stageInput(input, budget, staging);
          if (artifact !== undefined) artifacts.push(artifact);
        } catch (error) {
          throw withInput(SkillError.from(error, `Staging the input ${input.from}`), input.from, staged);
        }
        emit({ type: "input.staged", path: input.target, bytes: budget.used() - before });
        staged.push(input.target);
      }
      set({ bytes: budget.used(), artifacts: artifacts.length });
      return artifacts;
    },
  );
}

/** Returns `name@version` for an artifact. */
async function stageInput(
  input: PlannedInput,
  budget: InputBudget,
  staging: InputStaging,
): Promise<string | undefined> {
  if (input.linkWanted && (await linkInput(input, staging))) return undefined;
  const tree = await resolveInput(pinnedSource(input, staging), staging);
  if (tree.isDirectory) checkDirectory(input, tree, staging);
  budget.claim(tree);
  await writeInput(input.target, tree, budget, staging);
  const { artifact } = tree;
  if (!artifact) return undefined;
  staging.taken.remember(input, staging.scope, artifact.version);
  return `${artifact.name}@${artifact.version}`;
}

/** A directory must not be copied below itself. */
function checkDirectory(
  { from, source, target }: PlannedInput,
  tree: InputTree,
  staging: InputStaging,
): void {
  if (tree.files.length === 0) staging.tell(inputEmpty(from));
  if (source.scheme !== "workspace") return;
  const path = workspacePath(source.path, staging.paths);
  if (target !== path && !target.startsWith(`${path}/`)) return;
  throw new SkillError(
    "PATH_INVALID",
    `${target} is inside ${path}. Give a \`to\` outside of it, or a file.`,
  );
}

function withInput(error: SkillError, from: string, staged: readonly string[]): SkillError {
  return new SkillError(error.code, `The input ${from} was not staged, so nothing ran. ${error.message}`, {
    cause: error,
    details: { ...error.details, input: from, staged: [...staged] },
  });
}

/** Reports targets that differ only by case: here they are two files, on other file systems one. */
function alikeInputs(inputs: readonly PlannedInput[]): readonly Diagnostic[] {
  const first = new Map<string, string>();
  return inputs.flatMap(({ target }) => {
    const folded = target.toUpperCase().toLowerCase();
    const other = first.get(folded);
    if (other !== undefined) return [alike(other, target)];
    first.set(folded, target);
    return [];
  });
}

function alike(other: string, target: string): Diagnostic {
  return {
    code: "input.alike",
    severity: "warning",
    message: `The inputs ${other} and ${target} differ only by case.`,
    hint: "Give one of them another `to`, so that they cannot be confused.",
    path: target,
  };
}
