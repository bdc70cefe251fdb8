import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { PLENTY, roomy } from "./roomy.js";

if (hasAll("supervisor"))
  describe("a run with room for a part of what it writes", () => {
    const megabytes = (count: number) => `for i in {1..${count}}; do head -c 1000000 /dev/zero > f$i; done`;

    test("is held as a whole when it has used its room, and goes on when it is given more", async () => {
      const run = roomy(8_000_000, PLENTY, `(while :; do :; done) & ${megabytes(40)}; kill $!`);
      expect(await run.held()).toBe(true);
      const { length } = run.files();
      // Processes of others on this disk may have used a part of the room.
      expect(length).toBeLessThan(30);
      expect(run.states().length).toBeGreaterThanOrEqual(2);
      await untilStopped(run);
      run.tell(`room ${PLENTY} ${PLENTY}`);
      await run.ended;
      expect(run.files()).toHaveLength(40);
      expect(run.report()).toEqual(expect.arrayContaining(["ended exit 0", "gone"]));
    });

    test("is held by its number of files, again and again", async () => {
      const run = roomy(PLENTY, 2000, "for ((i=0;i<9000;i++)); do : > $i; done");
      let times = 0;
      const answers = (async () => {
        for (; await run.held(); times++) run.tell(`room ${PLENTY} 2000`);
      })();
      await run.ended;
      await answers;
      expect(times).toBeGreaterThanOrEqual(2);
      expect(run.files()).toHaveLength(9000);
    });

    test("is ended while it is held, and none of its processes runs before that", async () => {
      const run = roomy(8_000_000, PLENTY, `${megabytes(40)}; : > all`);
      await run.held();
      await untilStopped(run);
      const before = run.files();
      run.tell("end");
      await run.ended;
      expect(run.files()).toEqual(before);
      expect(run.report()).toEqual(expect.arrayContaining(["asked end", "ended signal 9", "gone"]));
    });

    test("is resumed as a whole, also with processes that start, end and lose their parents while it is being held", async () => {
      const run = roomy(PLENTY, 20, "for i in {1..900}; do ( (: > $i; : | :) & ) & done; wait");
      const answers = (async () => {
        while (await run.held()) run.tell(`room ${PLENTY} 20`);
      })();
      await run.ended;
      await answers;
      expect(run.report()).toContain("ended exit 0");
    });

    test("does not wait for a host that has left", async () => {
      const run = roomy(8_000_000, PLENTY, megabytes(40));
      await run.held();
      run.leave();
      await run.ended;
      expect(run.files()).toHaveLength(40);
      const alone = roomy(8_000_000, PLENTY, megabytes(40));
      alone.leave();
      await alone.ended;
      expect(alone.files()).toHaveLength(40);
    });

    test("resumes no process that the command itself has stopped, and its shell sees none of the others stop", async () => {
      const run = roomy(
        8_000_000,
        PLENTY,
        `set -m; sleep 1000 & kill -STOP $!; ${megabytes(40)}; grep -c '^State:.T' /proc/$!/status > state; kill -9 $!`,
      );
      await run.held();
      run.tell(`room ${PLENTY} ${PLENTY}`);
      await run.ended;
      expect(run.files()).toHaveLength(41);
      expect(run.text("state")).toBe("1\n");
    });
  });

/** A process stops at the end of the write that it is in. */
async function untilStopped({ states }: ReturnType<typeof roomy>): Promise<void> {
  await expect.poll(() => new Set(states())).toEqual(new Set(["T"]));
}
