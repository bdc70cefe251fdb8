import type { RunLimits } from "@skillwright/core";

/** What the supervisor of a container tells every host about a run in progress. */
export interface RunNote {
  /** The group of all its processes, and of no others. */
  readonly group: number;
  /** The limits on the whole container that it requests. */
  readonly limits: RunLimits;
  /** The mark of the connection that it ends with; `undefined` for a run with a key. */
  readonly host?: string | undefined;
}

export function runNote(note: RunNote): string {
  return JSON.stringify(note);
}

export function runNotes(notes: readonly string[]): readonly RunNote[] {
  return notes.map((note) => JSON.parse(note) as RunNote);
}
