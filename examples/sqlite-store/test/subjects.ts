import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Disposing, SkillSeed } from "@skillwright/contracts";
import type { SessionStore, WritableSkillRepository } from "@skillwright/core";
import { inTransaction } from "../src/in-transaction.ts";
import { openDatabase, sqliteRepository, sqliteSessions } from "../src/index.ts";
import { skillTables } from "../src/skill-tables.ts";
import { type StoredFiles, storedFile } from "../src/uploaded-files.ts";

/** The storage of a subject: its own file, or the memory of this process. */
export type Place = "file" | "memory";

/** A repository with the seed. With a file, changes from outside use another connection. */
export async function repositorySubject(
  place: Place,
  seed: SkillSeed,
): Promise<
  {
    repository: WritableSkillRepository;
    change: (skills: SkillSeed) => Promise<void>;
    location: string;
  } & Disposing
> {
  const { location, removePlace } = makePlace(place);
  const database = openDatabase(location);
  const behind = place === "file" ? openDatabase(location) : database;
  const dispose = async (): Promise<void> => {
    database.close();
    if (behind !== database) behind.close();
    removePlace();
  };
  try {
    fill(behind, seed);
    return {
      repository: sqliteRepository({ database }),
      location,
      change: async (skills) => fill(behind, skills),
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

export async function sessionSubject(place: Place): Promise<{ sessions: SessionStore } & Disposing> {
  const { location, removePlace } = makePlace(place);
  const database = openDatabase(location);
  return {
    sessions: sqliteSessions({ database }),
    dispose: async () => {
      database.close();
      removePlace();
    },
  };
}

export function makePlace(place: Place): { location: string; removePlace: () => void } {
  if (place === "memory") return { location: ":memory:", removePlace: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), "skillwright-sqlite-"));
  return {
    location: join(folder, "skills.sqlite"),
    removePlace: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Makes the tables contain exactly these skills, including broken ones, which an upload would refuse. */
function fill(database: DatabaseSync, skills: SkillSeed): void {
  const tables = skillTables(database);
  inTransaction(database, () => {
    for (const { path } of [...tables.skills(), ...tables.broken()]) tables.putFolder(path, new Map());
    // An outer skill before those inside it, which it would remove.
    for (const path of Object.keys(skills).sort()) tables.putFolder(path, stored(skills[path] ?? {}));
  });
}

function stored(files: SkillSeed[string]): StoredFiles {
  return new Map(
    Object.entries(files).map(([path, file]) => {
      const { content, executable = false } =
        typeof file === "string" || file instanceof Uint8Array ? { content: file } : file;
      return [path, storedFile(Buffer.from(content), executable)];
    }),
  );
}
