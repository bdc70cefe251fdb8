import { inject } from "vitest";
import type { TestImageKind } from "../../../../scripts/engines/test-images/test-image.mjs";
import { hasAll, leaveOut } from "../../../../test/needs/has-all.js";
import type { BrokerAnswer } from "./engine-broker.js";

const NEEDS = {
  docker: "a Docker engine",
  podman: "a Podman engine",
  tcp: "a Docker engine over TCP",
  gvisor: "gVisor for Docker",
} as const;

/**
 * `tcp` is a Docker engine in another network namespace, reached over TCP. `gvisor` is one whose containers run on gVisor; it takes the
 * place of `docker` in the project `kubernetes`, where it is the only engine.
 */
export type EngineName = "docker" | "podman" | "tcp" | "gvisor";

export interface TestEngine {
  readonly name: EngineName;
  /** In the form of `DOCKER_HOST`. */
  readonly host: string;
  /** The requested test image. */
  readonly image: string;
}

/**
 * For tests of a container itself, not of the connection: `tcp` is the same engine as `docker`. Streams, broken
 * connections, and processes, which are found in another way over TCP, are tested on all three, and the contract in its
 * short form.
 */
export const LOCAL_ENGINES: readonly EngineName[] = ["docker", "podman"];

/**
 * Engines that all test files of a run share, for `describe.each`: all three, or the named ones. Engines that cannot run here are
 * omitted. Other files use the same
 * engines at the same time, so a suite stops none of them, and looks only for its own objects.
 *
 * SKILLWRIGHT_ENGINES=docker (a comma-separated list) restricts them, as in `.ci/run` without `all`.
 *
 * @param image one of the test images; see scripts/engines/test-images/test-image.mjs. Default `base`.
 */
export async function engines(
  names: readonly EngineName[] = ["docker", "podman", "tcp"],
  image: TestImageKind = "base",
): Promise<TestEngine[]> {
  const chosen = process.env["SKILLWRIGHT_ENGINES"]?.split(",");
  const wanted = names.filter((name) => !chosen || chosen.includes(name));
  const there = inject("onGvisor") ? onGvisor(wanted) : wanted.filter((name) => hasAll(NEEDS[name]));
  return await Promise.all(there.map((name) => engine(name, image)));
}

function onGvisor(names: readonly EngineName[]): readonly EngineName[] {
  if (inject("engineBroker") !== "") return names.includes("docker") ? ["gvisor"] : [];
  leaveOut("gVisor for Docker");
  return [];
}

async function engine(name: EngineName, image: TestImageKind): Promise<TestEngine> {
  const response = await fetch(`${inject("engineBroker")}/${name}/${image}`);
  const answer = (await response.json()) as BrokerAnswer;
  if ("reason" in answer) throw new Error(answer.reason);
  return { name, ...answer };
}
