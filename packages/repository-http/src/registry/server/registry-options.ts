import type { SkillRepository } from "@skillwright/core";
import type { ArchiveOpener } from "../../archive-opener.js";
import type { ArchiveWriter } from "../../archive-writer.js";
import type { RegistryLabels } from "../registry-labels.js";

/** What a request wants to do. `publish` and `delete` change skills, `label` moves or removes a label. */
export type RegistryAction = "read" | "publish" | "delete" | "label";

export interface RegistryAccess {
  readonly action: RegistryAction;
  /** The skill that is published, deleted or labelled, or whose content or versions are read. */
  readonly skill?: string | undefined;
  /** The bearer token, if the request has one. Compare it in constant time. */
  readonly token?: string | undefined;
  /** The request itself. Do not read its body. */
  readonly request: Request;
}

export interface RegistryHandlerOptions {
  /** The skills. Writable only where it has `upload`; versions are those of `versions`. The caller closes it. */
  readonly repository: SkillRepository;
  /** `writeArchive` of `@skillwright/archive`. */
  readonly writeArchive: ArchiveWriter;
  /** `openArchive` of `@skillwright/archive`; without it nothing can be published. */
  readonly openArchive?: ArchiveOpener | undefined;
  /** Decides about each request. Missing: everyone may read, and nobody may change anything. */
  readonly authorize?: ((access: RegistryAccess) => boolean | Promise<boolean>) | undefined;
  /** `fileLabels` or `memoryLabels`; without them versions have no labels. */
  readonly labels?: RegistryLabels | undefined;
  /** The path below which the registry is served. Defaults to `/`. */
  readonly path?: string | undefined;
  /** Defaults to 32 MiB for an upload; 512 files, 16 MiB unpacked, 1 MiB for SKILL.md. */
  readonly limits?:
    | { readonly archiveBytes?: number; readonly files?: number; readonly bytes?: number }
    | undefined;
  /**
   * Called for failures that are not the client's, which is told nothing about them, and for each skill that cannot be
   * packed and is left out of the index.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}
