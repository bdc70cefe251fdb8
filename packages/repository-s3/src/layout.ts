import { hash } from "node:crypto";
import { containedPath, SkillError } from "@skillwright/core";

/** Which key is what. */
export interface Layout {
  /** Before every key: `""`, or a path with `/` at its end. */
  readonly prefix: string;
  /** Before every key that is not a plain file of somebody's. */
  readonly own: string;
  /** The first text behind all own keys, in the order of a listing. */
  readonly behindOwn: string;
  readonly records: string;
  readonly files: string;
  readonly probe: string;
  /** Where the records of a skill are, newest first. */
  recordsOf(name: string): string;
  recordKey(name: string, number: number): string;
  /** `undefined` for a key that is no record's. */
  recordAt(key: string): RecordPlace | undefined;
  fileKey(name: string, upload: string, sha256: string): string;
  filesOf(name: string): string;
}

interface RecordPlace {
  /** The skill's folder among the records. */
  readonly folder: string;
  readonly number: number;
}

const DIGITS = 12;
const LAST = 10 ** DIGITS - 1;
const RECORD = /^([^/]+)\/(\d{12})\.json$/;

/** @throws SkillError `CONFIG_INVALID` for a prefix that is no path. */
export function layout(prefix: string): Layout {
  const before = prefixOf(prefix);
  const own = `${before}.skillwright/`;
  const records = `${own}records/`;
  const files = `${own}files/`;
  const recordsOf = (name: string): string => `${records}${folderOf(name)}/`;
  return {
    prefix: before,
    own,
    // The character after the slash.
    behindOwn: `${before}.skillwright0`,
    records,
    files,
    probe: `${own}probe`,
    recordsOf,
    recordKey: (name, number) => `${recordsOf(name)}${String(LAST - number).padStart(DIGITS, "0")}.json`,
    recordAt(key) {
      const [, folder, digits] = RECORD.exec(key.startsWith(records) ? key.slice(records.length) : "") ?? [];
      return folder === undefined ? undefined : { folder, number: LAST - Number(digits) };
    },
    filesOf: (name) => `${files}${folderOf(name)}/`,
    fileKey: (name, upload, sha256) => `${files}${folderOf(name)}/${upload}/${sha256}`,
  };
}

/** Names that skills may be published under are written as they are; labels of other folders by their hash, which is longer. */
export function folderOf(name: string): string {
  return /^[a-z0-9-]{1,64}$/.test(name) ? name : `x-${hash("sha256", name, "hex")}`;
}

function prefixOf(prefix: string): string {
  const path = prefix.replace(/\/$/, "");
  if (path === "") return "";
  try {
    return `${containedPath(path)}/`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    throw new SkillError("CONFIG_INVALID", `The prefix cannot be used. ${reason}`, { cause: error });
  }
}
