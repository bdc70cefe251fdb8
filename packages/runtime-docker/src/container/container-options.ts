import { type RunLimits, SkillError } from "@skillwright/core";
import { CONTAINER_LIMITS } from "./container-labels.js";

/** Options for every container; plain data, validated when the runtime is created. */
export interface ContainerOptions {
  /**
   * Runtimes with the same namespace on the same engine share their workspaces. Up to 64 letters, digits, `-` and `_`.
   * Defaults to `default`.
   */
  readonly namespace?: string | undefined;
  /**
   * Where a workspace's files are stored. `memory` (default): bounded, and lost when the engine or the container
   * restarts. `disk`: survives a restart, but is unbounded.
   */
  readonly storage?: "memory" | "disk" | undefined;
  /**
   * Size limit of `memory` storage, in at most 100,000 files and directories. Defaults to 2 GiB, or to half of
   * `memoryBytes` where that is less, because data that commands write also counts towards their memory. Cannot be set
   * together with `disk` storage.
   */
  readonly storageBytes?: number | undefined;
  /** An engine network that commands may use on request. Defaults to `none`. */
  readonly network?: string | undefined;
  /**
   * An engine network for the workspaces in which packages of skills are installed, whose commands come from the
   * application. Defaults to `network`, or to `bridge` where that is `none`. With `none`, packages come from wheels only.
   */
  readonly installNetwork?: string | undefined;
  /**
   * Memory limit for all processes of a workspace, swap and files in `memory` storage included. Defaults to half of the
   * memory of the engine's machine.
   */
  readonly memoryBytes?: number | undefined;
  /** Number of cores; fractions are allowed. Defaults to 1. */
  readonly cpu?: number | undefined;
  /** Maximum number of concurrent processes in a workspace, threads included. Defaults to 256. */
  readonly processes?: number | undefined;
  /** Maximum number of file descriptors of one process. Defaults to 256. */
  readonly openFiles?: number | undefined;
  /** Maximum size of one file. Defaults to 2 GiB. */
  readonly fileBytes?: number | undefined;
  /** The user that commands run as. Defaults to 1000 and 1000; never 0. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** Another low-level runtime that the engine knows, such as `runsc`. */
  readonly ociRuntime?: string | undefined;
  /**
   * An absolute directory of the engine's machine that commands see, read-only, under the same path. Requires a local
   * engine.
   */
  readonly skillsRoot?: string | undefined;
  /**
   * `none` (default): commands see the staged skills, which they cannot change. `workspace`: each skill is a copy that
   * they may write to, until the skill is replaced or the workspace destroyed. Recorded on the container when the
   * workspace is created.
   */
  readonly skillCopies?: "none" | "workspace" | undefined;
  /**
   * Number of containers that wait for new workspaces, which then begin at once. They are made in the background after
   * the first workspace, are idle, and end with the runtime. Defaults to 0.
   */
  readonly warmContainers?: number | undefined;
}

type Decided<Options> = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> };
type MayBeMissing = "ociRuntime" | "skillsRoot" | "memoryBytes" | "storageBytes";

/** The options with defaults applied, except defaults that depend on the engine's machine. */
export type ContainerWish = Decided<Omit<ContainerOptions, MayBeMissing>> &
  Pick<ContainerOptions, MayBeMissing> & {
    /** Limits that the caller set. Creating a workspace fails where one of them is not enforced. */
    readonly asked: readonly (keyof RunLimits)[];
  };

const MEBIBYTE = 1024 * 1024;
const GIBIBYTE = 1024 * MEBIBYTE;
/** The minimum that engines accept. */
const LEAST_MEMORY = 6 * MEBIBYTE;
/** The keep-alive process, an init, and a command with a child. */
const LEAST_PROCESSES = 8;
const LEAST_FILES = 16;
const LARGEST_ID = 2 ** 31 - 1;

/** @throws SkillError `CONFIG_INVALID` naming the option. */
export function containerWish(options: ContainerOptions): ContainerWish {
  const { namespace = "default", storage = "memory", user = { uid: 1000, gid: 1000 }, ...rest } = options;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(namespace))
    throw unfit("namespace", namespace, "1 to 64 letters, digits, - and _");
  if (storage !== "memory" && storage !== "disk") throw unfit("storage", storage, "memory or disk");
  for (const id of [user.uid, user.gid])
    if (!Number.isSafeInteger(id) || id < 1 || id > LARGEST_ID)
      throw unfit("user", id, "a uid and a gid from 1 on");
  const { skillsRoot, network = "none", skillCopies = "none" } = rest;
  if (skillCopies !== "none" && skillCopies !== "workspace")
    throw unfit("skillCopies", skillCopies, "none or workspace; all runs in a container see the same files");
  if (skillsRoot !== undefined && !isOwnDirectory(skillsRoot))
    throw unfit("skillsRoot", skillsRoot, "an absolute directory that is not part of the container's system");
  const { installNetwork = network === "none" ? "bridge" : network } = rest;
  for (const [name, value] of Object.entries({ network, installNetwork }))
    if (value === "" || /^container:/.test(value))
      throw unfit(name, value, "none or a network of the engine");
  if (storage === "disk" && rest.storageBytes !== undefined) throw unbounded(rest.storageBytes);
  return {
    namespace,
    storage,
    user,
    network,
    installNetwork,
    storageBytes: given(rest.storageBytes, (value) => whole("storageBytes", value, MEBIBYTE)),
    memoryBytes: given(rest.memoryBytes, (value) => whole("memoryBytes", value, LEAST_MEMORY)),
    cpu: cores(rest.cpu ?? 1),
    processes: whole("processes", rest.processes ?? 256, LEAST_PROCESSES),
    openFiles: whole("openFiles", rest.openFiles ?? 256, LEAST_FILES),
    fileBytes: whole("fileBytes", rest.fileBytes ?? 2 * GIBIBYTE, 1),
    skillCopies,
    warmContainers: whole("warmContainers", rest.warmContainers ?? 0, 0),
    ociRuntime: rest.ociRuntime,
    skillsRoot,
    asked: [
      ...CONTAINER_LIMITS.filter((limit) => rest[limit] !== undefined),
      ...(rest.storageBytes === undefined ? [] : (["diskBytes"] as const)),
    ],
  };
}

function given(value: number | undefined, checked: (value: number) => number): number | undefined {
  return value === undefined ? value : checked(value);
}

/**
 * The directory is mounted at its own path, where it must not hide anything of the image's system or of the workspace.
 */
function isOwnDirectory(path: string): boolean {
  const system =
    /^\/(\.skillwright|bin|boot|dev|etc|lib(32|64|x32)?|proc|root|run|sbin|skillwright|sys|tmp|usr)(\/|$)/;
  const own = /^\/[^:,\0]+$/.test(path) && !path.split("/").some((part) => part === "." || part === "..");
  return own && (!system.test(path) || /^\/(tmp|usr\/local|run|root)\/./.test(path));
}

function whole(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw unfit(name, value, `a whole number from ${least} on`);
}

function cores(value: number): number {
  if (Number.isFinite(value) && value >= 0.01) return value;
  throw unfit("cpu", value, "a number of cores from 0.01 on");
}

function unbounded(storageBytes: number): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    `The Docker runtime cannot hold workspaces to storageBytes (${storageBytes}) on disk, where their size cannot be limited. Leave storageBytes out, or use storage: "memory".`,
    { details: { options: ["storageBytes"] } },
  );
}

function unfit(name: string, value: unknown, rule: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `The option ${name} of the Docker runtime cannot be ${JSON.stringify(value)}: it must be ${rule}.`,
    { details: { option: name } },
  );
}
