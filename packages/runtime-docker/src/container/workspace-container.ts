import type { CallOptions } from "@skillwright/core";
import type Dockerode from "dockerode";
import type { EngineClient } from "../engine/engine-client.js";
import type { MadeLimits } from "./container-labels.js";

/** Mount point of a workspace's volume; the workspace's root is one directory in it, `meta` another. */
export const VOLUME = "/skillwright";
/**
 * The root as commands see it. Owned by root, as is `skills/`; `work/`, `out/` and `runs/` belong to the run's user.
 */
export const ROOT = `${VOLUME}/workspace`;
/** Accessible to root only: records of staged skills, and notes. */
export const META = `${VOLUME}/meta`;
/**
 * Owned by root; others may pass through and create entries but not list them: incoming data, under names that cannot
 * be guessed.
 */
export const INCOMING = `${VOLUME}/incoming`;

/** Belongs to root; the directory of a `python` that starts `python3`, for images that have only that. */
export const FALLBACK = `${VOLUME}/fallback`;

/** One workspace's container, found or created. */
export interface WorkspaceContainer {
  readonly workspaceId: string;
  readonly container: Dockerode.Container;
  readonly engine: EngineClient;
  /** Identifies immutable content. */
  readonly imageId: string;
  /** The name that the engine has for its low-level runtime, such as `runsc`. */
  readonly ociRuntime: string;
  /** Absolute path of the image's shell: bash where it has one, otherwise sh. */
  readonly shell: string;
  readonly isBash: boolean;
  /** The user that commands run as; never root. */
  readonly user: { readonly uid: number; readonly gid: number };
  /** The PATH that the image defines. */
  readonly programPath: string;
  /** True where commands reach a network; fixed when the container was created. */
  readonly hasNetwork: boolean;
  /** The limits it was created with; no run gets more. */
  readonly limits: MadeLimits;
  /** The supervisor's filter that applies to all processes of the run's user. */
  readonly filter: "online" | "offline";
  /** Set where commands may write to the staged skills. */
  readonly skillCopies: "workspace" | undefined;
  /** The volume's name, for keeping the volume alive. */
  readonly volume: string;
  /**
   * Ensures that it runs: starts a stopped container and resumes a paused one. Costs one inspection, whose result is
   * returned.
   * @throws SkillError `WORKSPACE_NOT_FOUND` when it was removed, or when its files were lost in a restart,
   * `BACKEND_FAILED`.
   */
  ready(options?: CallOptions): Promise<Dockerode.ContainerInspectInfo>;
}
