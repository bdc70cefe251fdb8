import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase, sqliteRepository, sqliteSessions } from "../src/index.ts";
import { ROUNDS, SCOPE } from "./rounds.ts";
import { makePlace } from "./subjects.ts";
import { writerProcess } from "./writer-process.ts";

const MARKS = ["left", "right"];

test(`Two processes replace one skill ${ROUNDS} times each: a third reads one upload or another, never a mix.`, async () => {
  const { location, removePlace } = makePlace("file");
  const database = openDatabase(location);
  const repository = sqliteRepository({ database });
  let writing = true;
  try {
    const written = Promise.all(MARKS.map((mark) => writerProcess("replace", location, mark).line())).finally(
      () => {
        writing = false;
      },
    );
    const seen = new Set<string>();
    while (writing) {
      if ((await repository.list()).skills.length > 0) seen.add(await uploadOf("one"));
      await new Promise(setImmediate);
    }
    assert.deepEqual(await written, ["done", "done"]);
    seen.add(await uploadOf("one"));
    assert(
      [...seen].every((mark) => /^(left|right)\d+$/.test(mark)),
      [...seen].join(", "),
    );
  } finally {
    database.close();
    removePlace();
  }

  /** The mark of all files of the skill; all marks if there are several. */
  async function uploadOf(name: string): Promise<string> {
    const paths = (await repository.load(name)).manifest.files.map(({ path }) => path);
    assert.equal(paths.length, 4);
    return [...new Set(paths.filter((path) => path !== "SKILL.md").map((path) => path.split("-")[0]))].join();
  }
});

test(`Two processes change one session ${ROUNDS} times each: no message is lost, none is there twice.`, async () => {
  const { location, removePlace } = makePlace("file");
  try {
    // Both create the new file at the same time.
    const written = MARKS.map((mark) => writerProcess("append", location, mark).line());
    assert.deepEqual(await Promise.all(written), ["done", "done"]);
    const database = openDatabase(location);
    const record = await sqliteSessions({ database }).get(SCOPE);
    database.close();
    assert.equal(record?.revision, MARKS.length * ROUNDS);
    const expected = MARKS.flatMap((mark) => Array.from({ length: ROUNDS }, (_, round) => `${mark}${round}`));
    assert.deepEqual([...record.history].map(String).sort(), expected.sort());
  } finally {
    removePlace();
  }
});
