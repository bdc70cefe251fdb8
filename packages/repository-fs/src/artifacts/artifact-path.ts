import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ArtifactScope } from "@skillwright/core";
import { OWN_PREFIX } from "../files/own-names.js";

/** A name that is its own folder: the same on every file system, and no version's. */
const PLAIN = /^[a-z0-9][a-z0-9._-]{0,79}$/;
const MAX_FOLDERS = 16;

/** The folder of a scope below the root. */
export function scopeFolder({ app, user, session }: ArtifactScope): string {
  return join(folderName(app), folderName(user), folderName(session));
}

/**
 * The folder of an artifact below its scope's: one folder a part of the name. Two names never get one folder, also where
 * the file system takes capitals and small letters for the same. The name itself stands in the record.
 */
export function artifactFolder(name: string): string {
  const parts = name.split("/");
  if (parts.length > MAX_FOLDERS || name.length > 400) return hashedName(parts.at(-1) ?? "", `/${name}`);
  return join(...parts.map(folderName));
}

/** The file in a version's folder: its real name, but for the one that this package needs there itself. */
export function contentFile(name: string): string {
  const base = name.slice(name.lastIndexOf("/") + 1);
  return base.startsWith(OWN_PREFIX) ? base.slice(1) : base;
}

/** Plain names as they are; others readable, with a hash of what they were. Neither looks like a version or is our own. */
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
  // Not of UTF-8: that would make one of all halves of characters.
  const hash = createHash("sha256").update(Buffer.from(whole, "utf16le")).digest("hex");
  return `${readable.slice(0, 40).join("")}~${hash.slice(0, 20)}`;
}
