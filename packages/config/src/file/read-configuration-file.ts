import { readFile, stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { SkillError } from "@skillwright/core";
import { importPeer } from "../clients/import-peer.js";
import type { ConfigurationFile } from "./configuration-file.js";
import { checkConfiguration } from "./configuration-schema.js";
import type { FoundFile } from "./find-files.js";

const MOST_BYTES = 1024 * 1024;

/** @throws SkillError `CONFIG_INVALID` naming the file; `UNSUPPORTED` where a `.ts` file cannot be read here. */
export async function readConfigurationFile({ path, kind }: FoundFile): Promise<ConfigurationFile> {
  const given = kind === "json" ? await readJson(path) : await runProgram(path);
  return checkConfiguration(given, path);
}

async function readJson(path: string): Promise<unknown> {
  const { size } = await stat(path);
  if (size > MOST_BYTES)
    throw new SkillError(
      "CONFIG_INVALID",
      `${path} has ${size} bytes; it may have ${MOST_BYTES}. Shorten it.`,
    );
  const text = await readFile(path, "utf8");
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SkillError("CONFIG_INVALID", `${path} is not JSON: ${why}. Mend it there.`, { cause: error });
  }
}

async function runProgram(path: string): Promise<unknown> {
  const module = await importProgram(path);
  const { default: given } = module;
  if (given !== undefined) return given;
  throw new SkillError(
    "CONFIG_INVALID",
    `${path} exports nothing as default. Write: export default { skills: { … } }.`,
  );
}

async function importProgram(path: string): Promise<{ readonly default?: unknown }> {
  // Node knows by itself from 22.18 on.
  const isNative = Boolean((process.features as { typescript?: unknown }).typescript);
  const load = isNative ? undefined : await loader(path);
  try {
    return await (load ? load(path) : import(pathToFileURL(path).href));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SkillError("CONFIG_INVALID", `${path} ended with an error: ${why}`, { cause: error });
  }
}

async function loader(path: string): Promise<(path: string) => Promise<{ readonly default?: unknown }>> {
  const { createJiti } = await importPeer(
    "jiti",
    `${path} on Node ${process.versions.node}`,
    () => import("jiti"),
  );
  const jiti = createJiti(pathToFileURL(path).href, {
    fsCache: false,
    moduleCache: false,
    interopDefault: false,
  });
  return (file) => jiti.import(file);
}
