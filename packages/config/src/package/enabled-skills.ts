import { type Diagnostic, SkillError, type SkillListing, type SkillRepository } from "@skillwright/core";

/**
 * Restricts the repository to the skills with these names. Others are reported in the listing as
 * `config.skill-not-enabled`, and loading them fails with `SKILL_NOT_FOUND`. Closing this closes the repository.
 */
export function enabledSkills(repository: SkillRepository, enabled: readonly string[]): SkillRepository {
  const isEnabled = ({ name }: { readonly name: string }) => enabled.includes(name);
  const { find, reader } = repository;

  async function list(options?: Parameters<SkillRepository["list"]>[0]): Promise<SkillListing> {
    const { skills, broken, diagnostics } = await repository.list(options);
    const others = skills.filter((skill) => !isEnabled(skill));
    return {
      skills: skills.filter(isEnabled),
      broken,
      diagnostics: [...diagnostics, ...others.map(({ name }) => notEnabled(name))],
    };
  }

  /** A skill may be requested by its path; its name then decides. */
  async function check(name: string, options: Parameters<SkillRepository["list"]>[0]): Promise<void> {
    if (enabled.includes(name)) return;
    const { skills } = await repository.list(options);
    if (skills.some((skill) => skill.path === name && isEnabled(skill))) return;
    const { message, hint } = notEnabled(name);
    throw new SkillError("SKILL_NOT_FOUND", `${message} ${hint}`, { details: { skill: name } });
  }

  return {
    get label() {
      return repository.label;
    },
    list,
    ...(find && {
      find: async (name, options) => {
        const found = await find.call(repository, name, options);
        return found && isEnabled(found) ? found : undefined;
      },
    }),
    load: async (name, options) => {
      await check(name, options);
      return await repository.load(name, options);
    },
    open: async (name, path, options) => {
      await check(name, options);
      return await repository.open(name, path, options);
    },
    ...(reader && {
      reader: async (name, options) => {
        await check(name, options);
        return await reader.call(repository, name, options);
      },
    }),
    refresh: (options) => repository.refresh(options),
    close: () => repository.close(),
    [Symbol.asyncDispose]: () => repository.close(),
  };
}

function notEnabled(name: string): Diagnostic {
  return {
    code: "config.skill-not-enabled",
    severity: "info",
    message: `The skill "${name}" is not enabled.`,
    hint: "Add it to skillsPackage.enabledSkills to use it.",
  };
}
