import {
  type Diagnostic,
  isContainedPath,
  type JsonObject,
  manifestDigest,
  SKILL_LIMITS,
  skillManifest,
} from "@skillwright/core";
import type { Publication, PublishedFile } from "./publication.js";

/** Parses a record; `undefined` for anything that this package does not write. */
export function parsePublication(text: string, number: number): Publication | undefined {
  const value = parsed(text);
  if (!isObject(value) || value["formatVersion"] !== 1 || value["number"] !== number) return undefined;
  const { kind, id, name, createdAt, since, path, hides } = value;
  if (typeof id !== "string" || typeof name !== "string" || !isTime(createdAt)) return undefined;
  if (!isCount(since) || since > number || !isPlace(path)) return undefined;
  if (!Array.isArray(hides) || !hides.every((place) => typeof place === "string")) return undefined;
  const about = { formatVersion: 1, number, id, name, createdAt, since, path, hides } as const;
  if (kind === "deleted" || kind === "purged") return { ...about, kind };
  const { description, frontmatter, diagnostics, files, digest } = value;
  if (kind !== "published" || typeof description !== "string" || !isObject(frontmatter)) return undefined;
  if (!Array.isArray(diagnostics) || !diagnostics.every(isDiagnostic)) return undefined;
  if (!Array.isArray(files) || files.length > SKILL_LIMITS.files || !files.every(isFile)) return undefined;
  if (typeof digest !== "string" || digest !== digestOf(files)) return undefined;
  return { ...about, kind, description, frontmatter: frontmatter as JsonObject, diagnostics, files, digest };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function digestOf(files: readonly PublishedFile[]): string | undefined {
  try {
    return manifestDigest(skillManifest(files));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTime(value: unknown): value is string {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** A broken folder without a name is reported under any path. */
function isPlace(value: unknown): value is string {
  return typeof value === "string" && (value === "." || isContainedPath(value));
}

function isDiagnostic(value: unknown): value is Diagnostic {
  if (!isObject(value)) return false;
  const { code, severity, message, hint, path, line, column } = value;
  return (
    [code, message, hint].every((text) => typeof text === "string") &&
    ["error", "warning", "info"].includes(severity as string) &&
    (path === undefined || typeof path === "string") &&
    [line, column].every((place) => place === undefined || isCount(place))
  );
}

function isFile(value: unknown): value is PublishedFile {
  if (!isObject(value)) return false;
  const { path, size, executable, sha256, upload } = value;
  return (
    typeof path === "string" &&
    isCount(size) &&
    typeof executable === "boolean" &&
    typeof sha256 === "string" &&
    /^[0-9a-f]{64}$/.test(sha256) &&
    typeof upload === "string" &&
    /^[0-9a-z-]{1,64}$/.test(upload)
  );
}
