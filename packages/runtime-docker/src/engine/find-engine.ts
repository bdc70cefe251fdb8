import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { contextAddress, type EngineSurroundings } from "./docker-context.js";
import type { EngineAddress } from "./engine-address.js";

/**
 * Finds the engine: as configured, otherwise through `DOCKER_HOST`, the Docker CLI's current context, and the standard
 * sockets of Docker and Podman, of which the first usable one is chosen.
 * @throws SkillError `CONFIG_INVALID` for a missing context.
 */
export async function findEngine(
  told: EngineAddress | undefined,
  around: EngineSurroundings = { env: process.env, home: homedir(), platform: process.platform },
): Promise<EngineAddress> {
  if (told?.host !== undefined) return told;
  const found = fromEnvironment(around) ?? (await contextAddress(around)) ?? (await usualSocket(around));
  return { ...found, ...(told?.tls ? { tls: told.tls } : {}) };
}

function fromEnvironment({ env, home }: EngineSurroundings): EngineAddress | undefined {
  const { DOCKER_HOST: host, DOCKER_TLS_VERIFY: verify, DOCKER_CERT_PATH: certificates } = env;
  if (!host) return undefined;
  if (!verify) return { host };
  const directory = certificates || join(home, ".docker");
  const file = (name: string) => join(directory, `${name}.pem`);
  return { host, tls: { ca: file("ca"), cert: file("cert"), key: file("key") } };
}

async function usualSocket({ env, home, platform }: EngineSurroundings): Promise<EngineAddress> {
  if (platform === "win32") return { host: "npipe:////./pipe/docker_engine" };
  const { XDG_RUNTIME_DIR: runtime } = env;
  const standard = "/var/run/docker.sock";
  const paths = [
    standard,
    ...(runtime ? [join(runtime, "docker.sock"), join(runtime, "podman/podman.sock")] : []),
    ...[".docker/run", ".docker/desktop", ".orbstack/run", ".colima/default", ".rd"].map((directory) =>
      join(home, directory, "docker.sock"),
    ),
    "/run/podman/podman.sock",
  ];
  const usable = await firstOf(paths, constants.R_OK | constants.W_OK);
  // An existing socket without access gives a better message than a missing one.
  return { host: `unix://${usable ?? (await firstOf(paths, constants.F_OK)) ?? standard}` };
}

async function firstOf(paths: readonly string[], mode: number): Promise<string | undefined> {
  for (const path of paths) {
    const allowed = await access(path, mode).then(
      () => true,
      () => false,
    );
    if (allowed) return path;
  }
  return undefined;
}
