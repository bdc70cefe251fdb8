import type { ArtifactVersion, ByteStream } from "@skillwright/core";

/** One regular file of an input. */
export interface InputFile {
  /** Relative to the input's target; empty where the input is this one file. */
  readonly path: string;
  /** Bytes, where that is known before it is read. */
  readonly size?: number | undefined;
  readonly executable?: boolean;
  /** @throws SkillError as `Workspaces.run` promises for inputs. */
  readonly open: () => Promise<OpenedInput>;
}

export interface OpenedInput {
  readonly content: ByteStream;
  /** To be called when the content is no longer wanted, read or not. */
  readonly close?: () => Promise<void>;
}

/** What an input's source turned out to be. */
export interface InputTree {
  readonly files: readonly InputFile[];
  readonly isDirectory: boolean;
  /** The version that was taken, for an artifact. */
  readonly artifact?: ArtifactVersion;
}

/** The input that is one file. */
export function singleFile(file: Omit<InputFile, "path">): InputTree {
  return { isDirectory: false, files: [{ ...file, path: "" }] };
}
