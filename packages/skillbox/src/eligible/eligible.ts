import {
  type CallOptions,
  type CatalogSkill,
  type CatalogSnapshot,
  type HostFacts,
  neededPrograms,
  type SkillCatalog,
  SkillError,
  type SkillSettings,
} from "@skillwright/core";
import type { SkillBox } from "../skill-box-options.js";
import type { SkillFilter } from "../skill-filter.js";
import { type JudgedSkills, judgedSkills, judgeSkill } from "./judged-skills.js";
import type { SkillHost } from "./local-host.js";

export interface EligibleOptions {
  /** Where commands run; `localHost()` for this machine. */
  readonly host: SkillHost;
  /** What the user configured; a function where that may change. Asked at each call. Nothing by default. */
  readonly settings?: SkillSettings | (() => SkillSettings) | undefined;
}

/**
 * The same catalogue without the skills that cannot be used here.
 *
 * - A snapshot has a diagnostic `skill.ineligible` for each that is left out, with all reasons and the remedy, and one for each
 *   configured variable that does not reach its skill. Its fingerprint covers both.
 * - `load`, `open` and `reader` of such a skill end with `UNSUPPORTED` and the same words; `search` does not find it.
 * - Each call looks at host and settings again, so that a program that was installed meanwhile counts with the next one. Nobody is
 *   told of such a change: `subscribe` is the catalogue's own.
 * - Of a SkillBox `view` and `forTenant` give catalogues without them as well.
 * - Precedence comes first: a skill that is left out still hides a weaker one of its name.
 * - Closing it closes the catalogue.
 */
export function eligible<Catalog extends SkillCatalog>(catalog: Catalog, options: EligibleOptions): Catalog {
  let latest:
    | { readonly key: string; readonly snapshot: CatalogSnapshot; readonly judged: JudgedSkills }
    | undefined;

  /** Headers are read once a summary, however often is asked. */
  const needs = new WeakMap<CatalogSkill, readonly string[]>();

  const settingsNow = (): SkillSettings =>
    (typeof options.settings === "function" ? options.settings() : options.settings) ?? {};

  function needsOf(skill: CatalogSkill): readonly string[] {
    const known = needs.get(skill) ?? neededPrograms(skill.frontmatter);
    needs.set(skill, known);
    return known;
  }

  async function judge(call?: CallOptions): Promise<NonNullable<typeof latest>> {
    const whole = await catalog.snapshot(call);
    const settings = settingsNow();
    const programs = [...new Set(whole.skills.flatMap(needsOf))];
    const host = await options.host.look(programs);
    const key = keyOf(whole, programs, host, settings);
    if (latest?.key === key) return latest;
    const judged = judgedSkills(whole, host, settings);
    latest = { key, snapshot: judged.snapshot, judged };
    return latest;
  }

  async function check(name: string, call?: CallOptions): Promise<void> {
    if (latest?.judged.all.has(name)) refuse(latest.judged.hidden.get(name)?.problem);
    else await load(name, call);
  }

  const load: SkillCatalog["load"] = async (name, call) => {
    const skill = await catalog.load(name, call);
    const host = await options.host.look(neededPrograms(skill.frontmatter));
    refuse(judgeSkill(skill, host, settingsNow()).problem);
    return skill;
  };

  const open: SkillCatalog["open"] = async (name, path, call) => {
    await check(name, call);
    return await catalog.open(name, path, call);
  };

  const { reader } = catalog;
  const { view, forTenant } = catalog as Partial<SkillBox>;

  const search: SkillCatalog["search"] = async (query, call = {}) => {
    const { limit = 10, ...rest } = call;
    const { hidden } = (await judge(call)).judged;
    const hits = await catalog.search(query, { ...rest, limit: limit + hidden.size });
    return hits.filter(({ skill }) => !hidden.has(skill.name)).slice(0, Math.max(0, limit));
  };

  return {
    ...catalog,
    snapshot: async (call) => (await judge(call)).snapshot,
    load,
    open,
    ...(reader && {
      reader: async (name: string, call?: CallOptions) => {
        await check(name, call);
        return await reader(name, call);
      },
    }),
    search,
    ...(view && { view: (only: SkillFilter) => eligible(view(only), options) }),
    ...(forTenant && { forTenant: (tenant: string) => eligible(forTenant(tenant), options) }),
    close: () => catalog.close(),
    [Symbol.asyncDispose]: () => catalog.close(),
  };
}

/** Everything that the judgement depends on. */
function keyOf(
  { fingerprint }: CatalogSnapshot,
  programs: readonly string[],
  host: HostFacts,
  settings: SkillSettings,
): string {
  const there = programs.map((name) => host.hasProgram(name) ?? null);
  const passed = (settings.passVariables ?? []).map((name) => Boolean(host.variable(name)));
  return JSON.stringify([fingerprint, there, host.systems, passed, settings]);
}

function refuse(problem: { readonly message: string; readonly hint: string } | undefined): void {
  if (problem) throw new SkillError("UNSUPPORTED", `${problem.message} ${problem.hint}`);
}
