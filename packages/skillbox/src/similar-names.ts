import type { CatalogSnapshot } from "@skillwright/core";
import MiniSearch from "minisearch";
import { nameWords } from "./search-words.js";

/** Names similar to the given one, most similar first. */
export function similarNames({ skills }: CatalogSnapshot, name: string, limit: number): readonly string[] {
  const index = new MiniSearch<{ id: number; name: string }>({ fields: ["name"], tokenize: nameWords });
  index.addAll(skills.map((skill, id) => ({ id, name: skill.name })));
  const found = index.search(name, { prefix: (term) => term.length >= 2, fuzzy: 0.4 });
  return found.slice(0, limit).flatMap(({ id }) => skills[id as number]?.name ?? []);
}
