/**
 * Counts in a record of the store in LMDB, as a process of its own: `count.mjs <directory> <name> <rounds>`. Each round adds one to the
 * value, and one entry to each of two logs, in one write.
 */
import { open } from "lmdb";
import { lmdbRecords } from "../../../examples/own-records/lmdb-records.ts";

const [path = "", name = "", rounds] = process.argv.slice(2);
const KEY = ["test", "counted"];
const database = open({ path });
const records = lmdbRecords({ database });
for (let round = 0; round < Number(rounds); round++) {
  let revision;
  while (revision === undefined) {
    const { value = 0, revision: from = null } = await records.get(KEY);
    const entry = `${name} ${round}`;
    revision = await records.write(KEY, { from, value: value + 1, append: { one: [entry], two: [entry] } });
  }
}
await records.close();
await database.close();
