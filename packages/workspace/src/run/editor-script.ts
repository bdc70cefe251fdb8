import { type CallOptions, type RuntimeWorkspace, SkillError, type WorkspaceRun } from "@skillwright/core";
import { WORKSPACE_LAYOUT } from "@skillwright/core/adapter";

const MAX_BYTES = 1024 * 1024;
const VARIABLES = ["EDITOR", "VISUAL"] as const;

/**
 * @throws SkillError `INPUT_INVALID` for a value that is not text, or where the call also sets `EDITOR` or `VISUAL`;
 * `LIMIT_EXCEEDED` above 1 MiB.
 */
export function checkEditorText({ editorText, env = {} }: WorkspaceRun): void {
  if (typeof editorText !== "string")
    throw invalid("The text for the editor is not a string. Give a string.");
  const set = VARIABLES.find((name) => Object.hasOwn(env, name));
  if (set !== undefined)
    throw invalid(
      `The text for the editor and the variable ${set} cannot be combined. Leave one of them out.`,
    );
  const bytes = Buffer.byteLength(editorText);
  if (bytes <= MAX_BYTES) return;
  throw new SkillError(
    "LIMIT_EXCEEDED",
    `The text for the editor has ${bytes} bytes; at most ${MAX_BYTES} are allowed. Give the program a file instead.`,
    { details: { limit: MAX_BYTES, bytes } },
  );
}

/** Writes text and script to the run's own directory and returns the variables that point to them. */
export async function editorScript(
  editorText: string,
  runId: string,
  { workspace, signal }: CallOptions & { workspace: RuntimeWorkspace },
): Promise<Readonly<Record<string, string>>> {
  const directory = `${WORKSPACE_LAYOUT.runs}/${runId}/editor`;
  const absolute = `${workspace.root}/${directory}`;
  // The file to edit is the last argument; a line number or options may precede it.
  const script = `#!/bin/sh\nfor file; do :; done\ncat ${quoted(`${absolute}/text`)} > "$file"\n`;
  const files = [
    { path: `${directory}/text`, content: editorText },
    { path: `${directory}/edit`, content: script, executable: true },
  ];
  await workspace.put(files, { signal });
  const program = `${absolute}/edit`;
  // Most programs pass it to a shell, some split it at spaces.
  const value = /^[\w./-]+$/.test(program) ? program : quoted(program);
  return Object.fromEntries(VARIABLES.map((name) => [name, value]));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function invalid(message: string): SkillError {
  return new SkillError("INPUT_INVALID", message, { details: { field: "editorText" } });
}
