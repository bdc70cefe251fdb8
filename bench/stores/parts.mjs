import { median } from "../format/statistics.mjs";
import { SKILLS } from "./catalogue.mjs";
import { requestsText } from "./store-table.mjs";

const listings = { "listing again, unchanged": "bare SDK: the pages" };

/**
 * The parts of the run: the measurement, the data it needs, the rows of comparison, and
 * the aims.
 *
 */
export const parts = {
  folders: {
    title: "fsRepository",
    fills: ["folders"],
    floors: {
      "first listing": "bare: open, read 2 KiB, close each SKILL.md, 16 at once",
      "bare: the same and readdir of each folder, 16 at once":
        "bare: lstat of each file and folder, 16 at once",
      "listing again, unchanged": "bare: lstat of each file and folder, 16 at once",
      "after one SKILL.md changed": "bare: lstat of each file and folder, 16 at once",
    },
    aims: {
      "first listing": ["fs discovery against a bare parallel read of the same heads", 1.5],
      "listing again, unchanged": ["fs, warm and unchanged, against the bare stats", 1.2],
    },
  },
  plain: {
    title: "s3Repository, plain folders, no index",
    measure: "plain-bucket",
    fills: ["plain"],
    floors: {
      ...listings,
      "first listing": "bare SDK: the pages, then each SKILL.md, 16 at once",
      "after one SKILL.md changed": "bare SDK: the pages",
    },
  },
  published: {
    title: "s3Repository, published skills, no index",
    measure: "published-bucket",
    fills: ["published"],
    floors: {
      ...listings,
      "after one skill was published anew": "bare SDK: the pages",
    },
  },
  packed: {
    title: "s3Repository, published skills: first listings from packed heads",
    measure: "packed-heads",
    fills: ["published"],
    floors: Object.fromEntries(
      [1, 1000, SKILLS].map((count) => [
        `first listing of ${count}`,
        `bare SDK: the object with ${count} heads`,
      ]),
    ),
    musts: ({ times }) => {
      const floor = median(times[`bare SDK: the object with ${SKILLS} heads`]);
      const ratio = median(times[`first listing of ${SKILLS}`]) / floor;
      const what = `a first listing of ${SKILLS} published skills at most 1.2 times one read of the object`;
      return [{ what, measured: `${ratio.toFixed(2)} times`, met: ratio <= 1.2 }];
    },
  },
  index: {
    title: "indexed(s3Repository, redisIndex)",
    measure: "index-on-redis",
    fills: ["published"],
    floors: Object.fromEntries(
      ["first listing of a process", "listing again, unchanged", "after one skill was published anew"].map(
        (what) => [what, "bare: HGETALL, JSON.parse of each value"],
      ),
    ),
    aims: {
      "listing again, unchanged": ["warm listing on Redis against a bare HGETALL and JSON.parse", 1.5],
      "first listing of a process": ["the same by a process that reads everything", 1.5],
    },
    musts: ({ accounts }) =>
      ["first listing of a process", "listing again, unchanged", "after one skill was published anew"].map(
        (what) => {
          const { requests } = accounts[what];
          const count = Object.values(requests).reduce((sum, each) => sum + each, 0);
          const measured = requestsText(requests);
          return { what: `on Redis one round trip: ${what}`, measured, met: count === 1 };
        },
      ),
  },
  loading: {
    title: "A published skill of 50 files, read whole",
    measure: "loading",
    fills: ["published"],
    floors: Object.fromEntries(
      [
        "s3Repository that knows nothing: reader",
        "s3Repository that knows nothing: load, then reader",
        "cached() over indexed(), second time",
        "cached() over indexed(), in a new process",
        "cached() over indexed(), by version",
      ].map((what) => [what, "bare SDK: the 50 objects, 16 at once"]),
    ),
    aims: {
      "s3Repository that knows nothing: reader": [
        "a skill of 50 files through the reader against the bare SDK",
        1.2,
      ],
      "s3Repository that knows nothing: load, then reader": ["the same, loaded first", 1.2],
    },
  },
  seen: {
    title: "A change, from the end of its upload to listings elsewhere",
    measure: "seen-by-others",
    fills: ["published"],
    floors: {},
    musts: ({ times }) => {
      const [each] = Object.values(times);
      const measured = `${median(each).toFixed(1)} ms at the median`;
      return [{ what: "a change seen in at most 30 ms", measured, met: median(each) <= 30 }];
    },
  },
};
