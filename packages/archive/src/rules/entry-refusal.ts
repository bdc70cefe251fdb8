import type { SkillErrorCode } from "@skillwright/core";
import { type ArchiveEntry, fileNameProblem } from "@skillwright/core/adapter";

const MAX_DEPTH = 32;
const MAX_RATIO = 200;
const RATIO_FROM_BYTES = 1024 * 1024;

export interface Refusal {
  readonly rule: string;
  readonly code: SkillErrorCode;
  readonly message: string;
}

/** Checks the entry's type and form, before its name is parsed as a path. */
export function formRefusal({ name, kind, size }: ArchiveEntry): Refusal | undefined {
  const shown = JSON.stringify(name.slice(0, 200));
  if (name === "")
    return refusal("archive.name", "PATH_INVALID", "An entry has an empty name. Pack it again.");
  if (kind !== "file" && kind !== "folder") return kindRefusal(shown, kind);
  if (!Number.isSafeInteger(size) || size < 0)
    return invalid("archive.size", `The entry ${shown} declares an impossible size. The archive is damaged.`);
  if (kind === "folder" && size > 0)
    return invalid("archive.size", `The entry ${shown} is a folder with content. The archive is damaged.`);
  if (name.includes("\\") && !name.split(/[/\\]/).includes("..") && !/^(?:[A-Za-z]:|[/\\])/.test(name))
    return refusal(
      "archive.backslash",
      "PATH_INVALID",
      `The entry ${shown} contains a backslash, which is a separator on some systems and a character on others. Pack it with "/" as separator.`,
    );
  return undefined;
}

/** Checks an entry whose path is contained, independent of all other entries. */
export function entryRefusal(entry: ArchiveEntry, path: string): Refusal | undefined {
  const parts = path.split("/");
  for (const part of parts) {
    const problem = fileNameProblem(part);
    if (problem)
      return refusal(
        "archive.name",
        "PATH_INVALID",
        `The part "${part}" of the entry "${path}" ${problem}. Rename it.`,
      );
  }
  if (parts.length > MAX_DEPTH)
    return exceeded(`The entry "${path}" is more than ${MAX_DEPTH} folders deep. Flatten it.`);
  const { size, packedSize } = entry;
  if (packedSize !== undefined && isBomb(size, packedSize))
    return exceeded(
      `The entry "${path}" claims to unpack ${packedSize} bytes to ${size}, more than ${MAX_RATIO} times as many. If that is correct, pack it uncompressed.`,
    );
  return undefined;
}

/** True where the ratio of claimed to packed bytes rules out an honest file: over 200 times, above 1 MiB. */
export function isBomb(size: number, packedSize: number): boolean {
  return size > RATIO_FROM_BYTES && size > packedSize * MAX_RATIO;
}

function kindRefusal(shown: string, kind: ArchiveEntry["kind"]): Refusal {
  const article = kind === "other" ? "of an unknown type" : `a ${kind}`;
  const rule = kind.endsWith("link") ? "archive.link" : "archive.type";
  return invalid(
    rule,
    `The entry ${shown} is ${article}. A skill contains only files and folders: pack a regular file.`,
  );
}

function invalid(rule: string, message: string): Refusal {
  return refusal(rule, "SKILL_INVALID", message);
}

function exceeded(message: string): Refusal {
  return refusal("archive.limit", "LIMIT_EXCEEDED", message);
}

function refusal(rule: string, code: SkillErrorCode, message: string): Refusal {
  return { rule, code, message };
}
