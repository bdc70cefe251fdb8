import { byteStream, containedPath, type SkillRepository } from "@skillwright/core";
import {
  attempts,
  fileNotFound,
  invalidSkill,
  isSummary,
  pickSkill,
  sharedWork,
  skillListing,
  skillNotFound,
  spanned,
} from "@skillwright/core/adapter";
import type { McpRepositoryOptions } from "./mcp-repository-options.js";
import { mcpSettings } from "./mcp-settings.js";
import { serverConnection } from "./server/server-connection.js";
import { type EntryListing, listEntries } from "./skills/list-entries.js";
import { loadSkill } from "./skills/load-skill.js";
import type { OfferedSkill } from "./skills/offered-skill.js";
import { readFile } from "./skills/read-file.js";

/**
 * The skills that a server offers over MCP, with the extension `io.modelcontextprotocol/skills` (SEP-2640, beta), whose digests
 * are verified. Read-only. Treat it as untrusted, as `{ repository, trusted: false, hidesOthers: false }` of a SkillBox does.
 *
 * The server is started, or contacted, by the first call that reads, and once more after it has ended. A listing has one request
 * for each page and reads no file; it is kept until `refresh`, and a refresh that fails keeps it, too. Each file is requested
 * when it is read, and refused if its size or digest is not that of the listing. MCP has no executable bit, so no file has one.
 * `close` ends the program, with all processes in its process group.
 *
 * The version of a skill is its digest. Its path is what its address has between `scheme://` and `/SKILL.md`.
 *
 * @throws SkillError `CONFIG_INVALID`, and `INPUT_INVALID` for a variable that no process can have, at once, for invalid options.
 * Every call that reads: `UNSUPPORTED` for a server without the extension, `LIMIT_EXCEEDED`, `DIGEST_MISMATCH`, `SKILL_INVALID`,
 * `REFUSED` for an address that is not allowed, `BACKEND_FAILED` for a server that cannot be started, does not answer in time or
 * reports an error, and `CLOSED`. No message contains an argument of the command, a variable, a header or a query.
 */
export function mcpRepository(options: McpRepositoryOptions): SkillRepository {
  const settings = mcpSettings(options);
  const { shown } = settings;
  const connection = serverConnection(settings);
  const attempt = attempts(`MCP server ${shown}`);
  let current: EntryListing | undefined;
  let started = 0;
  let taken = 0;
  const firstUse = sharedWork(update);

  const list: SkillRepository["list"] = ({ signal } = {}) =>
    attempt("Listing", signal, async () => skillListing(await now(signal)));

  const find: SkillRepository["find"] = (name, { signal } = {}) =>
    attempt(`Looking for "${name}"`, signal, async () => {
      const found = pickSkill((await now(signal)).skills, name)?.found;
      return found && isSummary(found) ? found : undefined;
    });

  const load: SkillRepository["load"] = (name, { signal, version } = {}) =>
    attempt(`Loading "${name}"`, signal, async () =>
      loadSkill(connection, await offered(name, version, signal), signal),
    );

  const open: SkillRepository["open"] = (name, path, { signal, version } = {}) =>
    attempt(`Opening "${path}" of "${name}"`, signal, async () => {
      containedPath(path);
      const { folder } = await offered(name, version, signal);
      const file = folder.files.find((one) => one.path === path);
      if (!file) throw fileNotFound(name, path);
      return byteStream(await readFile(connection, file, name, signal));
    });

  const refresh: SkillRepository["refresh"] = ({ signal } = {}) =>
    attempt("Refreshing", signal, async () => void (await update(signal)));

  async function close(): Promise<void> {
    current = undefined;
    await connection.close();
  }

  const repository: SkillRepository = {
    label: `mcp ${shown}`,
    list,
    find,
    load,
    open,
    refresh,
    close,
    [Symbol.asyncDispose]: close,
  };
  return spanned("repository", repository, { repository: "mcp" });

  async function now(signal: AbortSignal | undefined): Promise<EntryListing> {
    return current ?? (await firstUse(signal));
  }

  async function update(signal: AbortSignal | undefined): Promise<EntryListing> {
    const turn = ++started;
    const seen = await listEntries(connection, settings, signal);
    // A later request has the newer state.
    if (turn > taken) [taken, current] = [turn, seen];
    return seen;
  }

  async function offered(
    name: string,
    version: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<OfferedSkill> {
    const skill = pickSkill((await now(signal)).skills, name);
    if (!skill) throw skillNotFound(`no skill "${name}"`, shown);
    if (!skill.offered || !isSummary(skill.found))
      throw invalidSkill(isSummary(skill.found) ? { path: name, diagnostics: [] } : skill.found);
    const { digest } = skill.offered.summary;
    if (version === undefined || version === digest) return skill.offered;
    throw skillNotFound(`no version "${version}" of the skill "${name}", but ${digest},`, shown);
  }
}
