import type { Migration } from "./migrations.js";

/**
 * Tables of the skills. A set of files is immutable. A folder row stands for an uploaded folder that is in no other one;
 * its skills are parsed when it is stored, so that a listing reads one table. A version refers to a set, or to the files
 * of a set below `inside`.
 */
export const skillTables: Migration = ({ text, bytes, integer }) => [
  `CREATE TABLE skillwright_repository (
    name ${text} PRIMARY KEY,
    revision ${integer} NOT NULL
  )`,
  `CREATE TABLE skillwright_chunk (
    content ${text} NOT NULL,
    position ${integer} NOT NULL,
    stored_ms ${integer} NOT NULL,
    bytes ${bytes} NOT NULL,
    PRIMARY KEY (content, position)
  )`,
  "CREATE INDEX skillwright_chunk_by_age ON skillwright_chunk (stored_ms)",
  `CREATE TABLE skillwright_file (
    file_set ${text} NOT NULL,
    path ${text} NOT NULL,
    size ${integer} NOT NULL,
    executable ${integer} NOT NULL,
    sha256 ${text} NOT NULL,
    content ${text} NOT NULL,
    PRIMARY KEY (file_set, path)
  )`,
  "CREATE INDEX skillwright_file_by_content ON skillwright_file (content)",
  `CREATE TABLE skillwright_folder (
    repository ${text} NOT NULL,
    path ${text} NOT NULL,
    file_set ${text} NOT NULL,
    PRIMARY KEY (repository, path)
  )`,
  "CREATE INDEX skillwright_folder_by_set ON skillwright_folder (file_set)",
  `CREATE TABLE skillwright_skill (
    repository ${text} NOT NULL,
    path ${text} NOT NULL,
    name ${text},
    version ${integer},
    summary ${text} NOT NULL,
    PRIMARY KEY (repository, path)
  )`,
  "CREATE INDEX skillwright_skill_by_name ON skillwright_skill (repository, name, path)",
  `CREATE TABLE skillwright_version (
    repository ${text} NOT NULL,
    name ${text} NOT NULL,
    version ${integer} NOT NULL,
    digest ${text} NOT NULL,
    created_at ${text} NOT NULL,
    file_set ${text} NOT NULL,
    inside ${text} NOT NULL,
    summary ${text} NOT NULL,
    contents ${text} NOT NULL,
    PRIMARY KEY (repository, name, version)
  )`,
  "CREATE INDEX skillwright_version_by_set ON skillwright_version (file_set)",
  `CREATE TABLE skillwright_deletion (
    repository ${text} NOT NULL,
    deleted_ms ${integer} NOT NULL,
    name ${text} NOT NULL,
    path ${text} NOT NULL,
    file_set ${text} NOT NULL,
    inside ${text} NOT NULL,
    PRIMARY KEY (repository, deleted_ms)
  )`,
  "CREATE INDEX skillwright_deletion_by_set ON skillwright_deletion (file_set)",
];
