import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { localProcesses } from "../../src/exec/local-processes.js";
import { engines } from "../engine-setup/engines.js";
import { type RunPlace, runPlace, started } from "../run/run-place.js";

describe.each(await engines())("the processes of a container on $name", ({ name, host, image }) => {
  let place: RunPlace;

  beforeAll(async () => {
    place = await runPlace({ engine: { host }, image, pull: "never" });
    await place.container.ready();
  });
  afterAll(() => place.dispose());

  if (name === "docker")
    test("are listed from their control group like by the engine", async () => {
      const { container } = place;
      const seen = () =>
        (localProcesses(container) ?? []).map(({ user, group }) => `${user} ${group}`).sort();
      const ofCommands = () => seen().filter((one) => one.startsWith("1000 "));
      await expect.poll(seen).toContain("0 0");
      expect(ofCommands()).toEqual([]);
      const handle = await started(place, `${NAMED}; (sleep 60 & setsid sleep 60 &); echo here; sleep 60`);
      // A process of the engine that prepared the container may still be ending.
      await expect
        .poll(async () => ({ told: await told(container), seen: seen() }))
        .toSatisfy((both: { told: string[]; seen: string[] }) => isDeepStrictEqual(both.told, both.seen));
      expect(ofCommands()).toHaveLength(3);
      await handle.signal("SIGKILL");
      await handle.result;
      await expect.poll(seen).toContain("0 0");
      expect(ofCommands()).toEqual([]);
    });
  else
    test("are left to the engine", () => {
      expect(localProcesses(place.container)).toBeUndefined();
    });

  test("are not taken from an id that belongs to another process, or to none", () => {
    for (const number of [process.pid, 2 ** 22, undefined])
      expect(localProcesses({ ...place.container, mainProcess: () => number })).toBeUndefined();
  });
});

/** The process takes a name that looks like a line of its status with another user. */
const NAMED = "printf 'a\\rUid:\\t7' > /proc/self/comm";

/** Lists user and group of each process of the container, as the engine reports them. */
async function told({ container }: RunPlace["container"]): Promise<readonly string[]> {
  const rows = await container.top({ ps_args: "-eo pid,ruid,rgid" });
  return rows.Processes.map(([, user, group]: string[]) => `${user} ${group}`).sort();
}
