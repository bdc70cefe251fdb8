import { type Diagnostic, isContainedPath } from "@skillwright/core";
import { type IndexDiagnosticCode, indexDiagnostic } from "../index-diagnostics.js";
import { isDigest } from "./byte-digest.js";
import type { SkillSource } from "./skill-source.js";

export type ReadEntry =
  | { readonly verdict: "take"; readonly source: SkillSource }
  | { readonly verdict: "leave" | "refuse"; readonly diagnostic: Diagnostic };

export interface EntryPlace {
  readonly version: "0.1" | "0.2";
  /** URL of the index. */
  readonly url: URL;
  /** Path in the index, for diagnostics. */
  readonly path: string;
}

interface Fields {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly url?: unknown;
  readonly digest?: unknown;
  readonly files?: unknown;
}

const MAX_URL_LENGTH = 2048;
const MAX_NAME_LENGTH = 64;

/** Parses one entry of an index. Its name becomes a folder's name, so only plain ASCII is accepted. */
export function indexEntry(entry: unknown, place: EntryPlace): ReadEntry {
  if (typeof entry !== "object" || entry === null) return refuse("index.entry", "it is no object");
  const fields = entry as Fields;
  const { name } = fields;
  if (!isSlug(name)) return refuse("index.name", shown(name));
  return place.version === "0.1" ? listedEntry(name, fields) : digestedEntry(name, fields);

  function listedEntry(name: string, { files }: Fields): ReadEntry {
    if (!Array.isArray(files)) return refuse("index.files", `"${name}"`);
    const strange = files.find((file) => typeof file !== "string" || !isContainedPath(file));
    if (strange !== undefined) return refuse("index.files", `"${name}" has ${shown(strange)}`);
    const folder = new URL(`${name}/`, place.url);
    return { verdict: "take", source: { kind: "files", path: name, folder, files } };
  }

  function digestedEntry(name: string, { type, url, digest }: Fields): ReadEntry {
    if (type !== "archive" && type !== "skill-md") {
      const diagnostic = indexDiagnostic("index.type", place.path, `"${name}" is of type ${shown(type)}`);
      return { verdict: "leave", diagnostic };
    }
    if (typeof digest !== "string" || !isDigest(digest)) return refuse("index.digest", `"${name}"`);
    const address = addressOf(url);
    if (!address) return refuse("index.url", `"${name}"`);
    return { verdict: "take", source: { kind: type, path: name, url: address, digest } };
  }

  function addressOf(url: unknown): URL | undefined {
    if (typeof url !== "string" || url === "" || url.length > MAX_URL_LENGTH) return undefined;
    if (!URL.canParse(url, place.url.href)) return undefined;
    const address = new URL(url, place.url);
    address.hash = "";
    return address;
  }

  function refuse(code: IndexDiagnosticCode, about: string): ReadEntry {
    return { verdict: "refuse", diagnostic: indexDiagnostic(code, place.path, about) };
  }
}

function isSlug(name: unknown): name is string {
  return (
    typeof name === "string" && name.length <= MAX_NAME_LENGTH && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)
  );
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 100);
}
