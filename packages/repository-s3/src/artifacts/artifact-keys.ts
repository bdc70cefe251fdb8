import { createHash } from "node:crypto";
import type { ArtifactScope } from "@skillwright/core";
import { layout } from "../layout.js";

/** A key part that is used unchanged; every other part gets a hash. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;
const DIGITS = 9;
const LAST_VERSION = 10 ** DIGITS - 1;

export interface ArtifactKeys {
  /** Prefixes of all records and of all content, each followed by the same folder for an artifact. */
  readonly allRecords: string;
  readonly allContent: string;
  /** An object used to test whether the server supports creating objects only where there are none. */
  readonly probe: string;
}

/**
 * Keys of artifacts below a prefix. Records and content have separate prefixes, so that listing one does not include
 * the other.
 * @throws SkillError `CONFIG_INVALID` for an invalid prefix.
 */
export function artifactKeys(prefix: string): ArtifactKeys {
  const { own } = layout(prefix);
  return {
    allRecords: `${own}artifacts/records/`,
    allContent: `${own}artifacts/content/`,
    probe: `${own}artifacts/probe`,
  };
}

/** `<app>/<user>/<session>/` */
export function scopeFolder({ app, user, session }: ArtifactScope): string {
  return [app, user, session].map((part) => `${keyPart(part)}/`).join("");
}

/** `<app>/<user>/<session>/<name>/`, unique for each artifact. The name itself is stored in the records. */
export function artifactFolder(scope: ArtifactScope, name: string): string {
  return `${scopeFolder(scope)}${keyPart(name)}/`;
}

/** The last part of a record's key. Higher versions sort first, so that listing a single object returns the newest. */
export function versionFile(version: number): string {
  return `${String(LAST_VERSION - version).padStart(DIGITS, "0")}.json`;
}

/** The version of a record's key; `undefined` for any other key. */
export function versionOf(key: string): number | undefined {
  const digits = /\/(\d{9})\.json$/.exec(key)?.[1];
  return digits === undefined ? undefined : LAST_VERSION - Number(digits);
}

/** True where a version can have that number. */
export function isVersion(version: number): boolean {
  return Number.isInteger(version) && version >= 0 && version <= LAST_VERSION;
}

function keyPart(text: string): string {
  if (PLAIN.test(text)) return text;
  const readable = text.replace(/[^A-Za-z0-9._-]+/g, "_").replace(/^[._-]+/, "");
  // Hashed as UTF-16, since UTF-8 would turn all lone surrogates into the same character.
  const hash = createHash("sha256").update(Buffer.from(text, "utf16le")).digest("hex");
  return `${readable.slice(-40)}~${hash.slice(0, 24)}`;
}
