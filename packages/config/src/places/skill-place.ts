import { resolve } from "node:path";
import type { Secret } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import { absoluteSource } from "../sources/absolute-source.js";
import { isMcpServer, type SkillSource, skillSource, withoutCredentials } from "../sources/skill-source.js";

/** Kinds of places, highest precedence first. */
export type StandardPlaceKind =
  | "given"
  | "environment"
  | "repository"
  | "project"
  | "user"
  | "plugin"
  | "package"
  | "bundled";

/** A folder with skills or a remote source, and whether it is trusted. */
export interface SkillPlace {
  readonly kind: StandardPlaceKind;
  /** Name of its source in the catalogue, at most 64 characters. */
  readonly source: string;
  /** Absolute path; for a remote source, its text without credentials. */
  readonly root: string;
  /** Present for a remote source, a database or an archive: `s3://bucket/prefix` and similar. */
  readonly remote?: string;
  /** False for what came with the project: its folders, its plugins and its packages. */
  readonly trusted: boolean;
  /** Absolute folders outside of `root` that links in it may lead to. */
  readonly linkRoots?: readonly string[];
  /** Absolute folders of the other places: a link into one of them adds nothing. */
  readonly listedRoots?: readonly string[];
  /** Variables of an MCP server that is started. */
  readonly environment?: Readonly<Record<string, string | Secret>>;
  /** False for an MCP server, whose skills take no name of another place's. */
  readonly hidesOthers?: false;
  /** False where the folder does not exist. Remote sources and archives are not checked. */
  readonly found: boolean;
}

/** A folder that is looked for. */
export function skillPlace(kind: StandardPlaceKind, name: string, root: string, trusted = true): SkillPlace {
  return { kind, source: sourceName(name), root, trusted, found: false };
}

/** A place named in one line of text; a folder is relative to `cwd`. */
export function namedPlace(
  kind: StandardPlaceKind,
  { name, text, cwd, trusted = !isMcpServer(text), environment }: NamedPlace,
): SkillPlace {
  const read = sourceOf(kind, text);
  if (read?.kind === "folder") return skillPlace(kind, name, resolve(cwd, read.path), trusted);
  // The clients open it later from the working directory, which may be another one.
  const remote = read ? absoluteSource(text, cwd) : text;
  return {
    ...skillPlace(kind, name, withoutCredentials(remote), trusted),
    ...{ remote, found: true },
    ...(environment && { environment }),
    ...(isMcpServer(text) && { hidesOthers: false as const }),
  };
}

/** `undefined` for an invalid source in the configuration, which is reported where it is opened. */
function sourceOf(kind: StandardPlaceKind, text: string): SkillSource | undefined {
  try {
    return skillSource(text);
  } catch (error) {
    if (kind !== "repository") throw error;
    return undefined;
  }
}

interface NamedPlace {
  readonly name: string;
  readonly text: string;
  readonly cwd: string;
  /** Defaults to true, except for an MCP server. */
  readonly trusted?: boolean;
  readonly environment?: SkillPlace["environment"];
}

/** True where the place was named by flag, variable or configuration: a missing one is then reported. */
export function wasAsked({ kind }: SkillPlace): boolean {
  return kind === "given" || kind === "environment" || kind === "repository";
}

const LONGEST_NAME = 64;

/** Returns the name, with a number if another place has it already: the ends of long paths may be the same. */
export function unusedName(name: string, used: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : ` (${number})`;
    const numbered = [...name].slice(0, LONGEST_NAME - suffix.length).join("") + suffix;
    if (!used.has(numbered)) return numbered;
  }
}

/**
 * Turns any text into the name of a source: control characters are written out, and a long text is shortened to how the
 * place was named and the end of its path.
 */
function sourceName(given: string): string {
  const name = shownLine(given).trim();
  if ([...name].length <= LONGEST_NAME) return name;
  const by = name.slice(0, name.indexOf(" ") + 1);
  const end = [...name].slice(by.length + 1 - LONGEST_NAME).join("");
  return `${by}…${end}`;
}
