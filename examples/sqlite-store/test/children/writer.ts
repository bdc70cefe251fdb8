/** A process that writes: `node writer.ts JOB LOCATION MARK`. It prints a line when the job, or half of it, is done. */
import { writeSync } from "node:fs";
import { skillMarkdown } from "@skillwright/contracts";
import { SkillError } from "@skillwright/core";
import { inTransaction } from "../../src/in-transaction.ts";
import { openDatabase, sqliteRepository, sqliteSessions } from "../../src/index.ts";
import { skillTables } from "../../src/skill-tables.ts";
import { type StoredFiles, storedFile } from "../../src/uploaded-files.ts";
import { ROUNDS, SCOPE } from "../rounds.ts";

const [job = "", location = "", mark = ""] = process.argv.slice(2);
const database = openDatabase(location);
const jobs: Readonly<Record<string, () => Promise<void>>> = { replace, append, halt, haltCareless };
await jobs[job]?.();
database.close();
writeSync(1, "done\n");

/** Replaces one skill repeatedly, each time with new file names. */
async function replace(): Promise<void> {
  const repository = sqliteRepository({ database });
  for (let round = 0; round < ROUNDS; round++) {
    const marked = ["a", "b", "c"].map((name) => ({ path: `${mark}${round}-${name}.md`, content: name }));
    await repository.upload([{ path: "SKILL.md", content: skillMarkdown("one") }, ...marked]);
  }
}

/** Adds a message repeatedly; after a conflict it reads again and repeats the change. */
async function append(): Promise<void> {
  const sessions = sqliteSessions({ database });
  for (let round = 0; round < ROUNDS; ) {
    const from = (await sessions.get(SCOPE))?.revision ?? 0;
    try {
      await sessions.update(SCOPE, { from, append: [`${mark}${round}`] });
      round++;
    } catch (error) {
      if (!SkillError.is(error, "CONFLICT")) throw error;
    }
  }
}

/** Stops forever between two files of an upload. */
async function halt(): Promise<void> {
  inTransaction(database, () => skillTables(database).putFolder("one", halting()));
}

/** The same without a transaction, as a careless adapter would do. */
async function haltCareless(): Promise<void> {
  skillTables(database).putFolder("one", halting());
}

function halting(): StoredFiles {
  const skillFile = storedFile(Buffer.from(skillMarkdown("one", { body: "New." })), false);
  return Object.assign(new Map([["SKILL.md", skillFile]]), {
    *[Symbol.iterator]() {
      yield ["SKILL.md", skillFile];
      writeSync(1, "half\n");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    },
  });
}
