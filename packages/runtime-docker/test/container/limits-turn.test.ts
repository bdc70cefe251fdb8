import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { inLimitsTurn } from "../../src/container/limits-turn.js";
import type { WorkspaceContainer } from "../../src/container/workspace-container.js";
import { noteText } from "../../src/run/run-note.js";
import { engines, LOCAL_ENGINES } from "../engine-setup/engines.js";
import { containerPlace, told } from "./container-place.js";

describe.each(await engines(LOCAL_ENGINES))(
  "the turn to change a container's limits, on $name",
  (subject) => {
    test("one process has it at a time, and each that asks gets it", async () => {
      await using place = await containerPlace(subject);
      const container = await place.make("w");
      let [inside, most] = [0, 0];
      const work = async (name: number) => {
        inside++;
        most = Math.max(most, inside);
        await setTimeout(20);
        inside--;
        return name;
      };
      const all = [1, 2, 3, 4].map((name) => inLimitsTurn(container, () => work(name)));
      expect(await Promise.all(all)).toEqual([1, 2, 3, 4]);
      expect(most).toBe(1);
    });

    test("a waiting process gets it when the process of the other host ends", async () => {
      await using place = await containerPlace(subject);
      const container = await place.make("w");
      const other = await turnOfOther(container);
      let given = false;
      let looks = 0;
      const { streams } = container.engine;
      const open: typeof streams.open = async (...call) => {
        looks++;
        return await streams.open(...call);
      };
      const looking = { ...container, engine: { ...container.engine, streams: { ...streams, open } } };
      const turn = inLimitsTurn(looking, async () => {
        given = true;
      });
      // A free turn is given at the first attempt.
      await expect.poll(() => looks).toBeGreaterThan(2);
      expect(given).toBe(false);
      other.close();
      await turn;
      expect(given).toBe(true);
    });

    test("a host that hangs in its turn is reported at the deadline, and commands cannot end its process", async () => {
      await using place = await containerPlace(subject);
      const container = await place.make("w");
      const other = await turnOfOther(container);
      await told(container, "kill -9 -1 2>/dev/null; true").catch(() => undefined);
      const hurried = { ...container, engine: { ...container.engine, callTimeoutMs: 1000 } };
      await expect(inLimitsTurn(hurried, async () => undefined)).rejects.toMatchObject({
        code: "BACKEND_FAILED",
        message: expect.stringMatching(/Another process has been changing the limits/),
      });
      other.close();
    });
  },
);

/** Another host that has the turn until its connection ends. */
async function turnOfOther(container: WorkspaceContainer) {
  const stream = await container.engine.streams.separate(container);
  stream.start({
    ...{ arguments: ["files", "/"], inputs: [0], note: noteText({ turn: "other" }) },
    onBytes: () => undefined,
  });
  expect(await stream.notes()).toHaveLength(1);
  return stream;
}
