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
import { type NamedNeed, namedNeeds } from "./named-needs.js";
import { nodeNeed } from "./node-need.js";
import { pythonNeed } from "./python-need.js";
import { rubyNeed } from "./ruby-need.js";
import { PLACES, type SkillFiles, type Unprepared } from "./skill-files.js";

const MAX_LOCK_BYTES = 16 * 1024 * 1024;
const FORMAT = "skillwright-environment-1";
/** Files that name packages and from which none are prepared. */
const NOT_PREPARED = ["poetry.lock", "Pipfile.lock", "yarn.lock", "pnpm-lock.yaml"];

export interface SkillEnvironmentNeeds {
  readonly needs: readonly EnvironmentNeed[];
  /** What was found and is not prepared, and why. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the header names without locking it. */
  readonly named: readonly NamedNeed[];
}

/**
 * The packages that a skill locks, in its directory or in `scripts/`: `requirements.txt` with hashes, `pyproject.toml`
 * with `uv.lock`, or the locks of its scripts (`SCRIPT.py.lock`); `package.json` with `package-lock.json`. Wheels in a
 * `wheels/` directory beside the lockfile take the place of the index. Also what `compatibility` and OpenClaw's `install`
 * name. Nothing is fetched or started.
 * @throws SkillError as `open`; `LIMIT_EXCEEDED` for a lockfile above 16 MiB; `DIGEST_MISMATCH`.
 */
export async function skillEnvironmentNeeds(
  skill: Pick<Skill, "name" | "manifest" | "frontmatter">,
  open: SkillReader,
  options: CallOptions = {},
): Promise<SkillEnvironmentNeeds> {
  const files = filesOf(skill, open, options);
  const diagnostics: Diagnostic[] = [];
  const needs: EnvironmentNeed[] = [];
  for (const read of [pythonNeed, nodeNeed, rubyNeed]) {
    const { need, unprepared, ignored = [] } = await read(files);
    if (need) needs.push({ ...need, digest: digestOf(need) });
    if (need && ignored.length > 0) diagnostics.push(ignoredOptions(skill.name, need.declaredIn, ignored));
    diagnostics.push(...unprepared.map((one) => notPrepared(skill.name, one)));
  }
  for (const path of PLACES.flatMap((place) => NOT_PREPARED.map((name) => `${place}${name}`)))
    if (files.has(path))
      diagnostics.push(
        notPrepared(skill.name, { path, why: "packages of this kind of file are not prepared" }),
      );
  return { needs, diagnostics, named: namedNeeds(skill) };
}

function filesOf(
  { manifest: { files } }: Pick<Skill, "manifest">,
  open: SkillReader,
  { signal }: CallOptions,
): SkillFiles {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return {
    files,
    has: (path) => byPath.has(path),
    text: async (path) => {
      const file = byPath.get(path);
      const pieces: Uint8Array[] = [];
      if (!file) return "";
      const content = byteStream(verifiedContent(file, await open(path)));
      for await (const piece of limitedStream(content, MAX_LOCK_BYTES)) {
        signal?.throwIfAborted();
        pieces.push(piece);
      }
      return Buffer.concat(pieces).toString("utf8");
    },
  };
}

function digestOf({ kind, files, wheels }: Omit<EnvironmentNeed, "digest">): string {
  const parts = [FORMAT, kind, files, wheels.map(({ path, sha256 }) => [path, sha256])];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function notPrepared(skill: string, { path, why, remedy = LOCK }: Unprepared): Diagnostic {
  return {
    code: "environment.not-prepared",
    severity: "warning",
    message: `The packages in ${path} of the skill "${skill}" are not prepared: ${why}.`,
    hint: remedy,
    path,
  };
}

const LOCK =
  "Lock them in a requirements.txt with a hash for each package, with `uv lock`, or in a package-lock.json.";

function ignoredOptions(skill: string, path: string, options: readonly string[]): Diagnostic {
  return {
    code: "environment.option-ignored",
    severity: "info",
    message: `The options ${[...new Set(options)].join(", ")} in ${path} of the skill "${skill}" are ignored.`,
    hint: "The package index is the one that pip is configured with on this machine.",
    path,
  };
}
