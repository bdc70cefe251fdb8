/** Uploads one skill repeatedly below the given directory, each time as another generation, until it is killed. */

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "../../scripts/bootstrap/child-environment.mjs";
import { built } from "../built.mjs";

const program = fileURLToPath(import.meta.url);

/** Starts the process; its first message is sent when the first generation exists. */
export function startUploader(root) {
  return fork(program, [root], {
    execArgv: [],
    env: childEnvironment(),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

if (process.argv[1] === program) {
  const { fsRepository } = await built("repository-fs");
  const repository = fsRepository({ root: process.argv[2] });
  process.on("disconnect", () => process.exit());
  for (let number = 0; ; number++) {
    const text = `---\nname: demo\ndescription: Generation ${number}.\n---\n${number}\n`;
    await repository.upload([
      { path: "SKILL.md", content: text },
      ...["a.txt", "folder/b.txt", `only-${number}`].map((path) => ({ path, content: String(number) })),
    ]);
    if (number === 0) process.send?.("ready");
  }
}
