import MiniSearch from "minisearch";
import { searchTerms } from "./search-terms.js";

export interface OverviewSkill {
  readonly name: string;
  readonly description: string;
}

/**
 * The skill that matches the words best by BM25, or `undefined` where none matches. A skill matches when a word is in
 * its name, when two words are in its description, or when the only word is; a word that most skills share is ignored.
 * Hints, such as a file's extension, are additional words.
 */
export function bestSkill(
  words: string,
  skills: readonly OverviewSkill[],
  hints: readonly string[] = [],
): OverviewSkill | undefined {
  const index = new MiniSearch<OverviewSkill>({
    idField: "name",
    fields: ["name", "description"],
    tokenize: searchTerms,
    processTerm: (term) => term,
  });
  index.addAll(skills);
  const terms = [...new Set(searchTerms(words))];
  const common = termsOfMost(skills);
  const telling = terms.filter((term) => !common.has(term));
  const hits = index.search([...telling, ...hints.flatMap(searchTerms)].join(" "), {
    boost: { name: 2 },
    tokenize: (text) => text.split(" ").filter(Boolean),
    combineWith: "OR",
  });
  const fitting = hits.find(({ match }) => {
    const fields = Object.values(match);
    return fields.some((names) => names.includes("name")) || fields.length >= Math.min(2, telling.length);
  });
  return fitting && skills.find(({ name }) => name === fitting.id);
}

function termsOfMost(skills: readonly OverviewSkill[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { name, description } of skills)
    for (const term of new Set(searchTerms(`${name} ${description}`)))
      counts.set(term, (counts.get(term) ?? 0) + 1);
  const shared = [...counts].filter(([, count]) => skills.length > 2 && count > skills.length / 2);
  return new Set(shared.map(([term]) => term));
}
