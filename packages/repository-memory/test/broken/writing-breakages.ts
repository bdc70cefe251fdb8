import { setImmediate } from "node:timers/promises";
import { type Breakages, skillMarkdown, type WritableRepositorySubject } from "@skillwright/contracts";
import {
  byteStream,
  SKILL_LIMITS,
  SkillError,
  type UploadFile,
  type WritableSkillRepository,
} from "@skillwright/core";

export const writingBreakages: Breakages<WritableRepositorySubject> = {
  "writable-skill-repository/upload/stored": given((files) =>
    files.map(({ path, content }) => ({ path, content })),
  ),
  "writable-skill-repository/upload/result": overriding((repository) => ({
    upload: async (files) => ({ ...(await repository.upload(files)), body: "" }),
  })),
  "writable-skill-repository/upload/replaced": overriding((repository) => ({
    upload: async (files) => {
      const added = await asList(files);
      const kept: UploadFile[] = [];
      for (const { path } of (await repository.load("csv-analyst")).manifest.files)
        if (!added.some((file) => file.path === path))
          kept.push({ path, content: await repository.open("csv-analyst", path) });
      return await repository.upload([...added, ...kept]);
    },
  })),
  "writable-skill-repository/upload/where-it-is": before((repository) => repository.delete("moved")),
  "writable-skill-repository/upload/other-skill": before((repository) => repository.delete("taken")),
  "writable-skill-repository/upload/other-folder": before((repository) => repository.delete("taken/inner")),
  "writable-skill-repository/upload/broken-before": overriding(() => ({ upload: refusing })),
  "writable-skill-repository/upload/refuse": overriding((repository) => ({
    upload: (files) => repository.upload(files),
  })),
  "writable-skill-repository/upload/refuse-new": overriding(() => ({ upload: refusing })),
  "writable-skill-repository/upload/streams": overriding((repository) => ({
    upload: async (files) => {
      if (!Array.isArray(files)) throw new SkillError("INPUT_INVALID", "Give a list of files.");
      return await repository.upload(files);
    },
  })),
  "writable-skill-repository/upload/own": overriding((repository) => {
    const held = new Map<string, Uint8Array>();
    return {
      upload: async (files) => {
        for (const { path, content } of await asList(files))
          if (content instanceof Uint8Array) held.set(path, content);
        return await repository.upload(files);
      },
      open: async (name, path) => byteStream(held.get(path) ?? (await repository.open(name, path))),
    };
  }),

  "writable-skill-repository/refused/no-skill-file": given((files) =>
    files.some(({ path }) => path === "SKILL.md") ? files : [...files, skillFile()],
  ),
  "writable-skill-repository/refused/unloadable": given((files) => [
    ...without(files, "SKILL.md"),
    skillFile(),
  ]),
  "writable-skill-repository/refused/name": given((files) => [...without(files, "SKILL.md"), skillFile()]),
  "writable-skill-repository/refused/hostile-paths": given((files) =>
    files.filter(({ path }) => /^[\w./-]+$/.test(path) && !/(^|\/)\.*(\/|$)/.test(path)),
  ),
  "writable-skill-repository/refused/twice": given((files) => [
    ...new Map(files.map((file) => [file.path, file])).values(),
  ]),
  "writable-skill-repository/refused/file-and-folder": given((files) => without(files, "a")),
  "writable-skill-repository/refused/too-many-files": given((files) => files.slice(0, SKILL_LIMITS.files)),
  "writable-skill-repository/refused/too-many-bytes": given((files) => without(files, "endless.bin")),
  "writable-skill-repository/refused/large-skill-file": given((files) =>
    files.map((file) => ({ ...file, content: String(file.content).slice(0, 1000) })),
  ),
  "writable-skill-repository/refused/failing-source": overriding((repository) => ({
    upload: (files) =>
      repository.upload(files).catch((error: unknown) => {
        throw SkillError.from(error, "Uploading");
      }),
  })),
  "writable-skill-repository/refused/aborted": overriding((repository) => ({
    upload: (files, options) =>
      repository.upload(files, options).catch(async (error: unknown) => {
        await repository.upload([skillFile("half of it")]);
        throw error;
      }),
  })),

  "writable-skill-repository/atomic/reading": overriding((repository) => ({
    upload: async (files) => {
      await repository.delete("csv-analyst");
      await setImmediate();
      return await repository.upload(files);
    },
  })),
  "writable-skill-repository/atomic/writing": overriding((repository) => {
    const all = new Map<string, UploadFile>();
    return {
      upload: async (files) => {
        const skill = await repository.upload(files);
        for (const file of await asList(files)) all.set(file.path, file);
        await repository.upload(all.values());
        return skill;
      },
    };
  }),
  "writable-skill-repository/atomic/refuse": overriding((repository) => ({
    upload: async (files) => {
      const { skills } = await repository.list();
      await setImmediate();
      if (skills.length > 0) return await refusing();
      return await repository.upload(files);
    },
  })),
  "writable-skill-repository/delete/removed": overriding((repository) => ({
    delete: async (name) => {
      await repository.delete(name);
      return true;
    },
  })),
  "writable-skill-repository/delete/missing": overriding((repository) => ({
    delete: async (name) => {
      const { skills } = await repository.list();
      return await repository.delete(skills.find((skill) => skill.name.startsWith(name))?.name ?? name);
    },
  })),
  "writable-skill-repository/delete/again": overriding((repository) => {
    let isDeleted = false;
    return {
      delete: async (name) => {
        isDeleted = true;
        return await repository.delete(name);
      },
      upload: async (files) => (isDeleted ? await refusing() : await repository.upload(files)),
    };
  }),
  "writable-skill-repository/upload/aborted": overriding((repository) => ({
    upload: (files) => repository.upload(files),
  })),
  "writable-skill-repository/delete/aborted": overriding((repository) => ({
    delete: (name) => repository.delete(name),
  })),
};

type Writable = WritableSkillRepository;

function overriding(
  changed: (repository: Writable) => Partial<Writable>,
): (subject: WritableRepositorySubject) => WritableRepositorySubject {
  return ({ repository }) => ({ repository: { ...repository, ...changed(repository) } });
}

/** Replaces the uploaded files. */
function given(
  changed: (files: readonly UploadFile[]) => readonly UploadFile[],
): (subject: WritableRepositorySubject) => WritableRepositorySubject {
  return overriding((repository) => ({
    upload: async (files, options) => await repository.upload(changed(await asList(files)), options),
  }));
}

/** Does something wrong before each upload. */
function before(
  act: (repository: Writable) => Promise<unknown>,
): (subject: WritableRepositorySubject) => WritableRepositorySubject {
  return overriding((repository) => ({
    upload: async (files, options) => {
      await act(repository);
      return await repository.upload(files, options);
    },
  }));
}

async function asList(files: Parameters<Writable["upload"]>[0]): Promise<readonly UploadFile[]> {
  const list: UploadFile[] = [];
  for await (const file of files) list.push(file);
  return list;
}

function without(files: readonly UploadFile[], path: string): readonly UploadFile[] {
  return files.filter((file) => file.path !== path);
}

function skillFile(body = ""): UploadFile {
  return { path: "SKILL.md", content: skillMarkdown("csv", { body }) };
}

function refusing(): Promise<never> {
  return Promise.reject(new SkillError("SKILL_EXISTS", "The skill already exists."));
}
