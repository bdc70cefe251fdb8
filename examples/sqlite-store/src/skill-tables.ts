import type { DatabaseSync } from "node:sqlite";
import type { BrokenSkill, ManifestFile, Skill, SkillSummary } from "@skillwright/core";
import { isSkillFile, storedSkill } from "./stored-skill.ts";
import type { StoredFiles } from "./uploaded-files.ts";

/** The tables `file` and `skill`: every file by its path from the top, and the parsed content of each SKILL.md. */
export interface SkillTables {
  /** Sorted by name, then path. */
  skills(): SkillSummary[];
  /** Sorted by path. */
  broken(): BrokenSkill[];
  /** Finds by name, the first path if two have the name; otherwise by path. */
  find(nameOrPath: string): Skill | BrokenSkill | undefined;
  /** The bytes of the file at this path from the top. */
  content(path: string): Uint8Array | undefined;
  /** True for a directory that contains anything. */
  hasFolder(path: string): boolean;
  /** Replaces the files of the directory with these; without files, removes it. Call it in a transaction. */
  putFolder(path: string, files: StoredFiles): void;
}

interface SkillRow {
  readonly summary: string;
  readonly contents: string | null;
}

export function skillTables(database: DatabaseSync): SkillTables {
  const listed = database.prepare("SELECT summary FROM skill WHERE name IS NOT NULL ORDER BY name, path");
  const broken = database.prepare("SELECT summary FROM skill WHERE name IS NULL ORDER BY path");
  const found = database.prepare(
    "SELECT summary, contents FROM skill WHERE name = :name OR path = :name ORDER BY name IS NOT :name, path LIMIT 1",
  );
  const content = database.prepare("SELECT content FROM file WHERE path = ?");
  // Everything below a directory is between its name with a slash and its name with the character after the slash.
  const below = database.prepare(
    "SELECT path, size, executable, sha256 FROM file WHERE path > :folder || '/' AND path < :folder || '0' ORDER BY path",
  );
  const clearFiles = database.prepare(
    "DELETE FROM file WHERE path > :folder || '/' AND path < :folder || '0'",
  );
  const clearSkills = database.prepare(
    "DELETE FROM skill WHERE path = :folder OR (path > :folder || '/' AND path < :folder || '0')",
  );
  const addFile = database.prepare(
    "INSERT INTO file (path, size, executable, sha256, content) VALUES (?, ?, ?, ?, ?)",
  );
  const putSkill = database.prepare(
    "INSERT OR REPLACE INTO skill (path, name, summary, contents) VALUES (?, ?, ?, ?)",
  );

  return {
    skills: () => listed.all().map((row) => JSON.parse(String(row["summary"])) as SkillSummary),

    broken: () => broken.all().map((row) => JSON.parse(String(row["summary"])) as BrokenSkill),

    find(nameOrPath) {
      const row = found.get({ name: nameOrPath }) as SkillRow | undefined;
      return row && { ...JSON.parse(row.summary), ...JSON.parse(row.contents ?? "{}") };
    },

    content: (path) => content.get(path)?.["content"] as Uint8Array | undefined,

    hasFolder: (path) => below.get({ folder: path }) !== undefined,

    putFolder(path, files) {
      clearFiles.run({ folder: path });
      clearSkills.run({ folder: path });
      for (const [file, { bytes, executable, sha256 }] of files)
        addFile.run(`${path}/${file}`, bytes.byteLength, Number(executable), sha256, bytes);
      const inside = filesBelow(path).map((file) => `${path}/${file.path}`);
      for (const file of inside.filter(isSkillFile)) readSkill(file.slice(0, -"/SKILL.md".length));
      // Files of a skill inside another one's directory belong to both.
      for (const parent of parentsOf(path)) readSkill(parent);
    },
  };

  function readSkill(path: string): void {
    const skillFile = content.get(`${path}/SKILL.md`)?.["content"];
    if (!(skillFile instanceof Uint8Array)) return;
    const skill = storedSkill(path, skillFile, filesBelow(path));
    if ("manifest" in skill) {
      const { body, manifest, ...summary } = skill;
      putSkill.run(path, skill.name, JSON.stringify(summary), JSON.stringify({ body, manifest }));
    } else putSkill.run(path, null, JSON.stringify(skill), null);
  }

  function filesBelow(folder: string): ManifestFile[] {
    return below.all({ folder }).map(({ path, size, executable, sha256 }) => ({
      path: String(path).slice(folder.length + 1),
      size: Number(size),
      executable: executable === 1,
      sha256: String(sha256),
    }));
  }
}

function parentsOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
