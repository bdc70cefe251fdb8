import { inject } from "vitest";
import { missingForEngine } from "../../../../scripts/engines/missing-for-engine.mjs";
import type { TestImageKind } from "../../../../scripts/engines/test-images/test-image.mjs";
import type { BrokerAnswer } from "./engine-broker.js";

/** `tcp` is a Docker engine in another network namespace, reached over TCP. */
export type EngineName = "docker" | "podman" | "tcp";

export interface TestEngine {
  readonly name: EngineName;
  /** As `DOCKER_HOST` takes it. */
  readonly host: string;
  /** The test image that was asked for. */
  readonly image: string;
}

/**
 * For what a container is and does, and not how it is reached: `tcp` is the same engine as `docker`. The contract, streams,
 * broken connections, and processes, which are found in another way over TCP, are tried on all three.
 */
export const LOCAL_ENGINES: readonly EngineName[] = ["docker", "podman"];

/**
 * Engines that all test files of a run share, for `describe.each`: all three, or those named. What cannot run here is
 * left out, which the set-up says in one line; with SKILLWRIGHT_REQUIRE_ALL=1 that is an error. Other files use the same
 * engines at the same time, so a suite stops none of them, and looks for nothing but what is its own.
 *
 * SKILLWRIGHT_ENGINES=docker (a list with commas) leaves out the others while one is at work on something.
 *
 * @param image Which of the test images; see scripts/engines/test-images/test-image.mjs. Default `base`.
 */
export async function engines(
  names: readonly EngineName[] = ["docker", "podman", "tcp"],
  image: TestImageKind = "base",
): Promise<TestEngine[]> {
  const chosen = process.env["SKILLWRIGHT_ENGINES"]?.split(",");
  const wanted = names.filter((name) => !chosen || chosen.includes(name));
  const found = await Promise.all(wanted.map((name) => engine(name, image)));
  return found.filter((one) => one !== undefined);
}

/**
 * Whether `startImageRegistry` can be called here. Where it cannot, one line says why; with SKILLWRIGHT_REQUIRE_ALL=1 that
 * is an error.
 */
export function canStartRegistry(): boolean {
  return canStart("registry", "suites with a registry");
}

/** The same of `startSshServer`. */
export function canStartSsh(): boolean {
  return canStart("ssh", "suites over ssh");
}

function canStart(what: string, suites: string): boolean {
  const missing = missingForEngine(what);
  if (missing === undefined) return true;
  if (process.env["SKILLWRIGHT_REQUIRE_ALL"] === "1") throw new Error(missing);
  console.warn(`runtime-docker: ${suites} are not registered: ${missing}`);
  return false;
}

async function engine(name: EngineName, image: TestImageKind): Promise<TestEngine | undefined> {
  const response = await fetch(`${inject("engineBroker")}/${name}/${image}`);
  const answer = (await response.json()) as BrokerAnswer;
  if ("host" in answer) return { name, ...answer };
  if (process.env["SKILLWRIGHT_REQUIRE_ALL"] === "1") throw new Error(answer.reason);
  return undefined;
}
