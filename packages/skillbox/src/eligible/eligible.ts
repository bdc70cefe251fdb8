import {
  type CallOptions,
  type CatalogSkill,
  type CatalogSnapshot,
  type JsonObject,
  type SkillCatalog,
  SkillError,
} from "@skillwright/core";
import type { SkillBox } from "../skill-box-options.js";
import type { SkillFilter } from "../skill-filter.js";
import { eligibility, neededPrograms } from "./eligibility.js";
import type { HostFacts } from "./host-facts.js";
import { ineligibleDiagnostic } from "./ineligible-diagnostic.js";
import { type JudgedSkills, judgedSkills } from "./judged-skills.js";
import type { SkillHost } from "./local-host.js";
import type { SkillSettings } from "./skill-settings.js";

export interface EligibleOptions {
  /** Where commands run: `localHost()` for this machine, `runtimeHost(runtime, ...)` for images and other machines. */
  readonly host: SkillHost;
  /** User configuration, or a function where it may change. Read on each call. Defaults to none. */
  readonly settings?: SkillSettings | (() => SkillSettings) | undefined;
}

/**
 * Returns the same catalogue without the skills that cannot be used here.
 *
 * - A snapshot has a diagnostic `skill.ineligible` for each skill that is left out, with all reasons and the remedy,
 *   and one for each configured variable that is not passed to its skill. Its fingerprint covers both.
 * - `load`, `open` and `reader` of such a skill fail with `UNSUPPORTED` and the same text; `search` does not find it.
 * - Each call checks host and settings again, so that a program installed meanwhile counts from the next call on. Such
 *   a change is not reported: `subscribe` is the catalogue's own.
 * - `view` and `forTenant` of a SkillBox return catalogues without these skills as well.
 * - Precedence comes first: a skill that is left out still hides one of the same name with lower precedence.
 * - Closing it closes the catalogue.
 */
export function eligible<Catalog extends SkillCatalog>(catalog: Catalog, options: EligibleOptions): Catalog {
  let latest:
    | { readonly key: string; readonly snapshot: CatalogSnapshot; readonly judged: JudgedSkills }
    | undefined;

  /** Each header is parsed once. */
  const needs = new WeakMap<JsonObject, readonly string[]>();

  const settingsNow = (): SkillSettings =>
    (typeof options.settings === "function" ? options.settings() : options.settings) ?? {};

  function needsOf({ frontmatter }: Pick<CatalogSkill, "frontmatter">): readonly string[] {
    const known = needs.get(frontmatter) ?? neededPrograms(frontmatter);
    needs.set(frontmatter, known);
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
    const host = await options.host.look(needsOf(skill));
    const answer = eligibility(skill, host, settingsNow());
    if (!answer.eligible) refuse(ineligibleDiagnostic(skill, answer, host));
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

/** Everything that the result depends on. */
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
