import { createRequire } from "node:module";
import { root } from "../../scripts/bootstrap/root.mjs";
import { built } from "../built.mjs";
import { withLongestStop } from "../catalogue/longest-stop.mjs";
import { allWords } from "./words.mjs";

const [{ byteStream }, { deepFreeze }, { memoryRepository }, { skillBox }] = await Promise.all(
  ["core", "core/adapter", "repository-memory", "skillbox"].map(built),
);
const requiredBy = (name) => createRequire(`${root}/packages/${name}/package.json`);
const MiniSearch = requiredBy("agent")("minisearch");
const { stemmer } = await import(requiredBy("skillbox").resolve("stemmer"));

/** Each takes skills and returns a search: the names of the best, best first. */
export const contestants = [
  { title: "**skillBox, bodies too**", index: (skills) => ofBox(skills, true) },
  { title: "skillBox, names and descriptions", index: (skills) => ofBox(skills, false) },
  {
    title: "MiniSearch 7.2, its defaults, bodies too",
    index: (skills) => ofLibrary(skills, ["name", "description", "body"]),
  },
  {
    title: "MiniSearch 7.2, its defaults, names and descriptions",
    index: (skills) => ofLibrary(skills, ["name", "description"]),
  },
  { title: "for measure: likelihood of the words", index: (skills) => likelihood(skills, allWords) },
  { title: "for measure: likelihood of their stems", index: (skills) => likelihood(skills, allStems) },
];

function allStems(text) {
  return allWords(text).map((word) => (/^[a-z]{3,}$/.test(word) ? stemmer(word) : word));
}

async function ofBox(skills, searchBodies) {
  const texts = new Map(
    skills.map(({ name, description, body }) => [
      name,
      `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description)}\n---\n${body}\n`,
    ]),
  );
  const memory = memoryRepository({
    skills: Object.fromEntries([...texts].map(([name, text]) => [name, { "SKILL.md": text }])),
  });
  // The same listing as before, as from a repository that knows that nothing changed, and texts in memory, because the cost
  // of repositories is measured elsewhere.
  const listing = deepFreeze(await memory.list());
  const open = async (name) => byteStream(texts.get(name));
  const box = skillBox({
    own: { repository: { ...memory, list: async () => listing, open }, searchBodies },
  });
  await box.snapshot();
  const started = performance.now();
  const { longest } = await withLongestStop(() => box.search("anything", { limit: 1 }));
  const indexMs = performance.now() - started;
  const search = async (query) => (await box.search(query)).map(({ skill }) => skill.name);
  return { indexMs, longest, search, look: () => box.snapshot() };
}

async function ofLibrary(skills, fields) {
  const started = performance.now();
  const index = new MiniSearch({ fields, idField: "name" });
  index.addAll(skills);
  const indexMs = performance.now() - started;
  return { indexMs, search: async (query) => index.search(query).map(({ id }) => id) };
}

/**
 * Words drawn at random from a text most likely belong to the text in which their share is the largest: its share mixed
 * with the share in all texts. With the words as they are, no other rule is expected to be better for such queries.
 */
async function likelihood(skills, wordsOf) {
  const started = performance.now();
  const all = new Map();
  let total = 0;
  const texts = skills.map(({ name, description, body }) => {
    const words = wordsOf(`${name}\n${description}\n${body}`);
    const counts = new Map();
    for (const word of words) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
      all.set(word, (all.get(word) ?? 0) + 1);
      total++;
    }
    return { name, counts, length: words.length };
  });
  const indexMs = performance.now() - started;
  const search = async (query) => {
    const words = wordsOf(query).filter((word) => all.has(word));
    const scored = texts.map(({ name, counts, length }) => {
      const parts = words.map((word) =>
        Math.log(1 + ((3 / 7) * (counts.get(word) ?? 0)) / length / (all.get(word) / total)),
      );
      return { name, score: parts.reduce((sum, part) => sum + part, 0) };
    });
    return scored.sort((a, b) => b.score - a.score).map(({ name }) => name);
  };
  return { indexMs, search };
}
