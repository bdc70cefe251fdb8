import assert from "node:assert/strict";
import type { RecordStore } from "@skillwright/core";
import { endsWhenAborted } from "../traits/aborted.js";
import { names, type RecordPromise } from "./subject.js";

const COLLECTION = ["contract", "ada"];

/** In the order of their bytes in UTF-8, which is neither that of UTF-16 nor of a language. */
const SORTED = ["10", "2", "A", "B", "Z", "a", "b", "é", "\uff5e", "😀"];

export const listPromises: readonly RecordPromise[] = [
  {
    id: "record-store/list/collection",
    promise:
      "list() returns the records of the collection with value and revision, and none below or beside it.",
    seed: undefined,
    run: async ({ records, other }) => {
      assert.deepEqual(await records.list(COLLECTION), { records: [], next: undefined });
      const revision = await records.write([...COLLECTION, "one"], { value: { of: "one" } });
      for (const key of [
        ["contract", "ad", "x"],
        ["contract", "ada", "one", "x"],
        ["contract", "adam", "x"],
        ["contract", "ada/", "x"],
      ])
        await records.write(key, { value: 0 });
      await records.write([...COLLECTION, "removed"], { value: 0 });
      await records.delete([...COLLECTION, "removed"]);
      for (const order of ["key", "newest"] as const)
        assert.deepEqual((await other.list(COLLECTION, { order })).records, [
          { name: "one", value: { of: "one" }, revision },
        ]);
    },
  },
  {
    id: "record-store/list/by-key",
    promise:
      "By key, pages follow one another in the order of the names' bytes, and the last one has no next.",
    seed: undefined,
    run: async ({ records, other }) => {
      for (const name of [...SORTED].reverse()) await records.write([...COLLECTION, name], { value: name });
      for (const limit of [1, 3, SORTED.length, 1000])
        assert.deepEqual(await allNames(other, { order: "key", limit }), SORTED, `pages of ${limit}`);
    },
  },
  {
    id: "record-store/list/newest",
    promise: "By age, the record that was written last comes first, and appending does not move one.",
    seed: undefined,
    run: async ({ records, other }) => {
      const holder = "holder";
      for (const name of ["a", "b", "c", "d", "e"])
        await records.write([...COLLECTION, name], { value: 1, holder });
      await other.write([...COLLECTION, "b"], { value: 2, holder });
      await records.append([...COLLECTION, "a"], { log: "log", holder, entries: [1] });
      for (const limit of [1, 2, 5])
        assert.deepEqual(
          await allNames(other, { order: "newest", limit }),
          ["b", "e", "d", "c", "a"],
          `pages of ${limit}`,
        );
    },
  },
  {
    id: "record-store/list/default",
    promise: "Without a limit, a page has at most 100 records.",
    seed: undefined,
    run: async ({ records }) => {
      const all = Array.from({ length: 101 }, (_, index) => String(1000 + index));
      await Promise.all(all.map((name) => records.write([...COLLECTION, name], { value: null })));
      const page = await records.list(COLLECTION);
      assert.deepEqual(names(page), all.slice(0, 100));
      assert.deepEqual(names(await records.list(COLLECTION, { after: page.next })), all.slice(100));
    },
  },
  endsWhenAborted("record-store/list/aborted", undefined, ({ records }, signal) =>
    records.list(COLLECTION, { signal }),
  ),
];

async function allNames(
  records: RecordStore,
  options: { readonly order: "key" | "newest"; readonly limit: number },
): Promise<readonly string[]> {
  const found: string[] = [];
  let after: string | undefined;
  do {
    const page = await records.list(COLLECTION, { ...options, after });
    assert.equal(page.records.length <= options.limit, true);
    found.push(...names(page));
    after = page.next;
  } while (after !== undefined && found.length < 1000);
  return found;
}
