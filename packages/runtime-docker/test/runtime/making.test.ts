import { readlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { dockerRuntime } from "../../src/index.js";
import { containerPlace } from "../container/container-place.js";
import { dockerSubject } from "../docker-subject.js";
import { engines } from "../engine-setup/engines.js";
import { printed, runText } from "./running.js";

describe.each(await engines(["docker", "podman"]))("creating a workspace, on $name", (engine) => {
  test("that is aborted at any point ends at once and leaves nothing behind", async () => {
    await using place = await containerPlace(engine);
    const { host, image } = engine;
    const { namespace } = place.wish;
    await using runtime = dockerRuntime({ engine: { host }, image, pull: "never", namespace });
    await runtime.list();
    for (const afterMs of [1, 10, 30, 60, 100, 150, 200]) {
      const making = runtime.create("w", { signal: AbortSignal.timeout(afterMs) });
      const made = await making.then(
        () => true,
        (error: unknown) => expect(error).toMatchObject({ code: "ABORTED" }) ?? false,
      );
      if (made) await runtime.destroy("w");
      await expect
        .poll(() => place.leftovers(), { timeout: 180_000, message: `after ${afterMs} ms` })
        .toEqual([]);
    }
  });

  test("for commands that need the network gives it the network for installing, which others do not have", async () => {
    await using subject = dockerSubject(engine, { installNetwork: "host" });
    const online = await subject.runtime.create("online", { network: true });
    const offline = await subject.runtime.create("offline");
    const look = "readlink /proc/self/ns/net";
    const own = readlinkSync("/proc/self/ns/net");
    expect((await runText(online, look, { network: true })).stdout.text.trim()).toBe(own);
    expect(await printed(offline, look)).not.toBe(own);
    await expect(runText(offline, "true", { network: true })).rejects.toMatchObject({ code: "UNSUPPORTED" });
    expect(await subject.runtime.capabilities()).toMatchObject({ networkOff: true });
    const again = await subject.other.attach("online");
    expect(again?.system).toBe(offline.system);
  });

  test("for commands that need the network is refused where the options deny it", async () => {
    await using subject = dockerSubject(engine, { installNetwork: "none" });
    await expect(subject.runtime.create("online", { network: true })).rejects.toMatchObject({
      code: "UNSUPPORTED",
      details: { option: "installNetwork" },
    });
    expect(await subject.runtime.list()).toEqual([]);
  });

  test("with a network shows it to commands that request it, and reports to others that it cannot be turned off", async () => {
    await using subject = dockerSubject(engine, { network: "host" });
    const workspace = await subject.runtime.create("w");
    expect(await subject.runtime.capabilities()).toMatchObject({ networkOff: false });
    const asked = await runText(workspace, "ls /sys/class/net", { network: true });
    expect(asked).toMatchObject({ exitCode: 0, diagnostics: [] });
    await expect(runText(workspace, "true", { network: false })).rejects.toMatchObject({
      code: "UNSUPPORTED",
    });
    expect((await runText(workspace, "true")).diagnostics).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/network/) }),
    ]);
  });

  test("as another user runs commands as that user, who owns their directories", async () => {
    await using subject = dockerSubject(engine, { user: { uid: 4321, gid: 4322 } });
    const workspace = await subject.runtime.create("w");
    expect(
      await printed(workspace, "id -u; echo x > out/a; ls -nd work | tr -s ' ' | cut -d ' ' -f 3,4"),
    ).toBe("4321\n4321 4322");
  });

  test("with a low-level runtime that the engine does not use is an error with its name, never another runtime", async () => {
    await using subject = dockerSubject(engine, { ociRuntime: "skillwright-none" });
    await expect(subject.runtime.create("w")).rejects.toMatchObject({
      code: engine.name === "podman" ? "CONFIG_INVALID" : "BACKEND_FAILED",
      message: expect.stringContaining("skillwright-none"),
    });
    expect(await subject.other.list()).toEqual([]);
  });

  test("capabilities are measured in the first workspace, and without one in a temporary container", async () => {
    await using place = await containerPlace(engine);
    const { host, image } = engine;
    const options = { engine: { host }, image, pull: "never", namespace: place.wish.namespace } as const;
    await using runtime = dockerRuntime(options);
    const alone = await runtime.capabilities();
    expect(await place.leftovers()).toEqual([]);
    await using other = dockerRuntime(options);
    await other.create("w");
    const first = await other.capabilities();
    expect(first).toEqual(alone);
    expect(await other.capabilities()).toBe(first);
    expect(await place.leftovers()).toHaveLength(2);
    expect(await other.list()).toEqual(["w"]);
  });
});
