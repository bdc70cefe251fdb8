import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { skillFile } from "./catalogue.mjs";

/** A directory with one skill in `skills`, for as long as the work takes. */
export async function inSkillDirectory(work) {
  const directory = await mkdtemp(`${tmpdir()}/bundled-app-`);
  try {
    // Commands of a root host run as another user.
    await chmod(directory, 0o755);
    await mkdir(`${directory}/skills/hello`, { recursive: true });
    await writeFile(`${directory}/skills/hello/SKILL.md`, skillFile);
    await writeFile(`${directory}/skills/hello/hello.sh`, "echo Hello from a bundle\n");
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
