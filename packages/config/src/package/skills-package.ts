import { stat } from "node:fs/promises";
import type { S3Client } from "@aws-sdk/client-s3";
import { type Closable, type Diagnostic, SkillError, type SkillRepository } from "@skillwright/core";
import { ifThere } from "@skillwright/core/adapter";
import { fsRepository } from "@skillwright/repository-fs";
import { layered } from "@skillwright/skillbox";
import type { Environment } from "../clients/s3-client.js";
import { bucketRepository } from "../sources/bucket-repository.js";
import { type SourceClients, sourceClients } from "../sources/source-clients.js";
import { checkSkillsPackage } from "./check-skills-package.js";
import { bucketCommands, folderCommands } from "./command-texts.js";
import { enabledSkills } from "./enabled-skills.js";
import { type PackagePlace, packagePlaces } from "./package-places.js";
import type { CheckedSkillsPackage, SkillsPackageConfig } from "./skills-package-config.js";

export interface SkillsPackageOptions {
  /** Base of relative folders. Defaults to the current directory. */
  readonly workDir?: string | undefined;
  /** A client for the bucket. By default one is created from the standard variables and the URL in `path`. */
  readonly s3?: S3Client | undefined;
  /** Defaults to `process.env`. */
  readonly env?: Environment | undefined;
}

/** Skills and commands selected by a configuration. `close` closes what was opened, not what was passed in. */
export interface SkillsPackage extends Closable {
  readonly repository: SkillRepository;
  /** Texts of the enabled commands by name, for `hybrid` the local ones first; not validated. */
  readonly commands: ReadonlyMap<string, string>;
  /** Reports enabled skills and commands that do not exist, and settings without effect. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Opens the skills and commands selected by a skills package.
 *
 * @throws SkillError `CONFIG_INVALID` naming each wrong field, also where a local folder does not exist; `UNSUPPORTED`
 * where a package for buckets is not installed; errors of the bucket.
 */
export async function openSkillsPackage(
  config: SkillsPackageConfig,
  { workDir = ".", s3, env = process.env }: SkillsPackageOptions = {},
): Promise<SkillsPackage> {
  const checked = checkSkillsPackage(config);
  const places = packagePlaces(checked, workDir);
  const clients = sourceClients(env, s3);
  const opened: SkillRepository[] = [];
  try {
    for (const place of places) opened.push(await placeRepository(place, clients));
    const [first, ...others] = opened;
    const whole = first && others.length > 0 ? layered(first, ...others) : first;
    if (!whole) throw new SkillError("CONFIG_INVALID", "The skills package has no path.");
    const found = await commandsOf(places, clients);
    const commands = enabledOf(found.texts, checked.enabledCommands);
    return {
      repository: checked.enabledSkills ? enabledSkills(whole, checked.enabledSkills) : whole,
      commands,
      diagnostics: [
        ...(await missingSkills(whole, checked.enabledSkills)),
        ...found.diagnostics,
        ...(found.diagnostics.length > 0 ? [] : missingCommands(commands, checked.enabledCommands)),
        ...withoutEffect(checked),
      ],
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }

  async function close(): Promise<void> {
    for (const repository of opened) await repository.close();
    await clients.close();
  }
}

async function placeRepository(place: PackagePlace, clients: SourceClients): Promise<SkillRepository> {
  if (place.kind === "bucket")
    return await bucketRepository(await clients.s3(place), place.bucket, place.skills);
  if ((await ifThere(stat(place.skills)))?.isDirectory()) return fsRepository({ root: place.skills });
  const fields = [{ path: "skillsPackage.path", given: place.skills, expected: "a folder" }];
  throw new SkillError(
    "CONFIG_INVALID",
    `skillsPackage.path and skillsPackage.skillsDir lead to ${place.skills}, which is not a folder with skills. ` +
      "Create it, or correct one of the two (both are relative to the working directory).",
    { details: { fields } },
  );
}

/** An unreachable bucket is a diagnostic when a folder takes precedence over it, otherwise an error. */
async function commandsOf(
  places: readonly PackagePlace[],
  clients: SourceClients,
): Promise<{ texts: ReadonlyMap<string, string>; diagnostics: readonly Diagnostic[] }> {
  const texts = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  for (const place of places)
    try {
      for (const [name, text] of await commandsAt(place, clients))
        if (!texts.has(name)) texts.set(name, text);
    } catch (error) {
      const failure = SkillError.from(error, "Listing the commands of the bucket");
      if (places.length === 1) throw failure;
      diagnostics.push(unreachable(failure));
    }
  return { texts, diagnostics };
}

async function commandsAt(place: PackagePlace, clients: SourceClients): Promise<ReadonlyMap<string, string>> {
  if (place.kind === "folder") return await folderCommands(place.commands);
  return await bucketCommands(await clients.s3(place), place.bucket, place.commands);
}

function unreachable({ code, message }: SkillError): Diagnostic {
  return {
    code: "repository.failed",
    severity: "error",
    message: `The bucket of skillsPackage.path cannot be reached (${code}): ${message} Only the content of the local folder is offered.`,
    hint: "Check the address, the credentials and the network. The skills return once the bucket can be reached, the commands at the next start.",
  };
}

function enabledOf(
  commands: ReadonlyMap<string, string>,
  enabled: readonly string[] | undefined,
): ReadonlyMap<string, string> {
  return new Map([...commands].filter(([name]) => enabled?.includes(name) ?? true));
}

async function missingSkills(
  repository: SkillRepository,
  enabled: readonly string[] = [],
): Promise<Diagnostic[]> {
  if (enabled.length === 0) return [];
  const { skills, diagnostics } = await repository.list();
  // The content of a location that cannot be listed is unknown.
  if (diagnostics.some(({ code }) => code === "repository.failed")) return [];
  const present = new Set(skills.map(({ name }) => name));
  return enabled
    .filter((name) => !present.has(name))
    .map((name) => ({
      code: "config.unknown-skill",
      severity: "warning",
      message: `The enabled skill "${name}" is missing or broken in ${repository.label}.`,
      hint: "Check the name, or remove it from skillsPackage.enabledSkills.",
    }));
}

function missingCommands(
  commands: ReadonlyMap<string, string>,
  enabled: readonly string[] = [],
): Diagnostic[] {
  return enabled
    .filter((name) => !commands.has(name))
    .map((name) => ({
      code: "config.unknown-command",
      severity: "warning",
      message: `The enabled command "${name}" does not exist.`,
      hint: `Add ${name}.md to skillsPackage.commandsDir, or remove it from skillsPackage.enabledCommands.`,
    }));
}

function withoutEffect({ source, version }: CheckedSkillsPackage): Diagnostic[] {
  if (source !== "local" || version === undefined) return [];
  return [
    {
      code: "config.version-without-effect",
      severity: "warning",
      message: `skillsPackage.version "${version}" has no effect: a local folder has one version.`,
      hint: "Leave it out, or point skillsPackage.path to the folder of that version.",
    },
  ];
}
