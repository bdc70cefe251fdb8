/** Stores a skill and a count of visits in a file: run `node src/main.ts skills.sqlite` several times. */
import { openDatabase, sqliteRepository, sqliteSessions } from "./index.ts";

const GREETER = "---\nname: greeter\ndescription: Greets everybody in a list.\n---\nRun greet.sh.\n";

const database = openDatabase(process.argv[2] ?? ":memory:");
const skills = sqliteRepository({ database });
const { digest } = await skills.upload([
  { path: "SKILL.md", content: GREETER },
  { path: "greet.sh", content: "sed 's/^/Hello, /' \"$1\"\n", executable: true },
]);
console.log(`Stored ${(await skills.list()).skills.map(({ name }) => name).join(", ")}: ${digest}`);

const sessions = sqliteSessions({ database });
const scope = { app: "example", user: "you", session: "visits" };
const { revision: from } = (await sessions.get(scope)) ?? { revision: 0 };
const { revision } = await sessions.update(scope, { from, append: [new Date().toISOString()] });
console.log(`Visit ${revision}`);
database.close();
