import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { SessionStore, WritableSkillRepository } from "@skillwright/core";
import type { Disposing, SkillSeed } from "@skillwright/core/testing";
import { inTransaction } from "../src/in-transaction.ts";
import { openDatabase, sqliteRepository, sqliteSessions } from "../src/index.ts";
import { skillTables } from "../src/skill-tables.ts";
import { type StoredFiles, storedFile } from "../src/uploaded-files.ts";

/** Where a subject keeps its data: a file of its own, or the memory of this process. */
export type Place = "file" | "memory";

/** A repository with the seed. In a file, what reaches behind its back is another connection. */
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

/** Makes the tables hold exactly these skills, broken ones too, which no upload would take. */
function fill(database: DatabaseSync, skills: SkillSeed): void {
  const tables = skillTables(database);
  inTransaction(database, () => {
    for (const { path } of [...tables.skills(), ...tables.broken()]) tables.putFolder(path, new Map());
    // An outer skill before the ones inside it, which it would take away.
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
