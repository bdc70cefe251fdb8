import { type BrokenSkill, type Diagnostic, SkillError } from "@skillwright/core";
import { shownAddress } from "../address/shown-address.js";
import { indexDiagnostic } from "../index-diagnostics.js";
import { indexEntry } from "./index-entry.js";
import type { SkillSource } from "./skill-source.js";

export interface SkillIndex {
  readonly sources: readonly SkillSource[];
  /** Unusable entries, by their paths in the index. */
  readonly broken: readonly BrokenSkill[];
  readonly diagnostics: readonly Diagnostic[];
}

export const SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

/**
 * Parses an index of Agent Skills Discovery: version 0.2.0 by its `$schema`, version 0.1 where there is none. Unknown
 * fields are ignored, entries of unknown type are left out with a diagnostic, entries without a usable name or URL are
 * broken.
 * @param url URL of the index, the base of relative URLs in it.
 * @throws SkillError `SKILL_INVALID` for an invalid index; `UNSUPPORTED` for an unknown `$schema`.
 */
export function skillIndex(bytes: Uint8Array, url: URL, limit: number): SkillIndex {
  const { schema, entries } = documentOf(bytes, url);
  if (schema !== undefined && schema !== SCHEMA) {
    const shown = JSON.stringify(String(schema).slice(0, 200));
    const message = `The index ${shownAddress(url)} has the unknown $schema ${shown}. Use ${SCHEMA}, or leave the field out.`;
    throw new SkillError("UNSUPPORTED", message);
  }
  const version = schema === undefined ? "0.1" : "0.2";
  const sources = new Map<string, SkillSource>();
  const broken: BrokenSkill[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [position, entry] of entries.slice(0, limit).entries()) {
    const path = `skills[${position}]`;
    const read = indexEntry(entry, { version, url, path });
    if (read.verdict === "take" && sources.has(read.source.path))
      broken.push({
        path,
        diagnostics: [indexDiagnostic("index.twice", path, `"${read.source.path}"`)],
      });
    else if (read.verdict === "take") sources.set(read.source.path, read.source);
    else if (read.verdict === "leave") diagnostics.push(read.diagnostic);
    else broken.push({ path, diagnostics: [read.diagnostic] });
  }
  if (entries.length > limit)
    diagnostics.push(indexDiagnostic("index.cut", ".", `${entries.length - limit} of ${entries.length}`));
  return { sources: [...sources.values()], broken, diagnostics };
}

function documentOf(bytes: Uint8Array, url: URL): { schema: unknown; entries: readonly unknown[] } {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw noIndex(url, "is no JSON");
  }
  if (typeof document !== "object" || document === null) throw noIndex(url, "is no object");
  const { $schema: schema, skills } = document as { $schema?: unknown; skills?: unknown };
  if (!Array.isArray(skills)) throw noIndex(url, 'has no list "skills"');
  return { schema, entries: skills };
}

function noIndex(url: URL, why: string): SkillError {
  const message = `${shownAddress(url)} starts like an index of skills but ${why}. Give the address of an index, an archive or a SKILL.md.`;
  return new SkillError("SKILL_INVALID", message);
}
