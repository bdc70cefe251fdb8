import { type CatalogChange, type Skill, SkillError } from "@skillwright/core";
import type { CatalogView, ViewParts } from "./catalog-view.js";
import { canTellVersions } from "./layer-with.js";
import type { NamedSource } from "./named-sources.js";
import { restoreSkill } from "./restore-skill.js";
import type { SkillBox } from "./skill-box-options.js";
import { repositoryWith, sourceNamed } from "./source-named.js";

/** The writing half of a catalogue; `own` notifies its listeners. */
export function boxChanges(
  { sources, filters, switches, trust: store }: ViewParts,
  { own, tenant, checkOpen }: { own: CatalogView; tenant: string | undefined; checkOpen: () => void },
): Pick<
  SkillBox,
  "upload" | "uploadAll" | "delete" | "restore" | "versions" | "refresh" | "enable" | "disable" | "trust"
> {
  const upload: SkillBox["upload"] = async (repository, files, options) => {
    checkOpen();
    const source = writable(repository);
    const skill = await repositoryWith(source, "upload").upload(files, options);
    own.announce(changeOf(skill, source));
    return skill;
  };

  const uploadAll: SkillBox["uploadAll"] = async (repository, skills, options) => {
    checkOpen();
    repositoryWith(writable(repository), "upload");
    const outcomes: PromiseSettledResult<Skill>[] = [];
    for (const files of skills) {
      const [outcome] = await Promise.allSettled([upload(repository, files, options)]);
      outcomes.push(outcome);
    }
    return outcomes;
  };

  const remove: SkillBox["delete"] = async (repository, name, options) => {
    checkOpen();
    const source = writable(repository);
    const removed = await repositoryWith(source, "delete").delete(name, options);
    // A hidden skill of the same name may become visible.
    if (removed) own.announce(UNKNOWN_CHANGE);
    return removed;
  };

  const restore: SkillBox["restore"] = async (repository, name, options = {}) => {
    checkOpen();
    const source = writable(repository);
    const skill = await restoreSkill(source, name, options);
    own.announce(changeOf(skill, source));
    return skill;
  };

  const versions: SkillBox["versions"] = async (repository, name, options) => {
    checkOpen();
    const { repository: named } = sourceNamed(sources(), repository);
    return canTellVersions(named) ? await named.versions(name, options) : [];
  };

  const refresh: SkillBox["refresh"] = async (repository, options) => {
    checkOpen();
    const chosen = repository === undefined ? sources() : [sourceNamed(sources(), repository)];
    const outcomes = await Promise.allSettled(chosen.map((source) => source.repository.refresh(options)));
    own.announce(UNKNOWN_CHANGE);
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed) throw failed.reason;
  };

  const turn = (name: string, on: boolean): boolean => {
    checkOpen();
    const turned = switches.turn(name, on);
    if (turned) own.announce(UNKNOWN_CHANGE);
    return turned;
  };

  const trust: SkillBox["trust"] = async (name, { digest, signal } = {}) => {
    if (!store)
      throw new SkillError(
        "UNSUPPORTED",
        "This catalogue cannot store approvals. Give skillBox() a trust store.",
      );
    const skill = await own.load(name, { signal });
    if (digest !== undefined && digest !== skill.digest)
      throw new SkillError(
        "DIGEST_MISMATCH",
        `The skill "${name}" has changed since it was approved. Review it again.`,
        { details: { expected: digest, actual: skill.digest } },
      );
    if (!skill.trusted) await store.allow(skill.digest, skill.source, { signal });
  };

  return {
    upload,
    uploadAll,
    delete: remove,
    restore,
    versions,
    refresh,
    enable: (name) => turn(name, true),
    disable: (name) => turn(name, false),
    trust,
  };

  function writable(name: string): NamedSource {
    const source = sourceNamed(sources(), name);
    if (source.tenant === tenant) return source;
    throw new SkillError(
      "UNSUPPORTED",
      `The skill "${name}" is shared by all tenants, so it cannot be changed for one tenant. Change it without a tenant.`,
    );
  }

  /** Reported precisely only where no filter and no other skill of that name can hide it. */
  function changeOf({ name, changeMark }: Skill, { source }: NamedSource): CatalogChange {
    const known = own.latest();
    const before = known?.skills.find((skill) => skill.name === name);
    if (!known || filters.length > 0 || switches.isOff(name) || (before && before.source !== source))
      return UNKNOWN_CHANGE;
    // A snapshot taken for a watch has reported it meanwhile.
    if (before?.changeMark === changeMark) return { skills: [], complete: true };
    return { skills: [{ kind: before ? "changed" : "added", name, source }], complete: true };
  }
}

const UNKNOWN_CHANGE: CatalogChange = { skills: [], complete: false };
