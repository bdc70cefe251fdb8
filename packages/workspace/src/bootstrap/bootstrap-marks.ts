import type { RuntimeWorkspace } from "@skillwright/core";

/** That a step was applied. */
export interface BootstrapMark {
  readonly fingerprint: string;
  /** What the step caches, and so removes when it is applied. */
  readonly directories: readonly string[];
}

/** The steps that were applied in a workspace, by their keys. */
export interface BootstrapMarks {
  read(): Promise<Map<string, BootstrapMark>>;
  write(marks: ReadonlyMap<string, BootstrapMark>): Promise<void>;
}

const NOTE = "bootstrap";
const FORMAT_VERSION = 1;

/**
 * Kept by the runtime beside the tree, so that every process sees them and they go with the workspace. Where the runtime
 * keeps no notes only this process knows, through `memory`, and another one applies all steps again.
 */
export function bootstrapMarks(
  runtime: RuntimeWorkspace,
  memory: Map<string, BootstrapMark>,
): BootstrapMarks {
  if (!runtime.note || !runtime.notes)
    return {
      read: async () => new Map(memory),
      async write(marks) {
        memory.clear();
        for (const [key, mark] of marks) memory.set(key, mark);
      },
    };
  return {
    read: async () => parsed((await runtime.notes?.())?.get(NOTE)),
    async write(marks) {
      const text = JSON.stringify({ formatVersion: FORMAT_VERSION, marks: [...marks] });
      await runtime.note?.(NOTE, text);
    },
  };
}

/** What cannot be read, or is of another version, counts as not done: applying once more does no harm. */
function parsed(text: string | undefined): Map<string, BootstrapMark> {
  if (text === undefined) return new Map();
  try {
    const { formatVersion, marks } = JSON.parse(text);
    return formatVersion === FORMAT_VERSION ? new Map(marks) : new Map();
  } catch {
    return new Map();
  }
}
