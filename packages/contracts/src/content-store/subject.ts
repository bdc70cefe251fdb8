import { createHash } from "node:crypto";
import type { ContentStore } from "@skillwright/core";
import { type ByteStream, byteStream, type SkillManifest, skillManifest } from "@skillwright/core";
import type { ContractPromise } from "../contract.js";
import { type SeedFile, skillMarkdown } from "../seeds.js";

export interface ContentSubject {
  readonly store: ContentStore;
  /** A second store on the same storage, as another process would open it. */
  readonly other: ContentStore;
}

export type ContentPromise = ContractPromise<ContentSubject>;

/** A skill to materialize, which counts how often its files are opened. */
export interface Source {
  readonly manifest: SkillManifest;
  readonly open: (path: string) => Promise<ByteStream>;
  opened(): number;
}

const FILES: Readonly<Record<string, SeedFile>> = {
  "SKILL.md": skillMarkdown("demo"),
  "scripts/run.sh": { content: "#!/bin/sh\necho run\n", executable: true },
  "assets/deep/logo.bin": Uint8Array.of(0, 255, 13, 10),
  "empty.txt": "",
};

/** Creates a skill with these files; `instead` gives bytes that differ from the manifest. */
export function source(
  files: Readonly<Record<string, SeedFile>> = FILES,
  instead: Readonly<Record<string, string>> = {},
): Source {
  const contents = new Map(Object.entries(files).map(([path, file]) => [path, plain(file)]));
  let count = 0;
  return {
    manifest: skillManifest(
      [...contents].map(([path, { bytes, executable }]) => ({
        path,
        size: bytes.byteLength,
        executable,
        sha256: createHash("sha256").update(bytes).digest("hex"),
      })),
    ),
    open: async (path) => {
      count++;
      return byteStream(instead[path] ?? contents.get(path)?.bytes ?? "");
    },
    opened: () => count,
  };
}

function plain(file: SeedFile): { bytes: Uint8Array; executable: boolean } {
  const { content, executable = false } =
    typeof file === "string" || file instanceof Uint8Array ? { content: file } : file;
  return { bytes: Uint8Array.from(Buffer.from(content)), executable };
}
