import { createHash, randomUUID } from "node:crypto";
import type { SkillSeed } from "@skillwright/contracts";
import type { ArtifactStore, RecordStore } from "@skillwright/core";
import { skillRules } from "@skillwright/core/adapter";
import {
  type SqlConnection,
  type SqlDatabase,
  type SqlRepository,
  sqlArtifacts,
  sqlRecords,
  sqlRepository,
} from "../../src/index.js";
import type { StoredFile } from "../../src/skills/file-set.js";
import { putFolder } from "../../src/skills/put-folder.js";

/** Two connections to one database with empty tables, and what removes it. */
export interface FreshDatabase {
  readonly database: SqlDatabase;
  readonly other: SqlDatabase;
  dispose(): Promise<void>;
}

/** Called before each statement. The connection ends where it throws. */
export type Tap = (text: string, values: readonly unknown[]) => void;

/** A database that several processes can open. */
export interface SharedDatabase extends FreshDatabase {
  /** A path or URL, for another process. */
  readonly location: string;
  /** A further connection, whose statements are seen; the tap is called once it is open. */
  tapped(tap: Tap): Promise<SqlDatabase>;
}

/** The subjects of the contract suites, each with a database of its own. */
export function subjects(fresh: () => Promise<FreshDatabase>) {
  async function repository(seed: SkillSeed): Promise<{
    repository: SqlRepository;
    change(skills: SkillSeed): Promise<void>;
    dispose(): Promise<void>;
  }> {
    const { database, other, dispose } = await fresh();
    const change = (skills: SkillSeed): Promise<void> => storeExactly(other, skills);
    await change(seed);
    return { repository: sqlRepository({ database }), change, dispose };
  }

  async function artifacts(): Promise<{ artifacts: ArtifactStore; dispose(): Promise<void> }> {
    const { database, dispose } = await fresh();
    return { artifacts: sqlArtifacts({ database }), dispose };
  }

  async function records(): Promise<{ records: RecordStore; other: RecordStore; dispose(): Promise<void> }> {
    const { database, other, dispose } = await fresh();
    return { records: sqlRecords({ database }), other: sqlRecords({ database: other }), dispose };
  }

  return { repository, artifacts, records };
}

/** Stores skills at any path, broken ones too, which no upload would do. */
async function storeExactly(database: SqlDatabase, skills: SkillSeed): Promise<void> {
  await database.transaction(async (connection) => {
    const place = { connection, repository: "skills", rules: skillRules() };
    const folders = await connection.query("SELECT path FROM skillwright_folder");
    for (const { path } of folders) await putFolder(place, String(path), new Map());
    // Sorted, so that an outer skill is stored before the ones inside it.
    for (const path of Object.keys(skills).sort())
      await putFolder(place, path, await storedFiles(connection, skills[path] ?? {}));
  });
}

async function storedFiles(
  connection: SqlConnection,
  skill: SkillSeed[string],
): Promise<Map<string, StoredFile>> {
  const files = new Map<string, StoredFile>();
  for (const [path, file] of Object.entries(skill)) {
    const { content, executable = false } =
      typeof file === "string" || file instanceof Uint8Array ? { content: file } : file;
    const bytes = Buffer.from(content);
    const id = randomUUID();
    if (bytes.byteLength > 0)
      await connection.query(
        "INSERT INTO skillwright_chunk (content, position, bytes, stored_ms) VALUES (?, 0, ?, 0)",
        [id, bytes],
      );
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    files.set(path, { content: id, size: bytes.byteLength, executable, sha256 });
  }
  return files;
}
