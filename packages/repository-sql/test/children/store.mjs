/**
 * Uses the built package as a process of its own: `store.mjs <path or postgres URL> <work> <name>`.
 * - `open` brings the tables up to date.
 * - `write` stores six versions of a skill and of an artifact, and counts to six in a record, with an entry of its log for each.
 * - `record` replaces a record and its logs, prints `stalled` before the statement named, such as `COMMIT`, and waits for its end.
 * - `watch` watches a record, writes it, and leaves the watch and the database open.
 * - `stall` stores 3 MiB of an upload, prints `stalled`, and waits for its end.
 */
import { clearInterval, setInterval } from "node:timers";
import {
  postgresDatabase,
  sqlArtifacts,
  sqliteDatabase,
  sqlRecords,
  sqlRepository,
} from "@skillwright/repository-sql";
import { Pool } from "pg";

const MIB = 1024 * 1024;
const ROUNDS = 6;
const [location = "", work, name] = process.argv.slice(2);
const pool = location.startsWith("postgres:")
  ? new Pool({ connectionString: location, allowExitOnIdle: true })
  : undefined;
const database = pool ? await postgresDatabase({ pool }) : await sqliteDatabase(location);
const RECORD = ["test", "ada", "one"];
const CHANGE = { value: "new", drop: ["old"], append: { log: ["new"] } };
const scope = { app: "test", user: "ada", session: "one" };

if (work === "write") for (let round = 0; round < ROUNDS; round++) await write(`${name} ${round}`);
if (work === "stall")
  await sqlRepository({ database }).upload([skillFile(name), { path: "x", content: stalling() }]);
if (work === "record") await sqlRecords({ database: stallingBefore(name) }).write(RECORD, CHANGE);
if (work === "watch") await watched(sqlRecords({ database }));
console.log("done");
if (work !== "watch") await database.close();
if (work !== "watch") await pool?.end();

async function write(text) {
  await sqlRepository({ database }).upload([skillFile(text)]);
  await sqlArtifacts({ database }).save(scope, "report", text);
  await count(text);
}

async function count(text) {
  const records = sqlRecords({ database });
  let written;
  while (written === undefined) {
    const { value = 0, revision = null } = await records.get(RECORD);
    written = await records.write(RECORD, { from: revision, value: value + 1, append: { log: [text] } });
  }
}

function skillFile(text) {
  return { path: "SKILL.md", content: `---\nname: shared\ndescription: By two.\n---\n${text}\n` };
}

async function* stalling() {
  for (let index = 0; index < 3; index++) yield Buffer.alloc(MIB, index + 1);
  await stall();
}

/** The database, which waits for ever before a statement that begins like this in a transaction, or before its end. */
function stallingBefore(start) {
  const transaction = (work) =>
    database.transaction(async (connection) => {
      const query = async (text, values) => {
        if (text.startsWith(start)) await stall();
        return await connection.query(text, values);
      };
      const result = await work({ query });
      if (start === "COMMIT") await stall();
      return result;
    });
  return { ...database, transaction };
}

async function stall() {
  console.log("stalled");
  // Keeps the process alive until it is killed.
  setInterval(() => undefined, 1_000_000);
  await new Promise(() => undefined);
}

async function watched(records) {
  // Keeps the process alive until the change is told.
  const alive = setInterval(() => undefined, 1_000_000);
  await new Promise((resolve) => {
    records.watch(RECORD, (event) => event === "value" && resolve());
    records.watch(RECORD, (event) => event === "any" && void records.write(RECORD, CHANGE));
    void records.write(RECORD, CHANGE);
  });
  clearInterval(alive);
}
