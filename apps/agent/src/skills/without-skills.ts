import { createHash } from "node:crypto";
import {
  type CallOptions,
  type CatalogSkill,
  type CatalogSnapshot,
  type Diagnostic,
  type SkillCatalog,
  SkillError,
} from "@skillwright/core";

export interface HiddenSkill {
  /** How loading it ends: as if it were not there, or as one that is there and cannot be used here. */
  readonly code: "SKILL_NOT_FOUND" | "UNSUPPORTED";
  readonly diagnostic: Diagnostic;
}

/** Why a skill is left out; `undefined` to keep it. */
export type HideSkill = (skill: CatalogSkill) => HiddenSkill | undefined;

/**
 * The same catalogue with some skills left out, each with a diagnostic in the snapshot. Loading one of
 * them ends with its code and the same reason. Closing this closes the catalogue.
 */
export function withoutSkills(catalog: SkillCatalog, hide: HideSkill): SkillCatalog {
  let hidden: ReadonlyMap<string, HiddenSkill> | undefined;

  async function snapshot(call?: CallOptions): Promise<CatalogSnapshot> {
    const whole = await catalog.snapshot(call);
    const left = new Map<string, HiddenSkill>();
    for (const skill of whole.skills) {
      const reason = hide(skill);
      if (reason) left.set(skill.name, reason);
    }
    hidden = left;
    const skills = whole.skills.filter(({ name }) => !left.has(name));
    const shaped = [whole.fingerprint, ...left.keys()];
    return {
      ...whole,
      skills,
      diagnostics: [...whole.diagnostics, ...[...left.values()].map(({ diagnostic }) => diagnostic)],
      fingerprint: `sha256:${createHash("sha256").update(JSON.stringify(shaped)).digest("hex")}`,
    };
  }

  async function check(name: string): Promise<void> {
    if (!hidden) await snapshot();
    const reason = hidden?.get(name);
    if (!reason) return;
    const suggestions = (await snapshot()).skills.map((skill) => skill.name);
    const { message, hint } = reason.diagnostic;
    const text = `${message} ${hint} Usable skills: ${suggestions.join(", ") || "none"}.`;
    throw new SkillError(reason.code, text, { details: { skill: name, suggestions } });
  }

  return {
    snapshot,
    load: async (name, call) => {
      await check(name);
      return catalog.load(name, call);
    },
    open: async (name, path, call) => {
      await check(name);
      return catalog.open(name, path, call);
    },
    search: async (query, call) => (await catalog.search(query, call)).filter(({ skill }) => !hide(skill)),
    subscribe: (listener) => catalog.subscribe(listener),
    close: () => catalog.close(),
    [Symbol.asyncDispose]: () => catalog.close(),
  };
}
