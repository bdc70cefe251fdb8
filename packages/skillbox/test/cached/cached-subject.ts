import type { ContractPromise, Disposing } from "@skillwright/contracts";
import { type ByteSource, type ContentStore, readText, type SkillRepository } from "@skillwright/core";
import { fsContentStore } from "@skillwright/repository-fs";
import { type CachedOptions, cached } from "@skillwright/skillbox";
import { temporaryDirectory } from "../../../repository-fs/test/fs-subject.js";
import { skillFile } from "../skill-file.js";

type Cached = ReturnType<typeof cached<SkillRepository>>;

export interface CachedSubject {
  readonly root: string;
  /** The store of this process; each call returns that of another process. */
  store(): ContentStore;
  cached(repository: SkillRepository, options: CachedOptions): Cached;
}

export type CachedPromise = ContractPromise<CachedSubject>;

export async function cachedSubject(): Promise<CachedSubject & Disposing> {
  const { root, dispose } = await temporaryDirectory();
  return { root, store: () => fsContentStore({ root }), cached: (...given) => cached(...given), dispose };
}

/** A skill of three files. */
export const ALPHA = {
  alpha: { ...skillFile("alpha"), "docs/a.md": "# A\n", "large.txt": "0123456789".repeat(40_000) },
};

export async function textOf(source: ByteSource | Promise<ByteSource>): Promise<string> {
  return await readText(await source, 1e7);
}

export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  );
}
