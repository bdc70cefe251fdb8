import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { built } from "../../built.mjs";
import { seededRandom } from "../../format/random.mjs";
import { readEach } from "../../format/read-each.mjs";
import { quantile } from "../../format/statistics.mjs";
import { tellingWords } from "../../retrieval/words.mjs";
import { besideFloor } from "../rounds.mjs";

const [{ fsRepository, fsSearchStore }, { skillBox }] = await Promise.all(
  ["repository-fs", "skillbox"].map(built),
);
const QUERIES = 200;

/**
 * The first search, which reads and indexes every body, beside reading them alone; the same where another process kept the
 * index; later queries, at the 95th of 100, beside
 * one pass over all descriptions.
 */
export async function measure({ few, many }) {
  const index = await besideFloor(
    5,
    () => withBox(few, (box) => timed(() => box.search("anything"))),
    () => readEach(few, (text) => text).then(() => undefined),
  );
  const directory = mkdtempSync(join(tmpdir(), "skillwright-search-"));
  const searchStore = fsSearchStore({ name: few, directory });
  const first = () => withBox(few, (box) => timed(() => box.search("anything")), { searchStore });
  await first();
  const kept = await besideFloor(5, first, () => readEach(few, (text) => text).then(() => undefined));
  rmSync(directory, { recursive: true });
  return {
    "search index of 1,000": index,
    "kept index of 1,000": kept,
    ...(await queries(few, "1,000")),
    ...(await queries(many, "10,000")),
  };
}

function queries(root, size) {
  return withBox(root, async (box) => {
    await box.search("anything");
    const { skills } = await box.snapshot();
    const random = seededRandom(11);
    const asked = Array.from({ length: QUERIES }, () => {
      const words = tellingWords(random.pick(skills).description);
      return Array.from({ length: 5 }, () => random.pick(words)).join(" ");
    });
    const figure = await besideFloor(
      5,
      () => atQuantile(asked, (query) => box.search(query)),
      () =>
        atQuantile(asked, (query) => skills.filter(({ description }) => description.includes(query)).length),
    );
    return { [`search among ${size}`]: figure };
  });
}

/** Uses a box that watches its folders, so that a search does not read them. */
async function withBox(root, use, options = {}) {
  const box = skillBox({ own: fsRepository({ root, watch: { handles: 32_768 } }) }, options);
  const watching = box.subscribe(() => undefined);
  try {
    for (let count = 0; count < 3; count++) await box.snapshot();
    return await use(box);
  } finally {
    await watching.close();
    await box.close();
  }
}

async function atQuantile(asked, work) {
  const times = [];
  for (const query of asked) times.push(await timed(() => work(query)));
  return quantile(times, 0.95);
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
