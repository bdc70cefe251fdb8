import { createHash } from "node:crypto";
import {
  type ArtifactScope,
  type ArtifactStore,
  type ArtifactVersion,
  type ByteSource,
  byteStream,
  type CallOptions,
  containedPath,
  readBytes,
  SkillError,
} from "@skillwright/core";
import { abortable, checkAborted, checkArtifactScope } from "@skillwright/core/adapter";

interface StoredArtifact {
  readonly artifact: ArtifactVersion;
  readonly bytes: Uint8Array;
}

/** Stores artifacts in this process's memory. Content is held completely: for tests and small outputs. */
export function memoryArtifacts(): ArtifactStore {
  /** By scope, then by name; a version's number is its index in the list. */
  const scopes = new Map<string, Map<string, StoredArtifact[]>>();

  const save: ArtifactStore["save"] = async (scope, name, content, options = {}) => {
    checkAborted(options.signal);
    const names = namesOf(scope);
    containedPath(name);
    const { mimeType = "application/octet-stream", metadata = {} } = options;
    const described = structuredClone({ mimeType, metadata });
    const bytes = await wholeContent(content, options.signal);
    // No await from here on, so that two concurrent saves get two numbers.
    const saved = names.get(name) ?? [];
    const artifact: ArtifactVersion = {
      name,
      version: saved.length,
      size: bytes.byteLength,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      createdAt: new Date().toISOString(),
      ...described,
    };
    names.set(name, [...saved, { artifact, bytes }]);
    return structuredClone(artifact);
  };

  const open: ArtifactStore["open"] = async (scope, name, { signal, version } = {}) => {
    checkAborted(signal);
    const saved = namesOf(scope).get(name) ?? [];
    const found = version === undefined ? saved.at(-1) : saved[version];
    if (!found) throw notFound(name, version);
    return {
      artifact: structuredClone(found.artifact),
      content: byteStream(Uint8Array.from(found.bytes)),
    };
  };

  async function list(
    scope: ArtifactScope,
    { signal }: CallOptions = {},
  ): Promise<readonly ArtifactVersion[]> {
    checkAborted(signal);
    const newest = [...namesOf(scope).values()].flatMap((saved) => saved.at(-1)?.artifact ?? []);
    return structuredClone(newest.sort((a, b) => (a.name < b.name ? -1 : 1)));
  }

  const versions: ArtifactStore["versions"] = async (scope, name, { signal } = {}) => {
    checkAborted(signal);
    return structuredClone((namesOf(scope).get(name) ?? []).map(({ artifact }) => artifact));
  };

  const remove: ArtifactStore["delete"] = async (scope, name, { signal } = {}) => {
    checkAborted(signal);
    return namesOf(scope).delete(name);
  };

  async function close(): Promise<void> {}

  return { save, open, list, versions, delete: remove, close, [Symbol.asyncDispose]: close };

  function namesOf(scope: ArtifactScope): Map<string, StoredArtifact[]> {
    const { app, user, session } = checkArtifactScope(scope);
    const key = JSON.stringify([app, user, session]);
    const names = scopes.get(key) ?? new Map<string, StoredArtifact[]>();
    scopes.set(key, names);
    return names;
  }
}

async function wholeContent(content: ByteSource, signal: AbortSignal | undefined): Promise<Uint8Array> {
  return await readBytes(copies(), Number.POSITIVE_INFINITY);

  async function* copies(): AsyncGenerator<Uint8Array> {
    for await (const piece of abortable(byteStream(content), signal)) yield Uint8Array.from(piece);
  }
}

function notFound(name: string, version: number | undefined): SkillError {
  const what = version === undefined ? `artifact "${name}"` : `version ${version} of the artifact "${name}"`;
  return new SkillError(
    "ARTIFACT_NOT_FOUND",
    `There is no ${what}. List the artifacts to see the existing ones.`,
  );
}
