import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { skillFile } from "./catalogue.mjs";

/** Provides a directory with one skill in `skills` while the work runs. */
export async function inSkillDirectory(work) {
  const directory = await mkdtemp(`${tmpdir()}/bundled-app-`);
  try {
    // On a root host commands run as another user.
    await chmod(directory, 0o755);
    await mkdir(`${directory}/skills/hello`, { recursive: true });
    await writeFile(`${directory}/skills/hello/SKILL.md`, skillFile);
    await writeFile(`${directory}/skills/hello/hello.sh`, "echo Hello from a bundle\n");
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
