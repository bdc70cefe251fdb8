import { isContainedPath, SkillError } from "@skillwright/core";
import { fileNameProblem } from "@skillwright/core/adapter";
import type { HttpSettings } from "../http-settings.js";
import { byteDigest, checkBytes } from "../payload/byte-digest.js";
import { type Fetching, filesOf } from "../payload/fetched-files.js";
import { payloadKind } from "../payload/payload-kind.js";
import { skillIndex } from "../payload/skill-index.js";
import type { Download } from "../transfer/taken-answer.js";
import type { Validators } from "../transfer/validators.js";
import type { Catalogue } from "./skill-collection.js";
import { sourceContent } from "./skill-part.js";

/** Paths at which an index is searched, the newer form first. */
const WELL_KNOWN = [".well-known/agent-skills/index.json", ".well-known/skills/index.json"];

/**
 * Fetches the repository's URL.
 * @param known Validators of the previous catalogue; where they still apply, the result is `unchanged`.
 */
export async function fetchCatalogue(
  settings: HttpSettings,
  fetching: Fetching,
  known: Validators | undefined,
  signal: AbortSignal | undefined,
): Promise<Catalogue | "unchanged"> {
  const { url, download } = await firstThere(settings, fetching, known, signal);
  if (download === "unchanged") return download;
  const { bytes, validators } = download;
  if (settings.digest !== undefined) checkBytes(bytes, settings.digest, url);
  const payload = payloadKind(download, url);
  if (payload === "index") return { ...indexOf(download, settings), validators };
  checkSize(bytes, payload === "skill-md" ? settings.limits.skillFileBytes : undefined, settings.shown);
  // An index names each of its skills, so only the archive at the URL itself can be a tree.
  const opened = payload === "archive" ? "tree" : payload;
  const { directoryName, ...fetched } = await filesOf({ kind: opened, url }, bytes, fetching, signal);
  const kind = opened === "tree" && !fetched.isTree ? "archive" : opened;
  const path = folderName(directoryName, url);
  return {
    sources: [{ kind, path, url, digest: byteDigest(bytes) }],
    broken: [],
    diagnostics: [],
    validators,
    initial: sourceContent(path, fetched, settings),
  };
}

async function firstThere(
  { url, limits, shown }: HttpSettings,
  { downloads }: Fetching,
  known: Validators | undefined,
  signal: AbortSignal | undefined,
): Promise<{ readonly url: URL; readonly download: Download | "unchanged" }> {
  const limit = limits.archiveBytes;
  if (!url.pathname.endsWith("/") || url.search !== "")
    return { url, download: await downloads.get(url, { limit, known, signal }) };
  for (const place of WELL_KNOWN) {
    const index = new URL(place, url);
    try {
      return {
        url: index,
        download: await downloads.get(index, { limit: limits.indexBytes, known, signal }),
      };
    } catch (error) {
      if (!isAbsence(error)) throw error;
    }
  }
  const message = `${shown} has no index of skills: it has neither ${WELL_KNOWN.join(" nor ")}. Give the address of an index, an archive or a SKILL.md.`;
  throw new SkillError("BACKEND_FAILED", message, { details: { status: 404 } });
}

function isAbsence(error: unknown): boolean {
  if (!SkillError.is(error, "BACKEND_FAILED")) return false;
  const { status } = error.details;
  return status === 404 || status === 410;
}

function indexOf({ bytes, url }: Download, { limits, shown }: HttpSettings): ReturnType<typeof skillIndex> {
  checkSize(bytes, limits.indexBytes, shown);
  return skillIndex(bytes, url, limits.entries);
}

/** Its kind was not known during the download. */
function checkSize({ byteLength }: Uint8Array, limit: number | undefined, shown: string): void {
  if (limit === undefined || byteLength <= limit) return;
  const message = `${shown} has ${byteLength} bytes, more than the ${limit} allowed for its kind. Make it smaller, or raise the limit in limits.`;
  throw new SkillError("LIMIT_EXCEEDED", message, { details: { limit } });
}

const FALLBACK = "skill";

/**
 * The folder of the only skill at a URL: the archive's own, otherwise the URL's last part without its extension; for
 * `csv/SKILL.md` that is `csv`. `skill` where neither is a usable name.
 */
function folderName(directoryName: string | undefined, { pathname }: URL): string {
  const parts = pathname.split("/").filter(Boolean).map(decoded);
  const isSkillFile = parts.at(-1)?.toLowerCase() === "skill.md";
  const last = parts.at(isSkillFile ? -2 : -1) ?? "";
  const name = directoryName ?? (isSkillFile ? last : last.replace(/\.(?:tar\.gz|tgz|zip|skill|md)$/i, ""));
  const isPlain = isContainedPath(name) && !name.includes("/") && fileNameProblem(name) === undefined;
  return isPlain ? name : FALLBACK;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
