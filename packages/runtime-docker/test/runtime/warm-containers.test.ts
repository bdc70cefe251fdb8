import { randomBytes } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { WAITING_PREFIX } from "../../src/container/container-labels.js";
import { removeWhole } from "../../src/container/remove-container.js";
import { containerSurvey } from "../../src/container/sweep-containers.js";
import { dockerRuntime } from "../../src/index.js";
import { type RuntimeState, runtimeState } from "../../src/runtime-state.js";
import { engines, LOCAL_ENGINES, type TestEngine } from "../engine-setup/engines.js";
import { printed } from "./running.js";

describe.each(await engines(LOCAL_ENGINES))("containers that wait for workspaces, on $name", (engine) => {
  test("become workspaces, which every host finds, and which are removed completely", async () => {
    const { runtime, state } = placeOn(engine);
    const { docker } = await state.engine({});
    const ids = ["first"];
    await runtime.create("first");
    // One that was just made may not be connected yet, and is for the next.
    const takesOne = async () => {
      const waiting = await waitingIds(state);
      const id = `w${ids.push("") - 1}`;
      ids[ids.length - 1] = id;
      await runtime.create(id);
      return waiting.includes((await docker.getContainer(nameIn(state, id)).inspect()).Id);
    };
    await expect.poll(takesOne).toBe(true);
    const id = ids.at(-1) ?? "";
    const workspace = await runtime.attach(id);
    expect(workspace && (await printed(workspace, "echo kept > work/f; cat work/f"))).toBe("kept");
    await using other = dockerRuntime(optionsOn(engine, state.wish.namespace));
    expect(await other.list()).toEqual(ids.toSorted());
    const attached = await other.attach(id);
    expect(attached && (await printed(attached, "cat work/f"))).toBe("kept");
    await expect(other.create(id)).rejects.toMatchObject({ code: "CONFLICT" });
    for (const each of ids) expect(await other.destroy(each)).toBe(true);
    await expect.poll(() => waitingIds(state)).toHaveLength(1);
    await runtime.close();
    expect(await left(state)).toEqual([]);
  });

  test("do not take the id of a workspace that exists", async () => {
    const { runtime, state } = placeOn(engine);
    await runtime.create("a");
    await expect.poll(() => waitingIds(state)).toHaveLength(1);
    await using other = dockerRuntime(optionsOn(engine, state.wish.namespace));
    const there = await other.create("b");
    await printed(there, "echo theirs > work/f");
    await expect(runtime.create("b")).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await printed(there, "cat work/f")).toBe("theirs");
  });

  test("are swept when their host is gone, and not before", async () => {
    const namespace = `warm-${randomBytes(6).toString("hex")}`;
    const state = runtimeState({ ...optionsOn(engine, namespace), warmContainers: 1 });
    onTestFinished(() => state.close());
    const made = await state.makeContainer("a", {});
    await expect.poll(() => waitingIds(state)).toHaveLength(1);
    const own = await state.engine({});
    await expect.poll(async () => await waitingStreams(state)).toBe(1);
    // As if all were old.
    const sweep = () => containerSurvey(own, namespace, -2000).sweep();
    await sweep();
    expect(await waitingIds(state)).toHaveLength(1);
    own.streams.close();
    await expect.poll(async () => await sweep().then(() => waitingIds(state))).toEqual([]);
    await removeWhole(own, { id: made.container.id, record: { volume: made.volume } as never });
  });
});

function optionsOn({ host, image }: TestEngine, namespace: string) {
  return { engine: { host }, image, pull: "never", namespace } as const;
}

/** A runtime with a waiting container, and a state of the same namespace to look at the engine with. */
function placeOn(engine: TestEngine) {
  const options = optionsOn(engine, `warm-${randomBytes(6).toString("hex")}`);
  const runtime = dockerRuntime({ ...options, warmContainers: 1 });
  const state = runtimeState(options);
  onTestFinished(async () => {
    await using last = dockerRuntime(options);
    for (const id of await last.list()) await last.destroy(id);
    await runtime.close();
    await state.close();
  });
  return { runtime, state };
}

function nameIn({ wish }: RuntimeState, id: string): string {
  return `skillwright.${wish.namespace}.${id}`;
}

async function left(state: RuntimeState, id = ""): Promise<readonly string[]> {
  const { docker } = await state.engine({});
  const all = await docker.listContainers({ all: true, filters: { name: [nameIn(state, id)] } });
  return all.map((container) => container.Id);
}

async function waitingIds(state: RuntimeState): Promise<readonly string[]> {
  return await left(state, WAITING_PREFIX);
}

/** Connections to waiting containers, which are opened after these were made. */
async function waitingStreams(state: RuntimeState): Promise<number> {
  const { docker } = await state.engine({});
  const [id] = await waitingIds(state);
  const execs = id
    ? (((await docker.getContainer(id).inspect()) as { ExecIDs?: string[] | null }).ExecIDs ?? [])
    : [];
  const infos = await Promise.all(execs.map((exec) => docker.getExec(exec).inspect()));
  return infos.filter(({ Running, ProcessConfig }) => Running && ProcessConfig.arguments[0] === "connect")
    .length;
}
