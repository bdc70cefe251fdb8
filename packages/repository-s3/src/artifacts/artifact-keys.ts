import { createHash } from "node:crypto";
import type { ArtifactScope } from "@skillwright/core";
import { layout } from "../layout.js";

/** A part of a key as it is; everything else gets a hash. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;
const DIGITS = 9;
const LAST_VERSION = 10 ** DIGITS - 1;

export interface ArtifactKeys {
  /** All records, and all content, each with the same folder for an artifact behind it. */
  readonly allRecords: string;
  readonly allContent: string;
  /** An object that shows whether the server creates objects only where there are none. */
  readonly probe: string;
}

/**
 * Where artifacts are below a prefix. Records and content stand apart: a listing of the one does not meet the other.
 * @throws SkillError `CONFIG_INVALID` for a prefix that is no path.
 */
export function artifactKeys(prefix: string): ArtifactKeys {
  const { own, probe } = layout(prefix);
  return { allRecords: `${own}artifacts/records/`, allContent: `${own}artifacts/content/`, probe };
}

/** `<app>/<user>/<session>/` */
export function scopeFolder({ app, user, session }: ArtifactScope): string {
  return [app, user, session].map((part) => `${keyPart(part)}/`).join("");
}

/** `<app>/<user>/<session>/<name>/`, never the same for two artifacts. The name itself stands in the records. */
export function artifactFolder(scope: ArtifactScope, name: string): string {
  return `${scopeFolder(scope)}${keyPart(name)}/`;
}

/** The last part of a record's key. Higher versions come first, so that a listing of one object has the newest. */
export function versionFile(version: number): string {
  return `${String(LAST_VERSION - version).padStart(DIGITS, "0")}.json`;
}

/** The version whose record this is; `undefined` for whatever else lies there. */
export function versionOf(key: string): number | undefined {
  const digits = /\/(\d{9})\.json$/.exec(key)?.[1];
  return digits === undefined ? undefined : LAST_VERSION - Number(digits);
}

/** Whether there can be a version of that number. */
export function isVersion(version: number): boolean {
  return Number.isInteger(version) && version >= 0 && version <= LAST_VERSION;
}

function keyPart(text: string): string {
  if (PLAIN.test(text)) return text;
  const readable = text.replace(/[^A-Za-z0-9._-]+/g, "_").replace(/^[._-]+/, "");
  // Not of UTF-8: that would make one of all halves of characters.
  const hash = createHash("sha256").update(Buffer.from(text, "utf16le")).digest("hex");
  return `${readable.slice(-40)}~${hash.slice(0, 24)}`;
}
