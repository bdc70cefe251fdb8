import { isContainedPath } from "@skillwright/core";

const SKILL_FILE = "/SKILL.md";
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** The part of a SKILL.md's address that all files of the skill share, with its `/`; `undefined` for any other address. */
export function rootOf(uri: string): string | undefined {
  const place = uri.replace(SCHEME, "");
  return place !== uri && uri.endsWith(SKILL_FILE) && place.length > SKILL_FILE.length
    ? uri.slice(0, -"SKILL.md".length)
    : undefined;
}

/** The skill's path in the repository: what its address has between `scheme://` and `/SKILL.md`, decoded where that is a path. */
export function placeOf(root: string): string {
  const written = root.replace(SCHEME, "").slice(0, -1);
  const place = decoded(written);
  return isContainedPath(place) ? place : written;
}

/** Decodes each part, except for one that would become several, which stays as written. */
export function decoded(path: string): string {
  return path
    .split("/")
    .map((part) => {
      const plain = decodedPart(part);
      return plain.includes("/") ? part : plain;
    })
    .join("/");
}

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
