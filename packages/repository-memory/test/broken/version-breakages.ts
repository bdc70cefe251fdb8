import type { Breakages, VersionedRepositorySubject } from "@skillwright/contracts";
import type { VersionedSkillRepository, WritableSkillRepository } from "@skillwright/core";
import type { SkillVersionOptions } from "@skillwright/core/adapter";

type Versioned = VersionedSkillRepository & WritableSkillRepository;

export const versionBreakages: Breakages<VersionedRepositorySubject> = {
  "versioned-skill-repository/unknown-skill": overriding((repository) => ({
    versions: async () => await repository.versions("one"),
  })),
  "versioned-skill-repository/newest-first": overriding((repository) => ({
    versions: async (name) => [...(await repository.versions(name))].reverse(),
  })),
  "versioned-skill-repository/newest-by-default": overriding((repository) => ({
    load: async (name) => await repository.load(name, await oldest(repository, name)),
  })),
  "versioned-skill-repository/old-bytes": ignoringVersion(),
  "versioned-skill-repository/after-delete": forgetting(),
  "versioned-skill-repository/after-delete-and-upload": forgetting(),
  "versioned-skill-repository/by-digest": ignoringVersion(),
  "versioned-skill-repository/same-content": overriding((repository) => ({
    upload: async (files) => ({ ...(await repository.upload(files)), version: "another" }),
  })),
  "versioned-skill-repository/reader": overriding((repository) => ({
    reader: async (name) => async (path) => await repository.open(name, path),
  })),
  "versioned-skill-repository/unknown-version": ignoringVersion(),
  "versioned-skill-repository/aborted": overriding((repository) => ({
    versions: async (name) => await repository.versions(name),
  })),
};

function overriding(
  changed: (repository: Versioned) => Partial<Versioned>,
): (subject: VersionedRepositorySubject) => VersionedRepositorySubject {
  return ({ repository }) => ({ repository: { ...repository, ...changed(repository) } });
}

/** Always returns the newest. */
function ignoringVersion(): (subject: VersionedRepositorySubject) => VersionedRepositorySubject {
  return overriding((repository) => ({
    load: async (name) => await repository.load(name),
    open: async (name, path) => await repository.open(name, path),
  }));
}

/** Deletes the versions together with the skill. */
function forgetting(): (subject: VersionedRepositorySubject) => VersionedRepositorySubject {
  return overriding((repository) => {
    const gone = new Set<string>();
    return {
      delete: async (name) => {
        for (const { version } of await repository.versions(name)) gone.add(version);
        return await repository.delete(name);
      },
      versions: async (name) => (await repository.versions(name)).filter(({ version }) => !gone.has(version)),
    };
  });
}

async function oldest(repository: Versioned, name: string): Promise<SkillVersionOptions> {
  return { version: (await repository.versions(name)).at(-1)?.version };
}
