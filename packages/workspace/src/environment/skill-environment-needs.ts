import { createHash } from "node:crypto";
import {
  byteStream,
  type CallOptions,
  type Diagnostic,
  type Skill,
  type SkillReader,
} from "@skillwright/core";
import { verifiedContent } from "@skillwright/core/adapter";
import { limitedStream } from "../waiting/limited-stream.js";
import type { EnvironmentNeed } from "./environment-need.js";
import { lockedNodePackages } from "./locked-node-packages.js";
import { lockedRequirements } from "./locked-requirements.js";
import { unlockedPythonPackages } from "./unlocked-python-packages.js";

const MAX_LOCK_BYTES = 16 * 1024 * 1024;
const FORMAT = "skillwright-environment-1";
/** Directories of a skill in which files that lock packages are searched, the first one wins. */
const PLACES = ["", "scripts/"];
/** Files that name packages and from which none are prepared. */
const NOT_PREPARED = [
  "uv.lock",
  "poetry.lock",
  "Pipfile.lock",
  "Gemfile.lock",
  "yarn.lock",
  "pnpm-lock.yaml",
];

export interface SkillEnvironmentNeeds {
  readonly needs: readonly EnvironmentNeed[];
  /** What was found and is not prepared, and why. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The packages that a skill locks: `requirements.txt` with hashes, `package.json` with `package-lock.json`; in the
 * skill's directory or in `scripts/`. Wheels in a `wheels/` directory beside `requirements.txt` take the place of the
 * index. Nothing is fetched or started.
 * @throws SkillError as `open`; `LIMIT_EXCEEDED` for a lockfile above 16 MiB; `DIGEST_MISMATCH`.
 */
export async function skillEnvironmentNeeds(
  skill: Pick<Skill, "name" | "manifest">,
  open: SkillReader,
  { signal }: CallOptions = {},
): Promise<SkillEnvironmentNeeds> {
  const { files } = skill.manifest;
  const needs: EnvironmentNeed[] = [];
  const diagnostics: Diagnostic[] = [];
  const has = (path: string) => files.some((file) => file.path === path);

  const text = async (path: string): Promise<string> => {
    const file = files.find((one) => one.path === path);
    const pieces: Uint8Array[] = [];
    if (!file) return "";
    const content = byteStream(verifiedContent(file, await open(path)));
    for await (const piece of limitedStream(content, MAX_LOCK_BYTES)) {
      signal?.throwIfAborted();
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString("utf8");
  };

  await addPython();
  await addNode();
  for (const name of NOT_PREPARED)
    for (const path of PLACES.map((place) => `${place}${name}`).filter(has))
      diagnostics.push(notPrepared(skill.name, path, "packages of this kind of file are not prepared"));
  return { needs, diagnostics };

  async function addPython(): Promise<void> {
    const [place, ...others] = PLACES.filter((one) => has(`${one}requirements.txt`));
    if (place === undefined) {
      for (const path of await unlockedPythonPackages(files, text))
        diagnostics.push(notPrepared(skill.name, path, "they are not locked"));
      return;
    }
    for (const other of others) addOther(`${other}requirements.txt`, place);
    const declaredIn = `${place}requirements.txt`;
    const locked = lockedRequirements(await text(declaredIn));
    if ("problem" in locked)
      return void diagnostics.push(notPrepared(skill.name, declaredIn, locked.problem));
    if (locked.ignored.length > 0) diagnostics.push(ignored(skill.name, declaredIn, locked.ignored));
    if (locked.packages.length === 0) return;
    const wheels = files.filter(({ path }) => path.startsWith(`${place}wheels/`) && path.endsWith(".whl"));
    const { packages, text: checked } = locked;
    const own = {
      kind: "python",
      declaredIn,
      packages,
      files: { "requirements.txt": checked },
      wheels,
    } as const;
    needs.push({ ...own, digest: digestOf(own) });
  }

  async function addNode(): Promise<void> {
    const [place, ...others] = PLACES.filter((one) => has(`${one}package-lock.json`));
    if (place === undefined) return await tellUnlocked();
    for (const other of others) addOther(`${other}package-lock.json`, place);
    const declaredIn = `${place}package-lock.json`;
    const locked = lockedNodePackages(await text(`${place}package.json`), await text(declaredIn));
    if ("problem" in locked)
      return void diagnostics.push(notPrepared(skill.name, declaredIn, locked.problem));
    if (locked.packages.length === 0) return;
    const own = { kind: "node", declaredIn, ...locked, wheels: [] } as const;
    needs.push({ ...own, digest: digestOf(own) });
  }

  async function tellUnlocked(): Promise<void> {
    for (const path of PLACES.map((place) => `${place}package.json`).filter(has))
      if (/"(dependencies|optionalDependencies)"\s*:\s*\{\s*"/.test(await text(path)))
        diagnostics.push(notPrepared(skill.name, path, "there is no package-lock.json beside it"));
  }

  function addOther(path: string, place: string): void {
    diagnostics.push(notPrepared(skill.name, path, `the one in ${place || "the skill's directory"} is used`));
  }
}

function digestOf({ kind, files, wheels }: Pick<EnvironmentNeed, "kind" | "files" | "wheels">): string {
  const parts = [FORMAT, kind, files, wheels.map(({ path, sha256 }) => [path, sha256])];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function notPrepared(skill: string, path: string, why: string): Diagnostic {
  return {
    code: "environment.not-prepared",
    severity: "warning",
    message: `The packages in ${path} of the skill "${skill}" are not prepared: ${why}.`,
    hint: "Lock them in a requirements.txt with a hash for each package, or in a package-lock.json.",
    path,
  };
}

function ignored(skill: string, path: string, options: readonly string[]): Diagnostic {
  return {
    code: "environment.option-ignored",
    severity: "info",
    message: `The options ${[...new Set(options)].join(", ")} in ${path} of the skill "${skill}" are ignored.`,
    hint: "The package index is the one that pip is configured with on this machine.",
    path,
  };
}
