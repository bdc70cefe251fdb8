import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { startSshServer } from "../../../../scripts/engines/ssh-server.mjs";
import { hasAll } from "../../../../test/needs/has-all.js";
import { type DockerRuntime, dockerRuntime } from "../../src/index.js";
import { dockerSubject } from "../docker-subject.js";
import { engines } from "../engine-setup/engines.js";
import { command, printed } from "../runtime/running.js";

const targets = hasAll("an SSH server") ? await engines(["docker", "podman"]) : [];

describe.each(targets)("$name behind ssh", ({ host: engineHost, image }) => {
  let server: Awaited<ReturnType<typeof startSshServer>>;
  let address: string;

  beforeAll(async () => {
    server = await startSshServer();
    address = `${server.host}${new URL(engineHost).pathname}`;
  });
  beforeEach(() => {
    vi.stubEnv("PATH", `${server.programs}:${process.env["PATH"]}`);
    onTestFinished(() => void vi.unstubAllEnvs());
  });
  afterAll(() => server?.stop());

  function subjectThere() {
    const subject = dockerSubject({ host: address, image });
    onTestFinished(subject.dispose);
    return subject;
  }

  test("DOCKER_HOST=ssh:// is enough to create, fill, run and remove a workspace", async () => {
    vi.stubEnv("DOCKER_HOST", address);
    const { namespace } = subjectThere();
    await using runtime = dockerRuntime({ image, pull: "never", namespace });
    const workspace = await runtime.create("w");
    await workspace.put([{ path: "work/a.txt", content: "over there" }]);
    expect(await printed(workspace, "cat work/a.txt; seq 100000 | tail -n 1")).toBe("over there100000");
    const run = await workspace.start(command("cat", { interactive: true }));
    await run.write(Buffer.from("said\n"));
    await run.endInput();
    expect((await run.result).stdout.text).toBe("said\n");
    expect(await runtime.destroy("w")).toBe(true);
    expect(await runtime.list()).toEqual([]);
  });

  test("a broken tunnel is reopened for the next call, once for all waiting calls", async () => {
    const { runtime } = subjectThere();
    const workspace = await runtime.create("w");
    await printed(workspace, "echo kept > work/a.txt");
    await server.drop();
    await noTunnel(server.folder);
    expect(await Promise.all([1, 2, 3].map(() => printed(workspace, "cat work/a.txt")))).toEqual(
      Array(3).fill("kept"),
    );
    expect(tunnels(server.folder)).toHaveLength(1);
  });

  test("while the connection is blocked every call fails at once, with ssh's message; afterwards calls work again", async () => {
    const { runtime } = subjectThere();
    const workspace = await runtime.create("w");
    await server.kill();
    try {
      await noTunnel(server.folder);
      await expect(printed(workspace, "echo hi")).rejects.toMatchObject({
        code: "BACKEND_FAILED",
        message: expect.stringMatching(
          /ssh:\/\/.* could not be reached: .*Connection refused.*Check that ssh/,
        ),
      });
    } finally {
      await server.start();
    }
    expect(await printed(workspace, "echo hi")).toBe("hi");
  });

  test.each(["ends", "stays"])(
    "a run during which the tunnel breaks goes on, and its handle follows it through the next tunnel (ssh %s)",
    async (what) => {
      if (what === "stays") stayingSsh(server);
      const { runtime } = subjectThere();
      const workspace = await runtime.create("w");
      const run = await workspace.start(
        command("echo begun | tee -a work/begun; until [ -e work/stop ]; do sleep 0.05; done; echo ended"),
      );
      await expect.poll(async () => (await workspace.list("work")).length).toBe(2);
      await server.drop();
      await expect.poll(() => printed(workspace, "touch work/stop && cat work/begun")).toBe("begun");
      expect(await run.result).toMatchObject({ exitCode: 0, stdout: { text: "begun\nended\n" } });
    },
  );

  test("a host with an unknown key is refused without a prompt", async () => {
    const known = `${server.folder}/known-hosts`;
    const before = readFileSync(known);
    writeFileSync(known, "");
    onTestFinished(() => writeFileSync(known, before));
    await using runtime = dockerRuntime({ engine: { host: address } });
    await expect(runtime.list()).rejects.toMatchObject({
      code: "ISOLATION_UNAVAILABLE",
      message: expect.stringMatching(/could not be reached: .*Host key verification failed/s),
    });
  });

  test("a machine without an engine at that socket reports which one was searched", async () => {
    await using runtime = dockerRuntime({ engine: { host: `${server.host}/nowhere/docker.sock` } });
    await expect(runtime.list()).rejects.toMatchObject({
      code: "ISOLATION_UNAVAILABLE",
      message: expect.stringMatching(
        /was reached, but no container engine answers at .*\/nowhere\/docker\.sock/,
      ),
    });
  });

  test("closing ends the tunnel and leaves no file", async () => {
    // Other processes of this machine have tunnels, too.
    const own = mkdtempSync(`${server.folder}/temporary-`);
    vi.stubEnv("TMPDIR", own);
    const runtime: DockerRuntime = dockerRuntime({ engine: { host: address } });
    await runtime.list();
    expect(readdirSync(own)).toEqual([expect.stringMatching(/^skillwright-ssh-/)]);
    await runtime.close();
    await noTunnel(server.folder);
    expect(readdirSync(own)).toEqual([]);
  });
});

/** An `ssh` whose process stays when its connection has ended, as a real one does for a moment. */
function stayingSsh({ programs, folder }: Awaited<ReturnType<typeof startSshServer>>): void {
  const directory = mkdtempSync(`${folder}/staying-`);
  // A shell gives what runs in the background no input, and `ssh` would end as soon as nobody is connected.
  const script = `#!/bin/sh
exec 3<&0
trap 'kill $child; exit' TERM
"${programs}/ssh" "$@" <&3 & child=$!
wait
sleep 600 & child=$!
wait
`;
  writeFileSync(`${directory}/ssh`, script, { mode: 0o755 });
  vi.stubEnv("PATH", `${directory}:${process.env["PATH"]}`);
}

/** The `ssh` processes that use that folder's settings. An ended one has no arguments. */
function tunnels(folder: string): string[] {
  return readdirSync("/proc").filter((entry) => {
    try {
      return readFileSync(`/proc/${entry}/cmdline`, "utf8").includes(`\0-F\0${folder}/client.conf\0`);
    } catch {
      return false;
    }
  });
}

async function noTunnel(folder: string): Promise<void> {
  await expect.poll(() => tunnels(folder)).toEqual([]);
}
