import { hash } from "node:crypto";
import { containedPath, SkillError } from "@skillwright/core";

/** Maps keys to their meaning. */
export interface Layout {
  /** Prefix of every key: `""`, or a path with a trailing `/`. */
  readonly prefix: string;
  /** Prefix of every key that is not a plain file. */
  readonly own: string;
  /** The first text after all of this package's own keys, in listing order. */
  readonly behindOwn: string;
  readonly records: string;
  readonly files: string;
  readonly probe: string;
  /** Prefix of a skill's records, newest first. */
  recordsOf(name: string): string;
  recordKey(name: string, number: number): string;
  /** `undefined` for a key that does not belong to a record. */
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

/** @throws SkillError `CONFIG_INVALID` for an invalid prefix. */
export function layout(prefix: string): Layout {
  const before = prefixOf(prefix);
  const own = `${before}.skillwright/`;
  const records = `${own}records/`;
  const files = `${own}files/`;
  const recordsOf = (name: string): string => `${records}${folderOf(name)}/`;
  return {
    prefix: before,
    own,
    // "0" is the character after "/".
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

/**
 * Names under which skills may be published are used unchanged; labels of other folders become a hash, which is longer.
 */
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
