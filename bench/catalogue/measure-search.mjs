import { createRequire } from "node:module";
import { root } from "../../scripts/bootstrap/root.mjs";
import { seededRandom } from "../format/random.mjs";
import { readEach } from "../format/read-each.mjs";
import { median, quantile } from "../format/statistics.mjs";
import { tellingWords } from "../retrieval/words.mjs";
import { withLongestStop } from "./longest-stop.mjs";

const MiniSearch = createRequire(`${root}/packages/agent/package.json`)("minisearch");
const QUERIES = 300;

/** The first search, which reads and indexes everything, and later ones, compared with reading alone and with the library and its defaults. */
export async function measureSearch(box, skills) {
  const floor = await timed(() => readEach(skills, (text) => text));
  const index = await timed(() => box.search("anything", { limit: 1 }));
  const queries = drawnQueries((await box.snapshot()).skills);
  const times = [];
  for (const query of queries) times.push((await timed(() => box.search(query))).took);
  const library = new MiniSearch({ fields: ["text"] });
  const indexLibrary = await timed(async () => {
    const texts = await readEach(skills, (text) => text);
    library.addAll(texts.map((text, id) => ({ id, text })));
  });
  const libraryTimes = [];
  for (const query of queries) libraryTimes.push((await timed(async () => library.search(query))).took);
  return {
    ...{
      indexFloor: floor.took,
      index: index.took,
      indexStop: index.longest,
      indexLibrary: indexLibrary.took,
    },
    ...{ query: median(times), queryP95: quantile(times, 0.95), queryLibrary: median(libraryTimes) },
  };
}

/** Three to eight words of a description each. */
function drawnQueries(skills) {
  const random = seededRandom(11);
  return Array.from({ length: QUERIES }, () => {
    const words = tellingWords(random.pick(skills).description);
    return Array.from({ length: random.pick([3, 4, 5, 6, 7, 8]) }, () => random.pick(words)).join(" ");
  });
}

async function timed(work) {
  const started = performance.now();
  const { longest } = await withLongestStop(work);
  return { took: performance.now() - started, longest };
}
