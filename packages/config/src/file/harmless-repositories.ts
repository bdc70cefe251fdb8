import { relative, resolve, sep } from "node:path";
import { skillSource, withoutCredentials } from "../sources/skill-source.js";
import type { ConfigurationFile } from "./configuration-file.js";

type Repositories = NonNullable<NonNullable<ConfigurationFile["skills"]>["repositories"]>;

const LONGEST_NAME = 48;

/**
 * Only the folders and archives inside the project. Other sources could cause network access with the user's keys, or start a
 * program: buckets, sites, databases, Git in all its forms, MCP servers, and folders outside, which may be network mounts.
 * @param tell Called with the field and the reason for each source that is left out.
 */
export function harmlessRepositories(
  given: Repositories,
  project: string,
  tell: (field: string, why: string) => void,
): Repositories {
  const kept = Object.entries(given).filter(([name, entry]) => {
    const why = reasonAgainst(name, typeof entry === "string" ? entry : entry.source, project);
    if (why !== undefined) tell(`skills.repositories.${shownName(name)}`, why);
    return why === undefined;
  });
  return Object.fromEntries(kept);
}

function reasonAgainst(name: string, source: string, project: string): string | undefined {
  if (shownName(name) !== name)
    return `a name has at most ${LONGEST_NAME} printable characters and no spaces at its ends`;
  let read: ReturnType<typeof skillSource>;
  try {
    read = skillSource(source);
  } catch (error) {
    return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
  }
  if (read.kind === "sqlite")
    return "a database is opened, and changed by that, only where the project is trusted";
  if (read.kind === "mcp" && "command" in read)
    return `${withoutCredentials(source).slice(0, 120)} is a program and would be started without asking`;
  if (read.kind !== "folder" && read.kind !== "archive")
    return `${withoutCredentials(source).slice(0, 120)} is not local and would be contacted without asking`;
  const path = relative(project, resolve(project, read.path));
  const isInside = path !== ".." && !path.startsWith(`..${sep}`) && !/^~(\/|$)/.test(read.path);
  return isInside
    ? undefined
    : `the ${read.kind} ${JSON.stringify(read.path.slice(0, 120))} is outside of the project`;
}

function shownName(name: string): string {
  return [...name.replace(/\p{C}/gu, "?").trim()].slice(0, LONGEST_NAME).join("");
}
