import type { ArtifactVersion, ByteStream } from "@skillwright/core";

/** One regular file of an input. */
export interface InputFile {
  /** Path relative to the input's target; empty where the input is this one file. */
  readonly path: string;
  /** Size in bytes, where it is known before reading. */
  readonly size?: number | undefined;
  readonly executable?: boolean;
  /** @throws SkillError as `Workspaces.run` promises for inputs. */
  readonly open: () => Promise<OpenedInput>;
}

export interface OpenedInput {
  readonly content: ByteStream;
  /** Call it when the content is no longer needed, read or not. */
  readonly close?: () => Promise<void>;
}

/** The resolved content of an input. */
export interface InputTree {
  readonly files: readonly InputFile[];
  readonly isDirectory: boolean;
  /** For an artifact: the version that was used. */
  readonly artifact?: ArtifactVersion;
}

/** Creates an input that is one file. */
export function singleFile(file: Omit<InputFile, "path">): InputTree {
  return { isDirectory: false, files: [{ ...file, path: "" }] };
}
