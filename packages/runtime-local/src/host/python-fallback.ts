import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commandEnvironment, ifThere, PYTHON_FALLBACK } from "@skillwright/core/adapter";
import { isExecutable } from "./is-executable.js";

/**
 * A directory with a `python` that starts `python3`, for the end of PATH; `undefined` where commands find a `python`, or no
 * `python3`.
 * @param path What stands on their PATH before the system's directories.
 * @param own This package's own directory, where it is written once.
 */
export async function pythonFallback(path: readonly string[], own: string): Promise<string | undefined> {
  const { PATH = "" } = commandEnvironment({ env: {} }, { root: "", tmp: "", path, language: "" });
  const directories = PATH.split(":");
  if ((await isOn(directories, "python")) || !(await isOn(directories, "python3"))) return undefined;
  const directory = join(own, "fallback");
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o755);
  const program = join(directory, "python");
  if ((await ifThere(readFile(program, "utf8"))) === PYTHON_FALLBACK) return directory;
  const fresh = `${program}.${randomBytes(6).toString("hex")}`;
  await writeFile(fresh, PYTHON_FALLBACK, { flag: "wx" });
  await chmod(fresh, 0o755);
  await rename(fresh, program);
  return directory;
}

async function isOn(directories: readonly string[], program: string): Promise<boolean> {
  const found = await Promise.all(directories.map((directory) => isExecutable(join(directory, program))));
  return found.includes(true);
}
