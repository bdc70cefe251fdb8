import { type Diagnostic, type RunEvent, type RunInput, SkillError } from "@skillwright/core";
import type { PathContext } from "../path/locate-path.js";
import { type InputSource, inputSource } from "./input-source.js";
import { inputTarget } from "./input-target.js";
import { type InputPlaces, openInput } from "./open-input.js";

const MAX_INPUTS = 64;

export interface PlannedInput {
  readonly from: string;
  readonly source: InputSource;
  readonly target: string;
  readonly linkWanted: boolean;
}

/**
 * Reads the declared inputs; nothing is opened yet.
 * @throws SkillError `INPUT_INVALID` for bad sources, an unknown mode and two inputs with one target (PATH-17),
 *   `LIMIT_EXCEEDED` above 64, `PATH_OUTSIDE`, `PATH_INVALID` for targets.
 */
export function planInputs(inputs: readonly RunInput[] = [], context: PathContext): readonly PlannedInput[] {
  if (inputs.length > MAX_INPUTS)
    throw new SkillError(
      "LIMIT_EXCEEDED",
      `${inputs.length} inputs are too many; ${MAX_INPUTS} are allowed.`,
    );
  const targets = new Map<string, string>();
  return inputs.map(({ from, to, mode }) => {
    if (mode !== undefined && mode !== "copy" && mode !== "link")
      throw new SkillError("INPUT_INVALID", `The input ${from} has a mode other than "copy" and "link".`);
    const source = inputSource(from);
    const target = inputTarget(to, source, context);
    const other = targets.get(target);
    if (other !== undefined)
      throw new SkillError(
        "INPUT_INVALID",
        `The inputs ${other} and ${from} both go to ${target}. Give one of them another \`to\`.`,
      );
    targets.set(target, from);
    return { from, source, target, linkWanted: mode === "link" };
  });
}

/**
 * Copies the inputs into the workspace, streamed, and gives the artifact versions that were taken. A link is made as a
 * copy, with a diagnostic: a link would be one more way out of the workspace and not every runtime can make it.
 * @throws SkillError what opening throws; `details` then has `input` and the targets already `staged` (SCHEME-15).
 */
export async function stageInputs(
  inputs: readonly PlannedInput[],
  places: InputPlaces,
  told: { emit: (event: RunEvent) => void; tell: (diagnostic: Diagnostic) => void },
): Promise<readonly string[]> {
  const staged: string[] = [];
  const artifacts: string[] = [];
  for (const input of inputs) {
    try {
      const { bytes, artifact } = await stageInput(input, places);
      if (artifact !== undefined) artifacts.push(artifact);
      told.emit({ type: "input.staged", path: input.target, bytes });
    } catch (error) {
      throw withInput(SkillError.from(error, `Staging the input ${input.from}`), input.from, staged);
    }
    if (input.linkWanted) told.tell(linkCopied(input));
    staged.push(input.target);
  }
  return artifacts;
}

async function stageInput(
  { source, target }: PlannedInput,
  places: InputPlaces,
): Promise<{ bytes: number; artifact?: string }> {
  const opened = await openInput(source, places);
  let bytes = 0;
  async function* counted() {
    for await (const piece of opened.content) {
      bytes += piece.byteLength;
      yield piece;
    }
  }
  try {
    await places.workspace.put([{ path: target, content: counted() }], { signal: places.signal });
  } finally {
    await opened.close?.();
  }
  return opened.artifact === undefined ? { bytes } : { bytes, artifact: opened.artifact };
}

function withInput(error: SkillError, from: string, staged: readonly string[]): SkillError {
  return new SkillError(error.code, `The input ${from} was not staged, so nothing ran. ${error.message}`, {
    cause: error,
    details: { ...error.details, input: from, staged: [...staged] },
  });
}

function linkCopied({ from, target }: PlannedInput): Diagnostic {
  return {
    code: "input.link-copied",
    severity: "info",
    message: `The input ${from} was copied to ${target}; links are not made.`,
    hint: "Read the copy. Changes to the source reach it with the next run that names the input.",
    path: target,
  };
}
