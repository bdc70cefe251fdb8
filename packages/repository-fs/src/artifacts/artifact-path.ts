import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ArtifactScope } from "@skillwright/core";
import { OWN_PREFIX } from "../files/own-names.js";

/** A name that is used as its own directory name: the same on every file system, and never a version's name. */
const PLAIN = /^[a-z0-9][a-z0-9._-]{0,79}$/;
const MAX_FOLDERS = 16;

/** The directory of a scope below the root. */
export function scopeFolder({ app, user, session }: ArtifactScope): string {
  return join(folderName(app), folderName(user), folderName(session));
}

/**
 * The directory of an artifact below its scope's: one directory per part of the name. Two names never share a
 * directory, even on a case-insensitive file system. The name itself is stored in the record.
 */
export function artifactFolder(name: string): string {
  const parts = name.split("/");
  if (parts.length > MAX_FOLDERS || name.length > 400) return hashedName(parts.at(-1) ?? "", `/${name}`);
  return join(...parts.map(folderName));
}

/** The file name in a version's directory: the artifact's real name, unless this package reserves it. */
export function contentFile(name: string): string {
  const base = name.slice(name.lastIndexOf("/") + 1);
  return base.startsWith(OWN_PREFIX) ? base.slice(1) : base;
}

/**
 * Keeps plain names; others become readable names with a hash of the original. The result never looks like a version or
 * a reserved name.
 */
function folderName(part: string): string {
  const isOwn = PLAIN.test(part) && !/^v\d+$/.test(part) && !part.endsWith(".");
  return isOwn ? part : hashedName(part, part);
}

function hashedName(shown: string, whole: string): string {
  const readable = [
    ...shown
      .toLowerCase()
      .replace(/[^\p{L}\p{N}._-]+/gu, "_")
      .replace(/^[.-]+/, ""),
  ];
  // Hashed as UTF-16, since UTF-8 would turn all lone surrogates into the same character.
  const hash = createHash("sha256").update(Buffer.from(whole, "utf16le")).digest("hex");
  return `${readable.slice(0, 40).join("")}~${hash.slice(0, 20)}`;
}
