import type { CatalogSnapshot } from "@skillwright/core";

/** Describes what a listing may lack because sources could not be listed; `undefined` when all of them were. */
export function unreachableNote({ sources = [] }: CatalogSnapshot): string | undefined {
  const named = (state: "stale" | "unlisted") =>
    sources.filter((one) => one.state === state).map(({ source }) => `"${source}"`);
  const [stale, unlisted] = [named("stale"), named("unlisted")];
  const notes = [
    ...(stale.length > 0
      ? [`${stale.join(", ")} cannot be reached: its skills are listed as last seen.`]
      : []),
    ...(unlisted.length > 0
      ? [`${unlisted.join(", ")} cannot be reached: its skills are missing here.`]
      : []),
  ];
  return notes.length > 0 ? notes.join(" ") : undefined;
}
