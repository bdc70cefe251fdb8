import type { RuntimeWorkspace } from "@skillwright/core";

/** Records that a step was applied. */
export interface BootstrapMark {
  readonly fingerprint: string;
  /** The directories that the step caches; they are removed before it is applied. */
  readonly directories: readonly string[];
}

/** The steps that were applied in a workspace, by key. */
export interface BootstrapMarks {
  read(): Promise<Map<string, BootstrapMark>>;
  write(marks: ReadonlyMap<string, BootstrapMark>): Promise<void>;
}

const NOTE = "bootstrap";
const FORMAT_VERSION = 1;

/**
 * Stored by the runtime beside the tree, so that every process sees them and they are removed with the workspace. Where
 * the runtime stores no notes, they are kept in `memory` of this process, and other processes apply all steps again.
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

/** Marks that cannot be read, or have another version, count as not applied: applying a step again is harmless. */
function parsed(text: string | undefined): Map<string, BootstrapMark> {
  if (text === undefined) return new Map();
  try {
    const { formatVersion, marks } = JSON.parse(text);
    return formatVersion === FORMAT_VERSION ? new Map(marks) : new Map();
  } catch {
    return new Map();
  }
}
