import { hash as digestOf } from "node:crypto";
import { SkillError } from "@skillwright/core";
import type { ServerConnection } from "../server/server-connection.js";
import type { OfferedFile } from "./offered-skill.js";

/**
 * Requests the file.
 * @throws SkillError `DIGEST_MISMATCH` for bytes that are not those of the listing; as `ServerConnection`.
 */
export async function readFile(
  connection: ServerConnection,
  { uri, path, size, sha256 }: OfferedFile,
  skill: string,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const bytes = await connection.content(uri, signal);
  if (bytes.byteLength !== size) throw mismatch(skill, path, `${bytes.byteLength} bytes`, `${size} bytes`);
  const actual = digestOf("sha256", bytes, "hex");
  if (actual !== sha256) throw mismatch(skill, path, `the digest ${actual}`, sha256);
  return bytes;
}

function mismatch(skill: string, path: string, actual: string, listed: string): SkillError {
  return new SkillError(
    "DIGEST_MISMATCH",
    `The server sent the file "${path}" of the skill "${skill}" with ${actual}, but listed it with ${listed}, so it is not used. Refresh to see its current list; if that does not help, do not use this server.`,
    { details: { path } },
  );
}
