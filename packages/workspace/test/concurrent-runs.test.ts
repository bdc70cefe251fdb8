import { SkillError, type WorkspaceRun } from "@skillwright/core";
import { describe, expect } from "vitest";
import { threadTime } from "../../../test/timing/thread-time.js";
import { hostileCase } from "./hostile-case.js";
import { testIsolations } from "./workspace-fixture.js";

const LONG = {
  "SKILL.md": "---\nname: long\ndescription: Takes long.\n---\nx\n",
  "scripts/long.sh": 'echo begun; until [ -e "$WORK_DIR/go" ]; do sleep 0.02; done; cat scripts/part.txt\n',
  "scripts/part.txt": "first\n",
};

const files = (skill: Record<string, string>) =>
  Object.entries(skill).map(([path, content]) => ({ path, content }));

/** The longest time between two ticks of a 10 ms ticker during the work. */
async function longestGap(work: () => Promise<unknown>): Promise<number> {
  let last = threadTime();
  let longest = 0;
  const look = () => {
    const now = threadTime();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const ticker = setInterval(look, 10);
  try {
    await work();
    look();
  } finally {
    clearInterval(ticker);
  }
  return longest;
}

describe.each(await testIsolations())("concurrent runs, isolation %s", (isolation) => {
  hostileCase(
    "CONC-03: a skill that is changed and removed during a run stays complete for it; later runs see the current state",
    isolation,
    async ({ workspaces, repository, id }) => {
      await repository.upload(files(LONG));
      const begun = new AbortController();
      const hear = ({ type }: { type: string }) => type === "run.output" && begun.abort();
      const part = (): WorkspaceRun => ({ skill: "long", command: "cat scripts/part.txt" });
      const first = workspaces.run(id, { skill: "long", command: "sh scripts/long.sh" }, { onEvent: hear });
      await new Promise((resolve) => begun.signal.addEventListener("abort", resolve));
      await repository.upload(files({ ...LONG, "scripts/part.txt": "second\n" }));
      const second = workspaces.run(id, part());
      await workspaces.write(id, "work/go", "");
      expect((await first).stdout.text).toBe("begun\nfirst\n");
      expect((await second).stdout.text).toBe("second\n");
      await repository.delete("long");
      const third: unknown = await workspaces.run(id, part()).catch((error: unknown) => error);
      expect(SkillError.is(third, "SKILL_NOT_FOUND")).toBe(true);
    },
  );

  hostileCase(
    "CONC-05: while 20 runs start at once no turn of the event loop takes 250 ms",
    isolation,
    async ({ workspaces }) => {
      const ids = await Promise.all(Array.from({ length: 20 }, async () => (await workspaces.create()).id));
      const runAll = () =>
        Promise.all(ids.map((id) => workspaces.run(id, { skill: "demo", command: "echo ok" })));
      // The machine may be busy with other work; the best of three measures this code.
      const gaps = [await longestGap(runAll), await longestGap(runAll), await longestGap(runAll)];
      expect(Math.min(...gaps)).toBeLessThan(250);
    },
  );

  hostileCase(
    "12 concurrent runs cause no warning of Node, in one workspace or in many",
    isolation,
    async ({ workspaces, id }) => {
      const warnings: string[] = [];
      const hear = ({ name, message }: Error) => void warnings.push(`${name}: ${message}`);
      process.on("warning", hear);
      try {
        const { signal } = new AbortController();
        const wanted = { skill: "demo", command: "sh scripts/hello.sh" };
        const twelve = Array.from({ length: 12 });
        await Promise.all(twelve.map(() => workspaces.run(id, wanted)));
        await Promise.all(twelve.map(() => workspaces.run(id, wanted, { signal })));
        await Promise.all(
          twelve.map(async () =>
            workspaces.run((await workspaces.create({ signal })).id, wanted, { signal }),
          ),
        );
        // A warning is emitted in a separate turn.
        await new Promise((resolve) => setImmediate(resolve));
      } finally {
        process.off("warning", hear);
      }
      expect(warnings).toEqual([]);
    },
  );
});
