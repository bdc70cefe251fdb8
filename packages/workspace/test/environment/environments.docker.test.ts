import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { SessionScope, WorkspaceRunOptions, WorkspaceRunResult } from "@skillwright/core";
import { recordRegistry } from "@skillwright/records";
import { fsRecords } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { type DockerRuntime, type DockerRuntimeOptions, dockerRuntime } from "@skillwright/runtime-docker";
import { skillBox } from "@skillwright/skillbox";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import {
  engines,
  LOCAL_ENGINES,
  type TestEngine,
} from "../../../runtime-docker/test/engine-setup/engines.js";
import { environmentStore, type WorkspaceManager, workspaceManager } from "../../src/index.js";
import { DEMO, SESSION } from "../workspace-fixture.js";
import { configuredIndex, nodePackage, nodeProject, requirement, wheel } from "./package-index.js";

const ALPHA = wheel("alpha", "1.0.0", "alpha speaks");
const BETA = wheel("beta", "2.0.0", "beta speaks");
const GAMMA = nodePackage("gamma", "3.0.0", "gamma speaks");
const PYTHON = { ...DEMO, "requirements.txt": requirement(ALPHA) + requirement(BETA) };
const BOTH = { ...PYTHON, ...nodeProject([GAMMA]) };

const SAY_PYTHON = 'python3 -c "import alpha, beta; print(alpha.TEXT, beta.TEXT)"';
const SAY_NODE = "node --input-type=commonjs -e 'console.log(require(\"gamma\").text)'";
/** Starting a container and an installer takes long on a busy machine. */
const PATIENT = { timeout: 240_000 };
const OTHER: SessionScope = { ...SESSION, session: "s2" };

const script = fileURLToPath(new URL("../children/prepare-environment.mjs", import.meta.url));

const targets = hasAll("pip or ensurepip", "npm of the system") ? await engines(LOCAL_ENGINES, "full") : [];

afterEach(() => vi.unstubAllEnvs());

describe.each(targets)("packages of a skill in containers on $name", (engine) => {
  test("PKG-17: come from an index that only their preparation reaches, once for all sessions", async () => {
    await using index = await configuredIndex([ALPHA, BETA, GAMMA]);
    const { prepares } = await place(engine, BOTH);
    const { run } = prepares({ installNetwork: "host" });
    const connect = `python3 -c 'import urllib.request as u; u.urlopen("${index.python}alpha/")' 2>&1 | tail -n 1`;
    const change =
      'touch "$VIRTUAL_ENV/bin/new" "$SKILLS_DIR/node_modules/new" 2> /dev/null || echo read-only';
    const first = await run(`${SAY_PYTHON}; ${SAY_NODE}; alpha; gamma; ${change}; ${connect}`, allowed);
    expect(first.stdout.text).toMatch(
      /^alpha speaks beta speaks\ngamma speaks\nalpha speaks\ngamma speaks\nread-only\n.*URLError.*\n$/,
    );
    const { length } = index.asked;
    expect(length).toBeGreaterThan(0);
    const second = await run(`${SAY_PYTHON}; ${SAY_NODE}`, {}, OTHER);
    expect(second.stdout.text).toBe("alpha speaks beta speaks\ngamma speaks\n");
    expect(index.asked.length).toBe(length);
  });

  test("PKG-04: come from the wheel folder that pip is configured with, in containers without a network", async () => {
    const { directory, prepares } = await place(engine, PYTHON);
    for (const { fileName, bytes } of [ALPHA, BETA]) await writeFile(path.join(directory, fileName), bytes);
    vi.stubEnv("PIP_FIND_LINKS", pathToFileURL(directory).href);
    vi.stubEnv("PIP_NO_INDEX", "1");
    const { run } = prepares({ installNetwork: "none" });
    expect((await run(SAY_PYTHON, allowed)).stdout.text).toBe("alpha speaks beta speaks\n");
    expect((await run(SAY_PYTHON, {}, OTHER)).stdout.text).toBe("alpha speaks beta speaks\n");
  });

  test.each([
    ["denied", "none", /installNetwork is "none"\. Set installNetwork/],
    ["missing on the engine", "skillwright-missing", /network skillwright-missing.*docker network ls/s],
  ])(
    "PKG-17: are refused where the network to the index is %s, with what to change, and nothing is left",
    async (_, installNetwork, remedy) => {
      await using index = await configuredIndex([ALPHA, BETA]);
      const { store, prepares } = await place(engine, PYTHON);
      const { run, runtime, workspaces } = prepares({ installNetwork });
      await expect(run("true", allowed)).rejects.toMatchObject({
        code: "UNSUPPORTED",
        message: expect.stringMatching(remedy),
      });
      expect(index.asked).toEqual([]);
      expect(await store.list()).toEqual([]);
      expect(await runtime.list()).toEqual([(await workspaces.forSession(SESSION)).id]);
    },
  );

  test("PKG-18: are not used with another image than the one they were prepared for", async () => {
    await using _index = await configuredIndex([ALPHA, BETA]);
    const { store, prepares } = await place(engine, PYTHON);
    const { run } = prepares({ installNetwork: "host" });
    await run("true", allowed);
    const image = await otherImage(engine);
    const other = prepares({ installNetwork: "host", image });
    await expect(other.run("true", {}, OTHER)).rejects.toMatchObject({ code: "REFUSED" });
    await expect(other.run("true", allowed, OTHER)).rejects.toMatchObject({
      code: "BACKEND_FAILED",
      message: expect.stringContaining("no python3"),
    });
    await store.prune({ maxBytes: 0, inUse: false });
    // The session's workspace still has the first image.
    await expect(other.run("true", allowed)).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("another interpreter"),
    });
    expect(await store.list()).toEqual([]);
  });

  test("PKG-05: are prepared once by two processes, and a sweep leaves the preparation alone", async () => {
    let answer = () => {};
    const swept = new Promise<boolean>((resolve) => {
      answer = () => resolve(false);
    });
    await using index = await configuredIndex([ALPHA, BETA], () => swept);
    const { prepares } = await place(engine, PYTHON);
    const [one, other] = [prepares({ installNetwork: "host" }), prepares({ installNetwork: "host" })];
    const runs = [one.run(SAY_PYTHON, allowed), other.run(SAY_PYTHON, allowed, OTHER)];
    await expect.poll(() => index.asked.length, PATIENT).toBeGreaterThan(0);
    const preparing = await preparationsOf(other);
    await one.workspaces.sweep();
    await other.workspaces.sweep();
    expect(await preparationsOf(other)).toEqual(preparing);
    answer();
    for (const { stdout } of await Promise.all(runs)) expect(stdout.text).toBe("alpha speaks beta speaks\n");
    expect(index.asked.filter((url) => url.endsWith(".whl")).length).toBe(2);
    expect(preparing.length).toBe(1);
  });

  if (hasAll("packages/workspace/dist", "packages/runtime-docker/dist"))
    test("PKG-07: the container of a process that was killed while it prepared is removed by the next sweep", async () => {
      await using index = await configuredIndex([ALPHA, BETA], (url) => url.endsWith(BETA.fileName));
      const { directory, namespace, store, prepares } = await place(engine, PYTHON);
      const { host, image } = engine;
      const options = { engine: { host }, image, pull: "never", namespace, installNetwork: "host" };
      const { NODE_OPTIONS, VITEST, ...env } = process.env;
      const args = [script, directory, JSON.stringify(PYTHON), JSON.stringify(options)];
      const child = spawn(process.execPath, args, { env, stdio: "inherit" });
      const closed = once(child, "close");
      await expect.poll(() => index.asked.some((url) => url.endsWith(BETA.fileName)), PATIENT).toBe(true);
      child.kill("SIGKILL");
      expect(await closed).toEqual([null, "SIGKILL"]);
      const next = prepares({ installNetwork: "host" });
      expect((await preparationsOf(next)).length).toBe(1);
      await expect
        .poll(async () => {
          await next.workspaces.sweep();
          return await preparationsOf(next);
        })
        .toEqual([]);
      expect(await store.list()).toEqual([]);
    });
});

const allowed: Pick<WorkspaceRunOptions, "approveInstall"> = { approveInstall: async () => true };

async function preparationsOf({ runtime }: Pick<Prepares, "runtime">): Promise<readonly string[]> {
  return (await runtime.list()).filter((id) => id.startsWith("environment-"));
}

/** Has no python3. */
async function otherImage({ name }: TestEngine): Promise<string> {
  const [found] = await engines([name], "base");
  return found?.image ?? expect.fail("The engine has no second image.");
}

interface Prepares {
  readonly runtime: DockerRuntime;
  readonly workspaces: WorkspaceManager;
  readonly run: (
    command: string,
    options?: WorkspaceRunOptions,
    session?: SessionScope,
  ) => Promise<WorkspaceRunResult>;
}

/** Of this machine, which prepared packages of one test are stored on, with one skill. */
async function place({ host, image }: TestEngine, files: Readonly<Record<string, string | Uint8Array>>) {
  const directory = await mkdtemp(path.join(tmpdir(), "skillwright-environments-"));
  const store = environmentStore({ root: path.join(directory, "environments") });
  const registry = recordRegistry(fsRecords({ root: path.join(directory, "registry") }));
  const namespace = `environments-${randomBytes(6).toString("hex")}`;
  const skills = skillBox({ own: memoryRepository({ skills: { demo: files } }) });
  const usual = { engine: { host }, image, pull: "never", namespace } as const;

  /** As one process has them. */
  function prepares(options: DockerRuntimeOptions = {}): Prepares {
    const runtime = dockerRuntime({ ...usual, ...options });
    const workspaces = workspaceManager({ skills, runtime, registry, environments: store });
    onTestFinished(async () => {
      await workspaces.close();
      for (const id of await runtime.list()) await runtime.destroy(id);
      await runtime.close();
    });
    const run = async (command: string, given: WorkspaceRunOptions = {}, session = SESSION) => {
      const { id } = await workspaces.forSession(session);
      return await workspaces.run(id, { skill: "demo", command }, given);
    };
    return { runtime, workspaces, run };
  }

  onTestFinished(async () => {
    await store.prune({ maxBytes: 0, inUse: false });
    await rm(directory, { recursive: true, force: true });
  });
  return { directory, store, registry, namespace, prepares };
}
