import { SkillError } from "@skillwright/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { type DockerRuntimeOptions, dockerRuntime } from "../../src/index.js";
import { type DockerSubject, dockerSubject } from "../docker-subject.js";
import { engineRelay, type Meddle } from "../engine/engine-relay.js";
import { engines, LOCAL_ENGINES } from "../engine-setup/engines.js";
import { printed, runText } from "../runtime/running.js";
import { containerPlace, told } from "./container-place.js";

const MEBIBYTE = 1024 * 1024;
const GIBIBYTE = 1024 * MEBIBYTE;
const STORAGE = "stat -f -c '%b %S %c' /skillwright/workspace";

describe.each(await engines(LOCAL_ENGINES))("default limits of a workspace on $name", ({ host, image }) => {
  test("are 256 processes, half of the machine's memory, 2 GiB in 100,000 files, 2 GiB a file and one core", async () => {
    await using place = await containerPlace({ host, image });
    const container = await place.make("w");
    const { MemTotal } = (await place.engine.docker.info()) as { MemTotal: number };
    const { HostConfig } = await container.container.inspect();
    const memory = Math.floor(MemTotal / 2);
    expect(HostConfig).toMatchObject({ Memory: memory, MemorySwap: memory, PidsLimit: 256, NanoCpus: 1e9 });
    const [blocks = 0, size = 0, inodes] = (await told(container, STORAGE)).split(" ").map(Number);
    expect([blocks * size, inodes]).toEqual([
      Math.min(2 * GIBIBYTE, Math.floor(memory / 2 / 4096) * 4096),
      100_000,
    ]);
    expect(await told(container, "ulimit -f")).toBe(`${(2 * GIBIBYTE) / 1024}`);
  });

  test("leave half of a workspace's memory to its commands if its files are kept in memory", async () => {
    await using place = await containerPlace({ host, image }, { memoryBytes: 64 * MEBIBYTE });
    const [blocks = 0, size = 0] = (await told(await place.make("w"), STORAGE)).split(" ").map(Number);
    expect(blocks * size).toBe(32 * MEBIBYTE);
    const full = "head -c 60000000 /dev/zero > /skillwright/workspace/work/big 2>/dev/null || echo full";
    expect(await told(await place.make("v"), full)).toBe("full");
  });

  test("that the engine does not enforce are one diagnostic, and commands run", async () => {
    const { runtime } = await subjectBehind(withoutGroups);
    const workspace = await runtime.create("w");
    expect(await printed(workspace, "echo ok")).toBe("ok");
    const { diagnostics = [], limits } = await runtime.capabilities();
    expect(
      diagnostics.filter(({ code }) => code.startsWith("limit.") && code !== "limit.fixed"),
    ).toMatchObject([
      {
        code: "limit.default-not-enforced",
        severity: "warning",
        message: expect.stringMatching(/memoryBytes, cpu, processes are not enforced/),
      },
    ]);
    expect(limits).toEqual(["openFiles", "fileBytes"]);
    expect((await runText(workspace, "true")).diagnostics).toEqual([]);
  });

  test("that the engine refuses are left out, and are one diagnostic", async () => {
    const { runtime } = await subjectBehind(withoutCpuController);
    const workspace = await runtime.create("w");
    expect(await printed(workspace, "echo ok")).toBe("ok");
    const { diagnostics } = await runtime.capabilities();
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        code: "limit.default-not-enforced",
        message: expect.stringMatching(/default limits cpu are not enforced/),
      }),
    );
  });

  test("stay in force after an engine has failed to create a container once", async () => {
    let failures = 0;
    const { runtime } = await subjectBehind(({ path }) => {
      if (!/\/containers\/create/.test(path) || failures++ > 0) return undefined;
      const message = "mkdir /sys/fs/cgroup/memory/docker/0: cannot allocate memory";
      return { status: 500, answer: { message } };
    });
    await expect(runtime.create("w")).rejects.toMatchObject({ code: "BACKEND_FAILED" });
    await runtime.create("w");
    const { limits } = await runtime.capabilities();
    expect(limits).toEqual(expect.arrayContaining(["memoryBytes", "processes", "cpu"]));
  });

  test("that the engine reports as unsupported are not requested", async () => {
    const { runtime } = await subjectBehind(({ path, text }) => {
      if (/\/info$/.test(path)) return { status: 200, answer: { MemTotal: GIBIBYTE, PidsLimit: false } };
      const asks = /\/containers\/create/.test(path) && JSON.parse(text).HostConfig.PidsLimit !== undefined;
      return asks ? { status: 500, answer: { message: "nothing counts processes here" } } : undefined;
    });
    expect(await printed(await runtime.create("w"), "echo ok")).toBe("ok");
  });

  test("missing limits of bytes and files are one diagnostic for workspaces on disk", async () => {
    const { runtime } = await subjectBehind(() => undefined, { storage: "disk" });
    const { diagnostics } = await runtime.capabilities();
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        code: "limit.default-not-enforced",
        message: expect.stringMatching(/default limits diskBytes, inodes are not enforced/),
      }),
    );
  });

  test("that the caller set and the engine does not enforce create no workspace", async () => {
    const asked = { memoryBytes: 256 * MEBIBYTE, processes: 64 };
    for (const meddle of [withoutGroups, sayingSo]) {
      const { runtime } = await subjectBehind(meddle, asked);
      const error = await runtime.create("w").catch((caught: unknown) => caught);
      expect(SkillError.is(error, "UNSUPPORTED")).toBe(true);
      expect(String(error)).toMatch(/memoryBytes and processes.*options.*Leave.*out.*control groups/s);
      expect(await runtime.list()).toEqual([]);
    }
    const { runtime } = await subjectBehind(withoutCpuController, { cpu: 2 });
    await expect(runtime.create("w")).rejects.toMatchObject({
      code: "UNSUPPORTED",
      message: expect.stringMatching(/cpu/),
    });
    expect(await runtime.list()).toEqual([]);
  });

  test("a storage size that the caller set and the engine does not enforce creates no workspace", async () => {
    const { runtime } = await subjectBehind(onDiskAnyway, { storageBytes: 64 * MEBIBYTE });
    await expect(runtime.create("w")).rejects.toMatchObject({
      code: "UNSUPPORTED",
      message: expect.stringMatching(/storageBytes/),
    });
    expect(await runtime.list()).toEqual([]);
  });

  async function subjectBehind(meddle: Meddle, options: DockerRuntimeOptions = {}): Promise<DockerSubject> {
    const relay = await engineRelay(host, meddle);
    const subject = dockerSubject({ host: relay.host, image }, options);
    onTestFinished(async () => {
      await subject.dispose();
      await relay[Symbol.asyncDispose]();
    });
    return subject;
  }
});

test("storageBytes is refused for workspaces on disk, with a remedy", () => {
  expect(() => dockerRuntime({ storage: "disk", storageBytes: GIBIBYTE })).toThrowError(
    expect.objectContaining({
      code: "UNSUPPORTED",
      message: expect.stringMatching(/storageBytes.*disk.*Leave storageBytes out.*storage: "memory"/s),
    }),
  );
});

/** Discards limits of a whole container, as engines do that have no control groups. */
function withoutGroups({ path, text }: Parameters<Meddle>[0]): ReturnType<Meddle> {
  if (/\/containers\/[0-9a-f]+\/update/.test(path)) return { text: "{}" };
  if (!/\/containers\/create/.test(path)) return undefined;
  const settings = JSON.parse(text);
  const { Memory: _m, MemorySwap: _s, NanoCpus: _n, PidsLimit: _p, ...host } = settings.HostConfig;
  return { text: JSON.stringify({ ...settings, HostConfig: host }) };
}

/** Discards them and says so beforehand. */
function sayingSo(call: Parameters<Meddle>[0]): ReturnType<Meddle> {
  if (!/\/info$/.test(call.path)) return withoutGroups(call);
  const answer = { MemTotal: GIBIBYTE, MemoryLimit: false, CpuCfsQuota: false, PidsLimit: false };
  return { status: 200, answer };
}

/** The report of a rootless Podman without a delegated cpu controller. */
function withoutCpuController({ path, text }: Parameters<Meddle>[0]): ReturnType<Meddle> {
  if (/\/containers\/[0-9a-f]+\/update/.test(path))
    return {
      status: 500,
      answer: { message: "crun: the requested cgroup controller `cpu` is not available" },
    };
  if (!/\/containers\/create/.test(path) || !JSON.parse(text).HostConfig.NanoCpus) return undefined;
  const message = "crun: the requested cgroup controller `cpu` is not available: OCI runtime error";
  return { status: 500, answer: { message } };
}

function onDiskAnyway({ path, text }: Parameters<Meddle>[0]): ReturnType<Meddle> {
  if (!/\/volumes\/create/.test(path)) return undefined;
  const { DriverOpts: _, ...settings } = JSON.parse(text);
  return { text: JSON.stringify(settings) };
}
