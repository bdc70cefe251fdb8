import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { temporaryDirectory } from "../house.mjs";
import { manyFiles, writeSkill } from "../write-skill.mjs";

const program = fileURLToPath(new URL("../unchanged-staging.mjs", import.meta.url));

/** The kernel trace of staging an unchanged skill: opened files of the skill or the store, started processes. */
export default async function stagingTrace({ isolation }) {
  if (spawnSync("strace", ["-V"]).error) throw new Error("there is no strace on this machine");
  const { directory, remove } = temporaryDirectory();
  writeSkill(directory, "large", manyFiles(4999));
  const log = `${directory}/trace`;
  try {
    await ended("strace", [
      ...["-f", "-o", log, "-e", "trace=open,openat,openat2,execve,execveat,fork,vfork,clone,clone3"],
      ...[process.execPath, program, directory, isolation],
    ]);
    return { isolation, ...counted(readFileSync(log, "utf8"), directory) };
  } finally {
    remove();
  }
}

/** @returns {Promise<void>} */
function ended(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "ignore", "inherit"] });
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`)),
    );
  });
}

function counted(log, directory) {
  const between = log.split(/^.*skillwright-mark-(?:begin|end).*$/m)[1]?.split("\n");
  if (!between) throw new Error("strace wrote no marks");
  const opened = between.filter((line) => /open(at2?)?\(/.test(line) && !/O_DIRECTORY|= -1 /.test(line));
  const isContent = (line) => line.includes(`${directory}/skills/`) || line.includes(`${directory}/content/`);
  return {
    skillFilesOpened: opened.filter(isContent).length,
    otherFilesOpened: opened.filter((line) => !isContent(line)).length,
    directoriesOpened: between.filter((line) => /O_DIRECTORY/.test(line)).length,
    // Threads are clones too.
    processes: between.filter((line) => /execve|v?fork\(|clone3?\((?!.*CLONE_THREAD)/.test(line)).length,
  };
}
