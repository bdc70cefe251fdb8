import assert from "node:assert/strict";
import { SkillError } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { scribble } from "../scribble.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { closesTwice } from "../traits/closing.js";
import { broken, holds, type IndexPromise, summary } from "./subject.js";

/** Paths that a store might confuse if it derives keys from them. */
const PATHS = [
  "a",
  "A",
  "a/b",
  "a:b",
  "a b",
  "\u00e9",
  "e\u0301",
  "\ud83d\ude00",
  "__proto__",
  "constructor",
  "revision",
  "*",
  "{a}",
];

export const writingPromises: readonly IndexPromise[] = [
  {
    id: "metadata-index/read/nothing",
    promise: "read() returns undefined before the first write.",
    seed: undefined,
    run: async ({ index, other }) => {
      assert.equal(await index.read(), undefined);
      assert.equal(await other.read(), undefined);
    },
  },
  {
    id: "metadata-index/write/first",
    promise:
      "The first write, from revision undefined, creates the index with its entries and returns the revision.",
    seed: undefined,
    run: async (subject) => {
      const full = summary("a", {
        frontmatter: { name: "a", metadata: { deep: [1, null, "x"] }, empty: [], none: {} },
        digest: "d",
        version: "1.2.3",
        diagnostics: broken("a").diagnostics,
      });
      const change = { from: undefined, put: [full, summary("b")], putBroken: [broken("c")], remove: [] };
      const revision = await subject.index.write(change);
      assert(Number.isSafeInteger(revision), String(revision));
      await holds(subject, revision, change.put, change.putBroken);
    },
  },
  {
    id: "metadata-index/write/empty",
    promise: "An index without entries exists, and is not undefined.",
    seed: undefined,
    run: async (subject) => {
      const first = await subject.index.write({ from: undefined, put: [], remove: [] });
      await holds(subject, first, []);
      const second = await subject.other.write({ from: first, put: [summary("a")], remove: [] });
      const third = await subject.index.write({ from: second, put: [], remove: ["a"] });
      await holds(subject, third, []);
    },
  },
  {
    id: "metadata-index/write/revision",
    promise: "Each write increases the revision, also one that changes nothing.",
    seed: undefined,
    run: async (subject) => {
      let revision = await subject.index.write({ from: undefined, put: [], remove: [] });
      for (let turn = 0; turn < 3; turn++) {
        const next = await subject.other.write({ from: revision, put: [], remove: [] });
        assert(next > revision, `${next} does not follow ${revision}.`);
        revision = next;
      }
      await holds(subject, revision, []);
    },
  },
  {
    id: "metadata-index/write/replaced",
    promise: "Writing a summary replaces the whole summary at its path; other paths stay.",
    seed: undefined,
    run: async (subject) => {
      const before = [summary("a", { digest: "d" }), summary("b")];
      const from = await subject.index.write({ from: undefined, put: before, remove: [] });
      const later = summary("a", { name: "other", changeMark: "2" });
      const revision = await subject.other.write({ from, put: [later], remove: [] });
      await holds(subject, revision, [later, summary("b")]);
    },
  },
  {
    id: "metadata-index/write/broken",
    promise: "A path holds either a skill or a broken skill, whichever was written last.",
    seed: undefined,
    run: async (subject) => {
      const change = { from: undefined, put: [summary("a")], putBroken: [broken("b")], remove: [] };
      const from = await subject.index.write(change);
      const turned = { from, put: [summary("b")], putBroken: [broken("a")], remove: [] };
      await holds(subject, await subject.index.write(turned), [summary("b")], [broken("a")]);
    },
  },
  {
    id: "metadata-index/write/put-and-removed",
    promise:
      "Within one change, an added path beats its removal, a broken entry beats a skill, and the later of two skills wins.",
    seed: undefined,
    run: async (subject) => {
      const from = await subject.index.write({
        from: undefined,
        put: [
          summary("a"),
          summary("b"),
          summary("c", { changeMark: "1" }),
          summary("c", { changeMark: "2" }),
        ],
        putBroken: [broken("b"), broken("d")],
        remove: ["a", "b", "new"],
      });
      const put = [summary("a"), summary("c", { changeMark: "2" })];
      await holds(subject, from, put, [broken("b"), broken("d")]);
      const both = { from, put: [summary("d")], putBroken: [broken("a")], remove: ["a", "c", "d"] };
      await holds(subject, await subject.other.write(both), [summary("d")], [broken("a"), broken("b")]);
    },
  },
  {
    id: "metadata-index/write/removed",
    promise:
      "Removing a path removes its skill or broken entry; an unknown path is not an error; other paths stay.",
    seed: undefined,
    run: async (subject) => {
      const put = ["a", "a/b", "c"].map((path) => summary(path));
      const from = await subject.index.write({
        from: undefined,
        put,
        putBroken: [broken("d"), broken("e")],
        remove: [],
      });
      const revision = await subject.other.write({ from, put: [], remove: ["a", "d", "unknown"] });
      await holds(subject, revision, put.slice(1), [broken("e")]);
    },
  },
  {
    id: "metadata-index/write/apart",
    promise: "Two paths share nothing, even if they are similar or contain unusual characters.",
    seed: undefined,
    run: async (subject) => {
      const put = PATHS.map((path) => summary(path));
      const from = await subject.index.write({ from: undefined, put, remove: [] });
      await holds(subject, from, put);
      const revision = await subject.index.write({ from, put: [], remove: ["a", "__proto__"] });
      await holds(
        subject,
        revision,
        put.filter(({ path }) => path !== "a" && path !== "__proto__"),
      );
    },
  },
  {
    id: "metadata-index/write/many",
    promise: "Thousands of skills can be written in one change and read in one call.",
    seed: undefined,
    run: async (subject) => {
      const put = Array.from({ length: 3000 }, (_, number) => summary(`skill-${number}`));
      await holds(subject, await subject.index.write({ from: undefined, put, remove: [] }), put);
    },
  },
  {
    id: "metadata-index/write/conflict",
    promise: "A change from a stale revision of the index fails with CONFLICT and changes nothing.",
    seed: undefined,
    run: async (subject) => {
      const { index, other } = subject;
      for (const from of [0, 1])
        await failsWith(index.write({ from, put: [summary("x")], remove: [] }), "CONFLICT");
      assert.equal(await index.read(), undefined);
      const first = await index.write({ from: undefined, put: [summary("a")], remove: [] });
      const at = await other.write({ from: first, put: [summary("b")], remove: [] });
      for (const from of [undefined, first, at + 1, -1])
        await failsWith(
          index.write({ from, put: [summary("x")], remove: ["a"] }),
          "CONFLICT",
          `from ${from}`,
        );
      await holds(subject, at, [summary("a"), summary("b")]);
    },
  },
  {
    id: "metadata-index/write/at-once",
    promise: "Exactly one of several concurrent changes from the same revision succeeds.",
    seed: undefined,
    run: async ({ index, other }) => {
      const first = await Promise.allSettled(writers(undefined));
      const from = successes(first)[0];
      const second = await Promise.allSettled(writers(from));
      for (const outcomes of [first, second]) {
        assert.equal(successes(outcomes).length, 1);
        const reasons = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
        assert(
          reasons.every((error) => SkillError.is(error, "CONFLICT")),
          String(reasons[0]),
        );
      }
      assert.equal((await index.read())?.skills.length, 2);

      function writers(at: number | undefined): Promise<number>[] {
        return Array.from({ length: 10 }, (_, number) =>
          (number % 2 ? index : other).write({
            from: at,
            put: [summary(`from-${at}-${number}`)],
            remove: [],
          }),
        );
      }
    },
  },
  {
    id: "metadata-index/write/own",
    promise: "Changing an argument or a result after the call does not change what is stored.",
    seed: undefined,
    run: async (subject) => {
      const change = {
        from: undefined,
        put: [summary("a", { frontmatter: { deep: ["kept"] } })],
        putBroken: [broken("b")],
        remove: [],
      };
      const { put, putBroken } = structuredClone(change);
      const writing = subject.index.write(change);
      scribble(change);
      const revision = await writing;
      scribble(await subject.index.read());
      await holds(subject, revision, put, putBroken);
    },
  },
  endsWhenAborted("metadata-index/read/aborted", undefined, ({ index }, signal) => index.read({ signal })),
  endsWhenAborted("metadata-index/write/aborted", undefined, ({ index }, signal) =>
    index.write({ from: undefined, put: [], remove: [] }, { signal }),
  ),
  closesTwice("metadata-index/close/twice", undefined, ({ index }) => index),
];

function successes(outcomes: readonly PromiseSettledResult<number>[]): number[] {
  return outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}
