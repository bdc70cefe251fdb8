import type { Breakages, RepositorySubject } from "@skillwright/contracts";
import { readText, type SkillListing, type SkillRepository } from "@skillwright/core";

export const listingBreakages: Breakages<RepositorySubject> = {
  "skill-repository/list/empty": listing((found) => ({
    ...found,
    broken: [...found.broken, { path: "ghost", diagnostics: [] }],
  })),
  "skill-repository/list/sorted": listing((found) => ({ ...found, skills: [...found.skills].reverse() })),
  "skill-repository/list/summary": listing((found) => ({
    ...found,
    skills: found.skills.map((skill) => ({ ...skill, frontmatter: { name: skill.name } })),
  })),
  "skill-repository/list/no-body": overriding((repository) => ({
    list: async () => {
      const found = await repository.list();
      return { ...found, skills: await Promise.all(found.skills.map(({ path }) => repository.load(path))) };
    },
  })),
  "skill-repository/list/broken": listing((found) => ({ ...found, broken: [] })),
  "skill-repository/list/name-of-folder": listing((found) => ({
    ...found,
    skills: found.skills.filter(({ frontmatter }) => "name" in frontmatter),
  })),
  "skill-repository/list/nested": listing((found) => ({
    ...found,
    skills: found.skills.filter(
      ({ path }) => !found.skills.some((outer) => path.startsWith(`${outer.path}/`)),
    ),
  })),
  "skill-repository/list/hostile-name": listing((found) => ({
    ...found,
    skills: found.skills.map((skill) => ({ ...skill, path: skill.name })),
  })),
  "skill-repository/list/executes-nothing": overriding((repository) => ({
    list: async () => {
      const found = await repository.list();
      for (const { path } of found.broken) {
        const text = await readText(await repository.open(path, "SKILL.md"), 1000);
        new Function(text.split("\n")[1] ?? "")();
      }
      return found;
    },
  })),
  "skill-repository/list/own": overriding((repository) => {
    let shared: Promise<SkillListing> | undefined;
    return {
      list: () => {
        shared ??= repository.list();
        return shared;
      },
    };
  }),
  "skill-repository/list/aborted": overriding((repository) => ({ list: () => repository.list() })),

  "skill-repository/change/mark-stays": overriding((repository) => {
    let count = 0;
    return {
      list: async () => {
        const found = await repository.list();
        return { ...found, skills: found.skills.map((skill) => ({ ...skill, changeMark: `${count++}` })) };
      },
    };
  }),
  "skill-repository/change/mark-moves": listing((found) => ({
    ...found,
    skills: found.skills.map((skill) => ({ ...skill, changeMark: `${skill.name} ${skill.description}` })),
  })),
  "skill-repository/change/edited": overriding(listingOnce),
  "skill-repository/change/added": overriding(listingOnce),
  "skill-repository/change/removed": overriding((repository) => {
    const seen = new Map<string, SkillListing["skills"][number]>();
    return {
      list: async () => {
        const found = await repository.list();
        for (const skill of found.skills) seen.set(skill.name, skill);
        return { ...found, skills: [...seen.values()] };
      },
    };
  }),
  "skill-repository/change/loaded": overriding((repository) => {
    const loaded = new Map<string, ReturnType<SkillRepository["load"]>>();
    return {
      load: (name) => {
        const known = loaded.get(name) ?? repository.load(name);
        loaded.set(name, known);
        return known;
      },
    };
  }),
  // Sorted by path before name.
  "skill-repository/find/as-listed": overriding((repository) => ({
    find: async (name) => {
      const { skills } = await repository.list();
      return skills.find(({ path }) => path === name) ?? skills.find((skill) => skill.name === name);
    },
  })),
  "skill-repository/find/changed": overriding((repository) => {
    const once = listingOnce(repository);
    return {
      ...once,
      find: async (name) => (await once.list?.())?.skills.find((skill) => skill.name === name),
    };
  }),
};

/** A repository with some methods replaced. */
export function overriding(
  changed: (repository: SkillRepository) => Partial<SkillRepository>,
): (subject: RepositorySubject) => RepositorySubject {
  return (subject) => ({ ...subject, repository: { ...subject.repository, ...changed(subject.repository) } });
}

function listing(
  changed: (found: SkillListing) => SkillListing,
): (subject: RepositorySubject) => RepositorySubject {
  return overriding((repository) => ({ list: async (options) => changed(await repository.list(options)) }));
}

function listingOnce(repository: SkillRepository): Partial<SkillRepository> {
  let first: SkillListing | undefined;
  return {
    list: async () => {
      first ??= await repository.list();
      return structuredClone(first);
    },
  };
}
