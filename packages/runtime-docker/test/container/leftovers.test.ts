import { randomBytes } from "node:crypto";
import { supervisorProgram } from "@skillwright/supervisor";
import { describe, expect, test } from "vitest";
import { type ContainerRecord, containerName, labelsOf } from "../../src/container/container-labels.js";
import { containerSettings, volumeSettings } from "../../src/container/container-settings.js";
import { engineLimits } from "../../src/container/engine-limits.js";
import { containerSurvey } from "../../src/container/sweep-containers.js";
import { imageFacts } from "../../src/image/image-facts.js";
import { dockerRuntime } from "../../src/index.js";
import { OWN_PLACE, supervisorArchive } from "../../src/stream/supervisor-place.js";
import { engineRelay } from "../engine/engine-relay.js";
import { engines, type TestEngine } from "../engine-setup/engines.js";
import { type ContainerPlace, containerPlace } from "./container-place.js";

describe.each(await engines(["docker", "podman"]))("leftovers on an engine, on $name", (subject) => {
  test("unfinished objects of a killed process are swept once they are old, and not before", async () => {
    await using place = await containerPlace(subject);
    const whole = await place.make("whole");
    await halfMade(place, subject, "volume-only");
    await halfMade(place, subject, "not-started", { container: true });
    await halfMade(place, subject, "without-layout", { container: true, started: true });
    expect(await place.survey.ids()).toEqual(["whole"]);
    await place.survey.sweep();
    expect(await place.leftovers()).toHaveLength(2 + 1 + 2 + 2);
    await atAnyAge(place).sweep();
    const own = containerName(place.wish.namespace, "whole");
    expect((await place.leftovers()).toSorted()).toEqual([`/${own}`, whole.volume].sort());
    expect((await whole.ready()).State.Running).toBe(true);
  });

  test("DOCK-08: a foreign container is never used, listed, swept or destroyed, whatever labels it copied", async () => {
    await using place = await containerPlace(subject);
    const { namespace } = place.wish;
    const real = await place.make("real");
    const { Config: config } = await real.container.inspect();
    const stranger = async (name: string, labels: Record<string, string>) => {
      const created = await place.engine.docker.createContainer({
        name,
        Image: subject.image,
        Entrypoint: ["/bin/sleep", "1000"],
        Labels: labels,
        HostConfig: { NetworkMode: "none" },
      });
      await created.start();
      return created;
    };
    const strangers = [
      // All labels, under another name.
      await stranger(`skillwright.${namespace}.x-copy`, config.Labels),
      // The name, without labels.
      await stranger(containerName(namespace, "named"), {}),
      // The name, with labels changed to match it.
      await stranger(containerName(namespace, "forged"), {
        ...config.Labels,
        "io.skillwright.record": (config.Labels["io.skillwright.record"] ?? "").replace('"real"', '"forged"'),
      }),
    ];
    const volume = `skillwright.${namespace}.somebodys`;
    await place.engine.docker.createVolume({ Name: volume, Labels: config.Labels });
    const { host, image } = subject;
    await using runtime = dockerRuntime({ engine: { host }, image, pull: "never", namespace });
    expect(await runtime.list()).toEqual(["real"]);
    for (const id of ["x-copy", "named", "forged"]) {
      expect(await runtime.attach(id), id).toBeUndefined();
      expect(await runtime.destroy(id), id).toBe(false);
      await expect(runtime.create(id), id).rejects.toMatchObject({
        code: "CONFLICT",
        message: expect.stringMatching(/did not create.*docker ps/),
      });
    }
    await atAnyAge(place).sweep();
    for (const one of strangers) expect((await one.inspect()).State.Running).toBe(true);
    expect(await place.leftovers()).toContain(volume);
    expect(await runtime.destroy("real")).toBe(true);
    for (const one of strangers) expect((await one.inspect()).State.Running).toBe(true);
  });

  test("another namespace's workspaces are not seen, listed or swept", async () => {
    await using one = await containerPlace(subject);
    await using two = await containerPlace(subject);
    await one.make("same");
    await two.make("same");
    await halfMade(two, subject, "half");
    await atAnyAge(one).sweep();
    expect(await one.survey.ids()).toEqual(["same"]);
    expect(await two.leftovers()).toHaveLength(3);
  });

  test("of two concurrent removals one returns true, and nothing is left", async () => {
    await using place = await containerPlace(subject);
    await place.make("w");
    const { host, image } = subject;
    const make = () => dockerRuntime({ engine: { host }, image, namespace: place.wish.namespace });
    const runtimes = [make(), make(), make(), make()];
    const told = await Promise.all(runtimes.map((runtime) => runtime.destroy("w")));
    expect(told.filter((first) => first)).toEqual([true]);
    expect(await place.leftovers()).toEqual([]);
    await Promise.all(runtimes.map((runtime) => runtime.close()));
  });

  test("one of two removals returns true also where the engine reports success to both", async () => {
    await using place = await containerPlace(subject);
    await place.make("w");
    const { host, image } = subject;
    let report = () => {};
    const reported = new Promise<void>((resolve) => {
      report = resolve;
    });
    await using relay = await engineRelay(host, ({ method, path }) => {
      if (method !== "DELETE" || !path.includes("/containers/")) return undefined;
      report();
      return { status: 204, answer: undefined };
    });
    const at = (reached: string) =>
      dockerRuntime({ engine: { host: reached }, image, namespace: place.wish.namespace });
    await using early = at(relay.host);
    await using late = at(host);
    const first = early.destroy("w");
    await reported;
    const told = await Promise.all([first, late.destroy("w")]);
    expect(told.filter((isFirst) => isFirst)).toEqual([true]);
    expect(await place.leftovers()).toEqual([]);
  });

  test("a removal that the engine cannot begin yet is asked for again", async () => {
    await using place = await containerPlace(subject);
    await place.make("w");
    const { host, image } = subject;
    let refused = 0;
    await using relay = await engineRelay(host, ({ method, path }) => {
      if (method !== "DELETE" || !path.includes("/containers/") || refused === 3) return undefined;
      refused++;
      return { status: 409, answer: { message: "container state improper" } };
    });
    const { namespace } = place.wish;
    await using runtime = dockerRuntime({ engine: { host: relay.host }, image, namespace });
    expect(await runtime.destroy("w")).toBe(true);
    expect([refused, await place.leftovers()]).toEqual([3, []]);
  });
});

/** As if all leftovers were old. */
function atAnyAge(place: ContainerPlace) {
  // Podman reports volume times without fractions, so they may be ahead of its clock.
  return containerSurvey(place.engine, place.wish.namespace, -2000);
}

async function halfMade(
  { engine, wish }: ContainerPlace,
  { image }: TestEngine,
  workspaceId: string,
  { container = false, started = false } = {},
): Promise<void> {
  const { namespace, storage, user } = wish;
  const { limits, without } = await engineLimits().choose(engine, wish);
  const name = containerName(namespace, workspaceId);
  const record: ContainerRecord = {
    namespace,
    workspaceId,
    volume: `${name}.${randomBytes(8).toString("hex")}`,
    storage,
    user,
    hasNetwork: false,
    filter: "offline",
    programPath: "/bin",
    limits,
  };
  expect(labelsOf(record)).toMatchObject({ "io.skillwright.workspace": workspaceId });
  await engine.docker.createVolume(volumeSettings(record, engine.isPodman ? "nr_blocks" : "size"));
  if (!container) return;
  const facts = imageFacts(image, await engine.docker.getImage(image).inspect());
  const how = { isPodman: engine.isPodman, without };
  const settings = containerSettings(record, wish, facts, how);
  const made = await engine.docker.createContainer({ ...settings, name });
  await made.putArchive(await supervisorArchive(supervisorProgram()?.path ?? ""), { path: OWN_PLACE });
  if (started) await made.start();
}
