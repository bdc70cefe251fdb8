import { readFile, stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { type Diagnostic, SkillError } from "@skillwright/core";
import { configurationInvalid } from "../checking/configuration-invalid.js";
import { importPeer } from "../clients/import-peer.js";
import type { ConfigurationFile } from "./configuration-file.js";
import { checkConfiguration, fittingConfiguration } from "./configuration-schema.js";
import type { FoundFile } from "./find-files.js";
import { withoutDeepValues } from "./without-deep-values.js";
import { withoutForeignSettings } from "./without-foreign-settings.js";

const MOST_BYTES = 1024 * 1024;

/**
 * Reads the file without the parts that are reported through `tell`.
 * @throws SkillError `CONFIG_INVALID` naming the file; `UNSUPPORTED` where a `.ts` file cannot be read here.
 */
export async function readConfigurationFile(
  { path, kind }: FoundFile,
  tell: (diagnostic: Diagnostic) => void,
): Promise<ConfigurationFile> {
  const given = kind === "json" ? await readJson(path) : await runProgram(path);
  return checkConfiguration(usablePart(given, path, tell), path);
}

/** Reads the valid parts of an untrusted `.json` file; problems are reported and never thrown. */
export async function readStrangersFile(
  path: string,
  tell: (diagnostic: Diagnostic) => void,
): Promise<ConfigurationFile> {
  let given: unknown;
  try {
    given = await readJson(path);
  } catch (error) {
    tell(unfit(`${SkillError.from(error, `Reading ${path}`).message} The file is ignored.`));
    return {};
  }
  return fittingConfiguration(usablePart(given, path, tell), (problems) => {
    const shown = problems.slice(0, MOST_TOLD);
    const more = problems.length > shown.length ? `\n- and ${problems.length - shown.length} more.` : "";
    tell(unfit(`${configurationInvalid(path, shown).message}${more}\nThese are left out.`));
  });
}

/** Removes what is not used here, and reports it. */
function usablePart(given: unknown, path: string, tell: (diagnostic: Diagnostic) => void): unknown {
  return withoutForeignSettings(withoutDeepValues(given, path, tell), path, tell);
}

const MOST_TOLD = 10;

function unfit(message: string): Diagnostic {
  const hint = "Correct the file. The rest of it and of the configuration is used.";
  return { code: "configuration.unfit", severity: "warning", message, hint };
}

async function readJson(path: string): Promise<unknown> {
  const { size } = await stat(path);
  if (size > MOST_BYTES)
    throw new SkillError(
      "CONFIG_INVALID",
      `${path} has ${size} bytes; at most ${MOST_BYTES} are allowed. Shorten it.`,
    );
  const text = await readFile(path, "utf8");
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SkillError("CONFIG_INVALID", `${path} is not valid JSON: ${why}. Correct it.`, {
      cause: error,
    });
  }
}

async function runProgram(path: string): Promise<unknown> {
  const module = await importProgram(path);
  const { default: given } = module;
  if (given !== undefined) return given;
  throw new SkillError(
    "CONFIG_INVALID",
    `${path} has no default export. Write: export default { skills: { … } }.`,
  );
}

async function importProgram(path: string): Promise<{ readonly default?: unknown }> {
  // Node supports it natively from 22.18 on.
  const isNative = Boolean((process.features as { typescript?: unknown }).typescript);
  const load = isNative ? undefined : await loader(path);
  try {
    return await (load ? load(path) : import(pathToFileURL(path).href));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SkillError("CONFIG_INVALID", `${path} failed: ${why}`, { cause: error });
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
