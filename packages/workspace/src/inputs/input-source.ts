import { isAbsolute } from "node:path";
import { containedPath, SkillError } from "@skillwright/core";

export interface ArtifactReference {
  readonly name: string;
  /** Missing means the newest. */
  readonly version?: number;
}

/** The source of an input, parsed from its URI. Nothing is decoded: `%2e` stays three characters. */
export type InputSource =
  | { readonly scheme: "artifact"; readonly reference: ArtifactReference }
  | { readonly scheme: "host"; readonly path: string }
  | { readonly scheme: "workspace"; readonly path: string }
  | { readonly scheme: "skill"; readonly skill: string; readonly path: string };

/**
 * Parses the URI exactly as written, without repairs.
 * @throws SkillError `INPUT_INVALID` for another scheme, one in capital letters, surrounding blanks, a host
 * path without a leading slash, `artifact://@123` and empty parts; `PATH_OUTSIDE`, `PATH_INVALID` for the name
 * of an artifact.
 */
export function inputSource(from: string): InputSource {
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/s.exec(typeof from === "string" ? from.trim() : "");
  const [, scheme = "", rest = ""] = match ?? [];
  if (match && from !== from.trim()) throw invalid(from, "it has spaces at its ends");
  switch (scheme) {
    case "artifact":
      return { scheme: "artifact", reference: artifactReference(from, rest) };
    case "host":
      return { scheme: "host", path: hostPath(from, rest) };
    case "workspace":
      return { scheme: "workspace", path: required(from, rest) };
    case "skill":
      return { scheme: "skill", ...skillPath(from, rest) };
    default:
      throw invalid(from, isKnown(scheme) ? "its scheme has upper-case letters" : "its scheme is unknown");
  }
}

function isKnown(scheme: string): boolean {
  return /^(?:artifact|host|workspace|skill)$/i.test(scheme);
}

function hostPath(from: string, rest: string): string {
  if (!isAbsolute(required(from, rest)))
    throw invalid(from, "a host path must be absolute, so three slashes follow host:");
  return rest;
}

function artifactReference(from: string, rest: string): ArtifactReference {
  if (/^@\d+$/.test(rest)) throw invalid(from, "it has a version but no name");
  const reference = parseArtifactReference(required(from, rest));
  // No artifact can have such a name; a store would only report it as missing.
  containedPath(reference.name);
  return reference;
}

/** Only a trailing `@` and digits after at least one character is a version. */
export function parseArtifactReference(text: string): ArtifactReference {
  const match = /^(.+)@(\d{1,9})$/s.exec(text);
  return match?.[1] && match[2] ? { name: match[1], version: Number(match[2]) } : { name: text };
}

function skillPath(from: string, rest: string): { skill: string; path: string } {
  const slash = rest.indexOf("/");
  if (slash <= 0 || slash === rest.length - 1) throw invalid(from, "it names no file of a skill");
  return { skill: rest.slice(0, slash), path: rest.slice(slash + 1) };
}

function required(from: string, rest: string): string {
  if (rest.trim() === "") throw invalid(from, "nothing follows the scheme");
  return rest;
}

function invalid(from: unknown, why: string): SkillError {
  const shown = JSON.stringify(String(from).slice(0, 200));
  return new SkillError(
    "INPUT_INVALID",
    `The input ${shown} cannot be used: ${why}. Write artifact://name[@version], host:///absolute/path, ` +
      "workspace://relative/path or skill://name/relative/path.",
    { details: { from: String(from).slice(0, 1024) } },
  );
}
