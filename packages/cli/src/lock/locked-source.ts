import { relative, resolve, sep } from "node:path";
import { openSkillSource, type SkillSource, type SourceClients, skillSource } from "@skillwright/config";
import { SkillError, type SkillRepository } from "@skillwright/core";

/**
 * Converts a source to its form in a lock file: a folder, archive or SQLite file relative to the lock file's, with `/` between parts, everything else
 * as given.
 * @throws SkillError `CONFIG_INVALID` for an invalid source, and for a URL with a password or a query, which must not
 * be in a shared file; `REFUSED` for an MCP server that is a program.
 */
export function sourceForLock(text: string, cwd: string, directory: string): string {
  const source = skillSource(text);
  checkStartsNothing(source);
  if (source.kind === "folder" || source.kind === "archive") return portable(source.path);
  if (source.kind === "sqlite")
    return `sqlite:${portable(source.path)}${source.name === undefined ? "" : `#${source.name}`}`;
  if ("url" in source && hasCredentials(source.url))
    throw new SkillError(
      "CONFIG_INVALID",
      "The source address contains credentials or a query, which must not be stored in the lock file. Remove them; git uses its credential helpers.",
    );
  return text.trim();

  function portable(path: string): string {
    const inLock = relative(directory, resolve(cwd, path)).split(sep).join("/");
    return inLock.startsWith("../") || inLock === ".." ? inLock : `./${inLock}`;
  }
}

/**
 * Opens the repository of a source as written in the file. @throws SkillError as `openSkillSource`; `REFUSED` for a program, which
 * whoever wrote the file would choose.
 */
export async function openLockedSource(
  { source, version }: { readonly source: string; readonly version?: string | undefined },
  directory: string,
  clients: SourceClients,
): Promise<SkillRepository> {
  checkStartsNothing(skillSource(source));
  return await openSkillSource(source, { cwd: directory, clients, version });
}

function hasCredentials(url: string): boolean {
  // The user in an address of SSH or of a database is no secret; in a web address it may be a token.
  const user = /^https?:/i.test(url) ? /:\/\/[^/@]*@/ : /:\/\/[^/@]*:[^/@]*@/;
  return user.test(url) || url.includes("?");
}

function checkStartsNothing(source: SkillSource): void {
  if (source.kind === "mcp" && "command" in source)
    throw new SkillError(
      "REFUSED",
      "A lock file names no programs, because everybody who installs from it would start them. Name the MCP server in the configuration, or lock its address with mcp+https://.",
    );
}
