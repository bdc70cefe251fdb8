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
  /** Written to see whether the server honours `If-None-Match`. */
  readonly probe: string;
  /** Written by earlier releases, which publish without noting the change. Packed heads are not used while it is there. */
  readonly olderProbe: string;
  /** Prefix of the change objects and of the packed heads. In the order of keys, changes come first. */
  readonly heads: string;
  /** A key below `heads` at which there is never an object, to try whether objects may be removed. */
  readonly nothing: string;
  /** Prefix of a skill's records, newest first. */
  recordsOf(name: string): string;
  recordKey(name: string, number: number): string;
  recordIn(folder: string, number: number): string;
  /** `undefined` for a key that does not belong to a record. */
  recordAt(key: string): RecordPlace | undefined;
  /** Key of the change object: written before the record, and removed once packed heads contain that record. */
  changeKey(name: string, number: number): string;
  changeAt(key: string): RecordPlace | undefined;
  /** Packed heads, newest first. */
  packedKey(generation: number): string;
  generationAt(key: string): number | undefined;
  fileKey(name: string, upload: string, sha256: string): string;
  filesOf(name: string): string;
}

interface RecordPlace {
  /** Name of the skill's folder below the prefix of the records. */
  readonly folder: string;
  readonly number: number;
}

const DIGITS = 12;
const LAST = 10 ** DIGITS - 1;
const RECORD = /^([^/]+)\/(\d{12})\.json$/;
const CHANGE = /^([^/]+)\/(\d{12})$/;
const PACKED = /^(\d{12})\.ndjson$/;

/** @throws SkillError `CONFIG_INVALID` for an invalid prefix. */
export function layout(prefix: string): Layout {
  const before = prefixOf(prefix);
  const own = `${before}.skillwright/`;
  const records = `${own}records/`;
  const files = `${own}files/`;
  const heads = `${own}heads/`;
  const [changes, packed] = [`${heads}changes/`, `${heads}packed/`];
  const recordsOf = (name: string): string => `${records}${folderOf(name)}/`;
  const recordIn = (folder: string, number: number): string => `${records}${folder}/${digitsOf(number)}.json`;
  return {
    prefix: before,
    own,
    // "0" is the character after "/".
    behindOwn: `${before}.skillwright0`,
    records,
    files,
    probe: `${heads}probe`,
    olderProbe: `${own}probe`,
    heads,
    nothing: `${heads}nothing`,
    recordsOf,
    recordKey: (name, number) => recordIn(folderOf(name), number),
    recordIn,
    recordAt: (key) => placeIn(RECORD, records, key),
    changeKey: (name, number) => `${changes}${folderOf(name)}/${digitsOf(number)}`,
    changeAt: (key) => placeIn(CHANGE, changes, key),
    packedKey: (generation) => `${packed}${digitsOf(generation)}.ndjson`,
    generationAt(key) {
      const [, digits] = PACKED.exec(key.startsWith(packed) ? key.slice(packed.length) : "") ?? [];
      return digits === undefined ? undefined : LAST - Number(digits);
    },
    filesOf: (name) => `${files}${folderOf(name)}/`,
    fileKey: (name, upload, sha256) => `${files}${folderOf(name)}/${upload}/${sha256}`,
  };
}

/** Counts down, so that the newest is listed first. */
function digitsOf(number: number): string {
  return String(LAST - number).padStart(DIGITS, "0");
}

function placeIn(pattern: RegExp, prefix: string, key: string): RecordPlace | undefined {
  const [, folder, digits] = pattern.exec(key.startsWith(prefix) ? key.slice(prefix.length) : "") ?? [];
  return folder === undefined ? undefined : { folder, number: LAST - Number(digits) };
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
