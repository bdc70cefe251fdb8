import type { CallOptions } from "@skillwright/core";
import type Dockerode from "dockerode";
import type { EngineClient } from "../engine/engine-client.js";
import type { MadeLimits } from "./container-labels.js";

/** The volume of a workspace is mounted here; the workspace's root is a directory in it, `meta` another one. */
export const VOLUME = "/skillwright";
/** The root as commands see it. Belongs to root, as does `skills/`; `work/`, `out/` and `runs/` belong to the run's user. */
export const ROOT = `${VOLUME}/workspace`;
/** Only root enters it: what is staged, notes. */
export const META = `${VOLUME}/meta`;
/** Belongs to root; others may pass through and put things there but not look: what is on its way in, under names that nobody can guess. */
export const INCOMING = `${VOLUME}/incoming`;

/** Belongs to root; sets the filter of system calls and becomes the program. In workspaces whose commands are filtered. */
export const SUPERVISOR = `${VOLUME}/bin/supervisor`;

/** Belongs to root; the directory of a `python` that starts `python3`, for images that have only that. */
export const FALLBACK = `${VOLUME}/fallback`;

/** One workspace's container, found or made. */
export interface WorkspaceContainer {
  readonly workspaceId: string;
  readonly container: Dockerode.Container;
  readonly engine: EngineClient;
  /** Absolute path of the image's shell: bash where it has one, else sh. */
  readonly shell: string;
  readonly isBash: boolean;
  /** Whose commands run; never root. */
  readonly user: { readonly uid: number; readonly gid: number };
  /** What the image wants as PATH. */
  readonly programPath: string;
  /** Whether commands reach a network; fixed when the container was made. */
  readonly hasNetwork: boolean;
  /** What it was made with; no run gets more. */
  readonly limits: MadeLimits;
  /** Which filter of the supervisor all processes of the run's user are under; `undefined` for none. */
  readonly filter: "online" | "offline" | undefined;
  /** Where commands may write to the staged skills. */
  readonly skillCopies: "workspace" | undefined;
  /** As it was made with; `undefined` until it was looked at. */
  variables(): readonly string[] | undefined;
  /** The number of its first process on the engine's machine, as it was when it was last looked at. */
  mainProcess(): number | undefined;
  /** The volume's name, for whoever has to keep it alive. */
  readonly volume: string;
  /**
   * Sees to it that it runs: one that was stopped is started, one that was paused is resumed. Cheap, one inspection, which
   * it gives.
   * @throws SkillError `WORKSPACE_NOT_FOUND` when it was removed, or when its files went with a restart, `BACKEND_FAILED`.
   */
  ready(options?: CallOptions): Promise<Dockerode.ContainerInspectInfo>;
}
