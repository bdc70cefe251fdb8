import type { SkillPlace } from "@skillwright/config";
import type { CatalogSnapshot } from "@skillwright/core";
import type { CliContext } from "../cli-context.js";
import { configuredCatalog } from "../places/configured-catalog.js";
import { listText } from "./list-text.js";

export interface ListFlags {
  readonly skills?: readonly string[];
  readonly json?: true;
}

/** Returns false where a place that was given does not exist: the listing is not what the user asked for. */
export async function listSkills({ skills = [], json }: ListFlags, context: CliContext): Promise<boolean> {
  await using configured = await configuredCatalog(context, skills);
  const { places, loaded, usable } = configured;
  const snapshot = await usable.snapshot({ signal: context.signal });
  context.remark(...loaded.diagnostics.map(({ message, hint }) => `${message} ${hint}`));
  if (json) context.printJson(listJson(places, snapshot));
  else context.print(...listText(places, snapshot, context));
  return places.every(({ kind, found }) => kind !== "given" || found);
}

function listJson(places: readonly SkillPlace[], snapshot: CatalogSnapshot) {
  return {
    places: places.map(({ source, root, trusted, found }) => ({ source, root, trusted, found })),
    skills: snapshot.skills,
    broken: snapshot.broken,
    diagnostics: snapshot.diagnostics,
  };
}
