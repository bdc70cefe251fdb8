import { SkillError } from "@skillwright/core";
import type { ContainerOptions } from "./container/container-options.js";
import type { EngineAddress } from "./engine/engine-address.js";
import type { HandedClient } from "./engine/handed-client.js";
import type { ImageOptions } from "./image/image-options.js";

/** All of them have defaults: `dockerRuntime()` finds the engine and makes hardened containers of a small public image. */
export interface DockerRuntimeOptions extends ImageOptions, ContainerOptions {
  /**
   * Where the engine is. Default: `DOCKER_HOST` with `DOCKER_TLS_VERIFY` and `DOCKER_CERT_PATH`, else the Docker CLI's current
   * context, else the first usual socket of Docker or Podman that this user may use.
   */
  readonly engine?: EngineAddress | undefined;
  /** A client of dockerode instead of `engine`. It stays the caller's: `close` leaves it alone. */
  readonly client?: HandedClient | undefined;
  /**
   * True says that the engine of `client` is on this machine, so that `skillsRoot` means the same directory there. Default
   * false: a client does not tell.
   */
  readonly clientIsLocal?: boolean | undefined;
  /** Deadline of each call of the engine, in milliseconds. Default 30 s. Pulling an image may take any time while it goes on. */
  readonly callTimeoutMs?: number | undefined;
}

const CALL_TIMEOUT_MS = 30_000;
/** Timers take no more. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** @throws SkillError `CONFIG_INVALID`. */
export function callTimeoutOf({ callTimeoutMs = CALL_TIMEOUT_MS }: DockerRuntimeOptions): number {
  if (callTimeoutMs > 0 && callTimeoutMs <= LONGEST_TIMEOUT_MS) return callTimeoutMs;
  throw new SkillError(
    "CONFIG_INVALID",
    `The option callTimeoutMs of the Docker runtime cannot be ${callTimeoutMs}: it must be a number of milliseconds above 0.`,
    { details: { option: "callTimeoutMs" } },
  );
}
