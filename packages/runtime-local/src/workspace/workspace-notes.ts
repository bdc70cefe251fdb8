import type { WorkspacePaths } from "../storage/workspace-paths.js";
import { type LocalWorkspaceRecord, writeRecord } from "../storage/workspace-record.js";
import type { RecordTurns } from "./record-turns.js";

export interface WorkspaceNotes {
  note(key: string, text: string | undefined): Promise<void>;
  notes(record: LocalWorkspaceRecord): ReadonlyMap<string, string>;
}

/** Notes of callers about one workspace, stored in its record. */
export function workspaceNotes(
  paths: WorkspacePaths,
  inTurn: RecordTurns,
  record: () => LocalWorkspaceRecord,
): WorkspaceNotes {
  async function note(key: string, text: string | undefined): Promise<void> {
    const current = record();
    const others = Object.entries(current.notes ?? {}).filter(([other]) => other !== key);
    const notes = Object.fromEntries(text === undefined ? others : [...others, [key, text]]);
    writeRecord(paths.directory, { ...current, notes });
  }

  return {
    note: (key, text) => inTurn(() => note(key, text)),
    notes: ({ notes = {} }) => new Map(Object.entries(notes)),
  };
}
