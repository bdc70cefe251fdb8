import { expect, test } from "vitest";
import { type DockerRuntimeOptions, dockerRuntime } from "../../src/index.js";

const unfit: readonly [string, DockerRuntimeOptions][] = [
  ["namespace", { namespace: "a.b" }],
  ["namespace", { namespace: "" }],
  ["namespace", { namespace: "x".repeat(65) }],
  ["storage", { storage: "tape" as "disk" }],
  ["storageBytes", { storageBytes: 1000 }],
  ["memoryBytes", { memoryBytes: 1024 }],
  ["memoryBytes", { memoryBytes: Number.NaN }],
  ["memoryBytes", { memoryBytes: 3 << 30 }],
  ["cpu", { cpu: 0 }],
  ["cpu", { cpu: Number.POSITIVE_INFINITY }],
  ["processes", { processes: 1.5 }],
  ["openFiles", { openFiles: -1 }],
  ["fileBytes", { fileBytes: 0 }],
  ["warmContainers", { warmContainers: -1 }],
  ["warmContainers", { warmContainers: 0.5 }],
  ["user", { user: { uid: 0, gid: 1000 } }],
  ["user", { user: { uid: 1000, gid: 0 } }],
  ["user", { user: { uid: 2 ** 31, gid: 1 } }],
  ["network", { network: "container:other" }],
  ["network", { network: "" }],
  ["installNetwork", { installNetwork: "container:other" }],
  ["installNetwork", { installNetwork: "" }],
  ["skillsRoot", { skillsRoot: "skills" }],
  ["skillsRoot", { skillsRoot: "/usr/lib" }],
  ["skillsRoot", { skillsRoot: "/skillwright/x" }],
  ["skillsRoot", { skillsRoot: "/.skillwright/x" }],
  ["skillsRoot", { skillsRoot: "/srv/../etc" }],
  ["skillsRoot", { skillsRoot: "/" }],
  ["skillCopies", { skillCopies: "run" as "workspace" }],
  ["callTimeoutMs", { callTimeoutMs: 0 }],
  ["callTimeoutMs", { callTimeoutMs: 2 ** 31 }],
];

test.each(unfit)("%s is refused at once where it is invalid: %j", (option, options) => {
  expect(() => dockerRuntime(options)).toThrowError(
    expect.objectContaining({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(option),
      details: expect.objectContaining({ option }),
    }),
  );
});

test("creating a runtime and closing it contacts no engine", async () => {
  const runtime = dockerRuntime({ engine: { host: "unix:///nowhere/at/all.sock" } });
  await expect(runtime.close()).resolves.toBeUndefined();
});
