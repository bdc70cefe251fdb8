import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RepositorySubject, SkillSeed } from "@skillwright/contracts";
import type { SkillRepository } from "@skillwright/core";
import { skillServer } from "@skillwright/mcp";
import { fsRepository } from "@skillwright/repository-fs";
import { mcpRepository } from "@skillwright/repository-mcp";
import { skillBox } from "@skillwright/skillbox";
import { temporaryDirectory, writeSkills } from "../../repository-fs/test/fs-subject.js";
import { served } from "../../repository-mcp/test/served.js";

type Subject = RepositorySubject & { dispose(): Promise<void> };

const SERVE_FOLDER = fileURLToPath(new URL("./children/serve-folder.mjs", import.meta.url));

/** A server of `@skillwright/mcp`, started as a program. */
export async function overStreams(seed: SkillSeed): Promise<Subject> {
  const { root, dispose } = await temporaryDirectory();
  await writeSkills(root, seed);
  return subject(
    mcpRepository({ server: { command: [process.execPath, SERVE_FOLDER, root] } }),
    root,
    dispose,
  );
}

/** A server of `@skillwright/mcp` at an address of this machine. */
export async function overHttp(seed: SkillSeed): Promise<Subject> {
  const { root, dispose } = await temporaryDirectory();
  await writeSkills(root, seed);
  const skills = skillBox({ own: fsRepository({ root }) });
  const server = skillServer({ skills });
  const endpoint = server.endpoint();
  const web = await served((request) => endpoint.fetch(request));
  return subject(mcpRepository({ server: { url: `${web.origin}/mcp` } }), root, async () => {
    await web.close();
    await endpoint.close();
    await server.close();
    await skills.close();
    await dispose();
  });
}

function subject(repository: SkillRepository, root: string, dispose: () => Promise<void>): Subject {
  return {
    repository,
    async change(skills) {
      for (const name of await readdir(root)) await rm(join(root, name), { recursive: true });
      await writeSkills(root, skills);
    },
    async dispose() {
      await repository.close();
      await dispose();
    },
  };
}
