import {
  type Diagnostic,
  isContainedPath,
  manifestDigest,
  SKILL_LIMITS,
  skillManifest,
} from "@skillwright/core";
import { headOf, type Publication, type PublicationHead, type PublishedFile } from "./publication.js";

/** Parses a record; `undefined` for anything that this package does not write. */
export function parsePublication(text: string, number: number): Publication | undefined {
  const value = parsed(text);
  if (!isObject(value) || value["formatVersion"] !== 1) return undefined;
  const { id, createdAt, files } = value;
  if (!isHead(value, number) || typeof id !== "string" || !isTime(createdAt)) return undefined;
  const about = { formatVersion: 1, id, createdAt } as const;
  const head = headOf(value);
  if (head.kind !== "published") return { ...about, ...head };
  if (!Array.isArray(files) || files.length > SKILL_LIMITS.files || !files.every(isFile)) return undefined;
  if (head.digest !== digestOf(files)) return undefined;
  return { ...about, ...head, files };
}

/** True where the value has all fields of a head, with values of their types. It may have others. */
export function isHead(
  value: Readonly<Record<string, unknown>>,
  number: number,
): value is PublicationHead & Readonly<Record<string, unknown>> {
  const { kind, name, since, path, hides } = value;
  if (value["number"] !== number || typeof name !== "string") return false;
  if (!isCount(since) || since > number || !isPlace(path)) return false;
  if (!Array.isArray(hides) || !hides.every((place) => typeof place === "string")) return false;
  if (kind === "deleted" || kind === "purged") return true;
  const { description, frontmatter, diagnostics, digest } = value;
  if (kind !== "published" || typeof description !== "string" || !isObject(frontmatter)) return false;
  return Array.isArray(diagnostics) && diagnostics.every(isDiagnostic) && typeof digest === "string";
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

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTime(value: unknown): value is string {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Paths of plain characters, as nearly all are: they need no further check. */
const PLAIN = /^[a-z0-9-]{1,64}$/;

/** A broken folder without a name is reported under any path. */
function isPlace(value: unknown): value is string {
  return typeof value === "string" && (value === "." || PLAIN.test(value) || isContainedPath(value));
}

export function isDiagnostic(value: unknown): value is Diagnostic {
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
