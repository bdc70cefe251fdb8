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
      const before = localProcesses(container) ?? expect.fail("They are to be seen here.");
      expect(before.map(({ group }) => group)).toEqual(before.map(() => 0));
      const handle = await started(place, "(sleep 60 & setsid sleep 60 &); echo here; sleep 60");
      const rows = await container.container.top({ ps_args: "-eo pid,ruid,rgid" });
      const told = rows.Processes.map(([, user, group]: string[]) => `${user} ${group}`).sort();
      const seen = (localProcesses(container) ?? []).map(({ user, group }) => `${user} ${group}`).sort();
      expect(seen).toEqual(told);
      expect(seen.filter((one) => one.startsWith("1000 ")).length).toBeGreaterThanOrEqual(4);
      await handle.signal("SIGKILL");
      await handle.result;
      expect(localProcesses(container)).toEqual(before);
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
