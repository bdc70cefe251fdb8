import { SkillError } from "@skillwright/core";
import type { ContainerOptions } from "./container/container-options.js";
import type { EngineAddress } from "./engine/engine-address.js";
import type { HandedClient } from "./engine/handed-client.js";
import type { ImageOptions } from "./image/image-options.js";

/**
 * All options have defaults: `dockerRuntime()` finds the engine and creates hardened containers of a small public
 * image.
 */
export interface DockerRuntimeOptions extends ImageOptions, ContainerOptions {
  /**
   * Address of the engine. Defaults to `DOCKER_HOST` with `DOCKER_TLS_VERIFY` and `DOCKER_CERT_PATH`, otherwise the
   * Docker CLI's current context, otherwise the first standard socket of Docker or Podman that this user may use.
   */
  readonly engine?: EngineAddress | undefined;
  /** A dockerode client to use instead of `engine`. It still belongs to the caller: `close` does not close it. */
  readonly client?: HandedClient | undefined;
  /**
   * True where the engine of `client` is on this machine, so that `skillsRoot` means the same directory there. Defaults
   * to false, since a client does not tell.
   */
  readonly clientIsLocal?: boolean | undefined;
  /**
   * Deadline of each engine call, in milliseconds. Defaults to 30 s. Pulling an image may take any time while it makes
   * progress.
   */
  readonly callTimeoutMs?: number | undefined;
  /**
   * How long a run goes on when no process that has a handle of it is alive, in milliseconds. Defaults to
   * 60 s.
   */
  readonly leaseMs?: number | undefined;
}

const CALL_TIMEOUT_MS = 30_000;
/** The longest delay of a timer. */
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

/** @throws SkillError `CONFIG_INVALID`. */
export function leaseOf({ leaseMs = 60_000 }: DockerRuntimeOptions): number {
  if (Number.isInteger(leaseMs) && leaseMs > 0 && leaseMs <= LONGEST_TIMEOUT_MS) return leaseMs;
  throw new SkillError(
    "CONFIG_INVALID",
    `leaseMs is ${leaseMs}. Give a whole number of milliseconds, such as 60000.`,
    { details: { option: "leaseMs" } },
  );
}
