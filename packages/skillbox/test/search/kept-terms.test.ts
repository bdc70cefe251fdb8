import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SkillError, type SkillRepository } from "@skillwright/core";
import { fsSearchStore } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { type SearchStore, type SkillBoxOptions, skillBox } from "@skillwright/skillbox";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const COUNT = 120;
let directory: string;
let searchStore: SearchStore;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "kept terms "));
  searchStore = fsSearchStore({ name: "own", directory });
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Each has a word of its own in its body, and no other skill has it. */
const wordOf = (at: number): string => `zeppelin${String.fromCharCode(97 + (at % 26))}${at}`;
const file = (at: number, body = `Inspect the ${wordOf(at)} before the flight.`): Record<string, string> => ({
  "SKILL.md": `---\nname: skill-${at}\ndescription: Does things.\n---\n${body}\n`,
});
const many = (count = COUNT): Record<string, Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`skill-${at}`, file(at)]));

describe("a search index that is kept", () => {
  test("lets another box find the same without opening a body", async () => {
    const first = await searched(many(), ["zeppelinc54", "inspection of a flight", "zepelinc54"]);
    expect(first.opened).toHaveLength(COUNT);
    const second = await searched(many(), ["zeppelinc54", "inspection of a flight", "zepelinc54"]);
    expect(second.opened).toEqual([]);
    expect(second.hits).toEqual(first.hits);
    expect(first.hits[0]?.[0]?.[0]).toBe("skill-54");
  });

  test("only a changed skill is opened, and its former words are not found", async () => {
    await searched(many(), ["flight"]);
    const changed = { ...many(), "skill-7": file(7, "Peel potatoes.") };
    const { opened, hits } = await searched(changed, [wordOf(7), "potatoes"]);
    expect(opened).toEqual(["skill-7"]);
    expect(hits[0]?.map(([name]) => name)).not.toContain("skill-7");
    expect(hits[1]?.map(([name]) => name)).toEqual(["skill-7"]);
  });

  test("is private to the user, and a damaged one is not used", async () => {
    await searched(many(), ["flight"]);
    const [name = ""] = await readdir(directory);
    const kept = join(directory, name);
    expect((await stat(kept)).mode & 0o777).toBe(0o600);
    await writeFile(kept, (await readFile(kept, "utf8")).replace("zeppelin", "zeppelim"));
    expect((await searched(many(), ["flight"])).opened).toHaveLength(COUNT);
  });

  test("one that holds mostly skills that are gone is made anew, without their words", async () => {
    await searched(many(), ["flight"]);
    const others = Object.fromEntries(Object.entries(many(2 * COUNT)).slice(COUNT - 30));
    expect((await searched(others, ["flight"])).opened).toHaveLength(COUNT + 30);
    const words = (await searchStore.read()).get("terms 1")?.split(" ");
    expect(words).toContain(wordOf(COUNT).toLowerCase());
    expect(words).not.toContain(wordOf(3));
  });

  test.each<[string, SearchStore]>([
    ["cannot be read or written", { read: () => unavailable(), write: () => unavailable() }],
    ["holds something else", storeOf((key) => (key === "terms 1" ? "one two" : "////////"))],
    ["holds nothing", storeOf(() => undefined)],
  ])("a store that %s costs nothing but the bodies", async (_, store) => {
    searchStore = store;
    const { opened, hits } = await searched(many(), [wordOf(9)]);
    expect(opened).toHaveLength(COUNT);
    expect(hits[0]?.[0]?.[0]).toBe("skill-9");
  });

  test("a body that could not be read, and one that may not be searched, are not kept", async () => {
    const failing = async (): Promise<never> => {
      throw new SkillError("BACKEND_FAILED", "The disk is gone.");
    };
    await searched(many(), ["flight"], { failing: new Map([["skill-5", failing]]) });
    expect((await searched(many(), [wordOf(5)])).opened).toEqual(["skill-5"]);
    const unsearched = await searched(many(), [wordOf(5)], { searchBodies: false });
    expect(unsearched.hits[0]?.map(([name]) => name)).not.toContain("skill-5");
  });

  test("a box without a store keeps nothing", async () => {
    await searched(many(), ["flight"], { options: {} });
    expect(await readdir(directory)).toEqual([]);
  });
});

interface Asked {
  readonly failing?: ReadonlyMap<string, SkillRepository["open"]>;
  readonly searchBodies?: boolean;
  readonly options?: SkillBoxOptions;
}

/** Names and scores of the hits, from a new box that is closed afterwards. */
async function searched(
  skills: Record<string, Record<string, string>>,
  queries: readonly string[],
  { failing, searchBodies = true, options = { searchStore } }: Asked = {},
) {
  const memory = memoryRepository({ skills });
  const opened: string[] = [];
  const open: SkillRepository["open"] = async (name, path, more) => {
    opened.push(name);
    return await (failing?.get(name) ?? memory.open)(name, path, more);
  };
  const box = skillBox({ own: { repository: { ...memory, open }, searchBodies } }, options);
  const hits: (readonly [string, number])[][] = [];
  for (const query of queries) {
    const found = await box.search(query);
    hits.push(found.map(({ skill, score }) => [skill.name, Math.round(score * 1e6)] as const));
  }
  await box.close();
  return { opened, hits };
}

/** A store that holds what the function gives for each key that is asked for. */
function storeOf(textOf: (key: string) => string | undefined): SearchStore {
  const texts = new Map<string, string>();
  const answering = {
    ...texts,
    size: COUNT + 1,
    get: textOf,
    has: (key: string) => textOf(key) !== undefined,
  } as unknown as ReadonlyMap<string, string>;
  return { read: async () => answering, write: async () => undefined };
}

async function unavailable(): Promise<never> {
  throw new Error("The store is not there.");
}
