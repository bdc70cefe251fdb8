import type Dockerode from "dockerode";
import type { ImageFacts } from "../image/image-facts.js";
import { OWN_PLACE, SOCKET, SUPERVISOR } from "../stream/supervisor-place.js";
import { type ContainerRecord, labelsOf, type MadeLimits } from "./container-labels.js";
import type { ContainerWish } from "./container-options.js";
import type { ChosenLimits } from "./engine-limits.js";
import { VOLUME } from "./workspace-container.js";

const PODMAN_PROCESSES = 16_384;
const TMP_BYTES = 64 * 1024 * 1024;
const SHARED_MEMORY_BYTES = 64 * 1024 * 1024;

/**
 * What the supervisor needs: it is root, becomes the run's user in a command, and ends the command. A process of that
 * user has none of them, and `no-new-privileges` keeps it so.
 */
const SUPERVISOR_CAPABILITIES = ["KILL", "SETGID", "SETUID"] as const;

export interface ContainerSetting extends Pick<ChosenLimits, "without"> {
  readonly isPodman: boolean;
}

/** Settings of the volume that holds one workspace. */
export function volumeSettings(
  record: ContainerRecord,
  sizeOption: "size" | "nr_blocks",
): Dockerode.VolumeCreateOptions {
  const labels = { Name: record.volume, Driver: "local", Labels: labelsOf(record) };
  const { diskBytes, inodes } = record.limits;
  if (record.storage === "disk" || diskBytes === undefined) return labels;
  const size = sizeOption === "size" ? diskBytes : Math.ceil(diskBytes / 4096);
  const options = `${sizeOption}=${size},nr_inodes=${inodes},mode=0755,nosuid,nodev`;
  return { ...labels, DriverOpts: { type: "tmpfs", device: "tmpfs", o: options } };
}

/**
 * Settings of one hardened container. Its first process is the supervisor; it is root, so that no command can end it.
 * Settings of the image are overridden.
 */
export function containerSettings(
  record: ContainerRecord,
  wish: ContainerWish,
  image: ImageFacts,
  { isPodman, without }: ContainerSetting,
): Dockerode.ContainerCreateOptions {
  return {
    Image: image.id,
    Entrypoint: [SUPERVISOR, "serve", "--socket", SOCKET],
    Cmd: [],
    User: "0:0",
    WorkingDir: "/",
    Env: neutralVariables(image, isPodman),
    Healthcheck: { Test: ["NONE"] },
    StopSignal: "SIGKILL",
    Labels: labelsOf(record),
    HostConfig: {
      ...hostSettings(record, wish),
      ...limitSettings(record.limits, without),
      Ulimits: ulimits(record.limits, isPodman),
      Tmpfs: temporaryPlaces(image, isPodman),
    },
  };
}

function hostSettings(record: ContainerRecord, wish: ContainerWish): Dockerode.HostConfig {
  const { skillsRoot, ociRuntime } = wish;
  const volume = { Type: "volume", Source: record.volume, Target: VOLUME, VolumeOptions: { NoCopy: true } };
  // Without a name, so that the engine removes it with the container.
  const own = { Type: "volume", Target: OWN_PLACE };
  const skills = skillsRoot && { Type: "bind", Source: skillsRoot, Target: skillsRoot, ReadOnly: true };
  return {
    // The supervisor waits for orphans itself.
    Init: false,
    ReadonlyRootfs: true,
    NetworkMode: wish.network,
    // Its own /dev/shm, which Python's multiprocessing needs; its content counts as memory.
    IpcMode: "private",
    ShmSize: SHARED_MEMORY_BYTES,
    CapDrop: ["ALL"],
    CapAdd: [...SUPERVISOR_CAPABILITIES],
    SecurityOpt: ["no-new-privileges"],
    LogConfig: { Type: "none", Config: {} },
    OomScoreAdj: 500,
    Mounts: [volume, own, ...(skills ? [skills] : [])] as Dockerode.MountConfig,
    ...(ociRuntime === undefined ? {} : { Runtime: ociRuntime }),
  };
}

function limitSettings(
  { memoryBytes, cpu, processes }: MadeLimits,
  without: ContainerSetting["without"],
): Dockerode.HostConfig {
  return {
    ...(without.includes("memoryBytes") ? {} : { Memory: memoryBytes, MemorySwap: memoryBytes }),
    ...(without.includes("cpu") ? {} : { NanoCpus: Math.round(cpu * 1e9) }),
    ...(without.includes("processes") ? {} : { PidsLimit: processes }),
  };
}

/**
 * One directory for temporary files. Volumes that the image requests, and those that Podman adds to a read-only system,
 * would be writable without limits; empty mounts replace them.
 */
function temporaryPlaces({ volumes }: ImageFacts, isPodman: boolean): Record<string, string> {
  const places = [...volumes.filter(isElsewhere), ...(isPodman ? ["/run", "/var/tmp"] : [])];
  const nothing = "ro,noexec,nosuid,nodev,size=64k";
  return {
    ...Object.fromEntries(places.map((path) => [path, nothing])),
    "/tmp": `rw,noexec,nosuid,nodev,size=${TMP_BYTES},mode=1777`,
  };
}

/**
 * Podman raises unspecified limits to values that it may not be allowed to set. The limit on processes only has to be
 * large, because the kernel counts all processes of the user.
 */
function ulimits({ openFiles, fileBytes }: MadeLimits, isPodman: boolean): Dockerode.Ulimit[] {
  const both = (Name: string, value: number) => ({ Name, Soft: value, Hard: value });
  const always = [both("nofile", openFiles), both("fsize", fileBytes), both("core", 0)];
  return isPodman ? [...always, both("nproc", PODMAN_PROCESSES)] : always;
}

/** A name without a value removes the variable. Podman would set its own value, so an empty value is passed instead. */
function neutralVariables({ variables, programPath }: ImageFacts, isPodman: boolean): string[] {
  const others = variables.filter((name) => name !== "PATH");
  return [`PATH=${programPath}`, ...others.map((name) => (isPodman ? `${name}=` : name))];
}

function isElsewhere(path: string): boolean {
  return path !== "/tmp" && path !== VOLUME && !path.startsWith(`${VOLUME}/`);
}
