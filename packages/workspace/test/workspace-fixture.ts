import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type {
  ArtifactStore,
  ByteStream,
  Diagnostic,
  RunEvent,
  SessionScope,
  SkillCatalog,
  WorkspaceRuntime,
  WritableSkillRepository,
} from "@skillwright/core";
import { memoryArtifacts, memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { hasAll, leaveOut } from "../../../test/needs/has-all.js";
import { type WorkspaceManager, type WorkspaceManagerOptions, workspaceManager } from "../src/index.js";

export const SESSION: SessionScope = { app: "test", user: "ada", session: "s1" };

export const DEMO = {
  "SKILL.md": "---\nname: demo\ndescription: Shows how runs work.\n---\n\nRun `sh scripts/hello.sh`.\n",
  "scripts/hello.sh": 'echo "hello $1"\n',
  "data/a.csv": "a,b\n1,2\n",
};

/** Of the local runtime, or a way to a pod. */
export type TestIsolation = "none" | "sandbox" | "a pod on runc" | "a claimed sandbox on gVisor";

export interface Fixture extends AsyncDisposable {
  readonly workspaces: WorkspaceManager;
  readonly artifacts: ArtifactStore;
  readonly repository: WritableSkillRepository;
  readonly skills: SkillCatalog;
  readonly runtime: WorkspaceRuntime;
  /** A folder of this machine for this fixture only. */
  readonly directory: string;
  /** Events, in order. */
  readonly events: RunEvent[];
  readonly onEvent: (event: RunEvent) => void;
}

/** Real parts over a folder that is removed with the fixture. */
export async function workspaceFixture(
  isolation: TestIsolation,
  given: Partial<WorkspaceManagerOptions> | ((directory: string) => Partial<WorkspaceManagerOptions>) = {},
): Promise<Fixture> {
  const directory = await mkdtemp(path.join(tmpdir(), "skillwright-workspace-test-"));
  // A root host's commands run as another user, who must be able to reach the workspaces.
  await chmod(directory, 0o755);
  const options = typeof given === "function" ? given(directory) : given;
  const repository = memoryRepository({ skills: { demo: DEMO } });
  const runtime =
    isolation === "none" || isolation === "sandbox"
      ? localRuntime({ root: path.join(directory, "workspaces"), isolation })
      : runtimeElsewhere(isolation);
  const skills = options.skills ?? skillBox({ own: repository });
  const artifacts = memoryArtifacts();
  const workspaces = workspaceManager({ skills, runtime, artifacts, ...options });
  const events: RunEvent[] = [];
  return {
    workspaces,
    artifacts,
    repository,
    skills,
    runtime,
    directory,
    events,
    onEvent: (event) => void events.push(event),
    async [Symbol.asyncDispose]() {
      await workspaces.close();
      for (const id of await runtime.list()) await runtime.destroy(id);
      await runtime.close();
      // Skills are read-only, and so are their folders, which an ordinary user cannot empty.
      await promisify(execFile)("chmod", ["-R", "u+rwx", directory]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** `none`, and `sandbox` where this machine supports it; in a run with a cluster, the ways to its pods. */
export async function testIsolations(): Promise<readonly TestIsolation[]> {
  if (elsewhere?.ways.length === 0) leaveOut("a Kubernetes cluster");
  if (elsewhere) return elsewhere.ways;
  return hasAll("bubblewrap") ? ["none", "sandbox"] : ["none"];
}

type WayOnCluster = Exclude<TestIsolation, "none" | "sandbox">;

interface Elsewhere {
  readonly ways: readonly WayOnCluster[];
  readonly runtime: (way: WayOnCluster) => WorkspaceRuntime;
}

let elsewhere: Elsewhere | undefined;

/** Lets the tests run on other runtimes than the local one. A setup file of a project of Vitest calls this. */
export function testElsewhere(given: Elsewhere): void {
  elsewhere = given;
}

function runtimeElsewhere(way: WayOnCluster): WorkspaceRuntime {
  if (!elsewhere) throw new Error(`There is no runtime for ${way}.`);
  return elsewhere.runtime(way);
}

/** Whether a listing shows a named pipe, which it reports. The file server of gVisor does not show those that a command made. */
export function seesPipes(isolation: TestIsolation): boolean {
  return isolation !== "a claimed sandbox on gVisor";
}

/** Removes the runtime's diagnostics, which differ from machine to machine. */
export function ownDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ code }) =>
    /^(artifact|event|glob|input|output|skill|skill-link)\./.test(code),
  );
}

export async function textOf(stream: ByteStream): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}
