import type { Breakages, RestorableRepositorySubject } from "@skillwright/contracts";
import type { RestorableSkillRepository, UploadFile } from "@skillwright/core";

export const restoreBreakages: Breakages<RestorableRepositorySubject> = {
  "restorable-skill-repository/restore/whole": overriding((repository) => ({
    upload: async (files, options) => {
      const plain: UploadFile[] = [];
      for await (const { path, content } of files) plain.push({ path, content });
      const skill = await repository.upload(plain, options);
      return { ...skill, digest: `sha256:${"0".repeat(64)}` };
    },
  })),
  "restorable-skill-repository/deleted/told": overriding((repository) => ({
    deleted: async () => [...(await repository.deleted())].reverse(),
  })),
  "restorable-skill-repository/restore/last": overriding((repository) => ({
    restore: async (name) => {
      const oldest = (await repository.deleted()).filter((skill) => skill.name === name).at(-1);
      return await repository.restore(name, { deletedAt: oldest?.deletedAt });
    },
  })),
  "restorable-skill-repository/restore/unknown": overriding((repository) => ({
    restore: async (name) => {
      const near = (await repository.deleted()).find((skill) => skill.name.startsWith(name));
      return await repository.restore(near?.name ?? name);
    },
  })),
  "restorable-skill-repository/restore/exists": overriding((repository) => ({
    restore: async (name, options) => {
      await repository.delete(name);
      return await repository.restore(name, options);
    },
  })),
  "restorable-skill-repository/restore/aborted": overriding((repository) => ({
    restore: async (name) => await repository.restore(name),
  })),
  "restorable-skill-repository/deleted/aborted": overriding((repository) => ({
    deleted: async () => await repository.deleted(),
  })),
};

function overriding(
  changed: (repository: RestorableSkillRepository) => Partial<RestorableSkillRepository>,
): (subject: RestorableRepositorySubject) => RestorableRepositorySubject {
  return ({ repository }) => ({ repository: { ...repository, ...changed(repository) } });
}
