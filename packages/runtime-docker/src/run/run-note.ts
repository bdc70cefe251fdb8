import type { RunLimits } from "@skillwright/core";

/** What the supervisor of a container tells every host about a command in progress. */
export type ContainerNote =
  /** A run, and the limits on the whole container that it requests. */
  | { readonly run: RunLimits }
  /** A host that changes the limits of the container. */
  | { readonly turn: string };

export function noteText(note: ContainerNote): string {
  return JSON.stringify(note);
}

export function notesIn(texts: readonly string[]): readonly ContainerNote[] {
  return texts.map((text) => JSON.parse(text) as ContainerNote);
}
