import type { RuntimeWorkspace } from "@skillwright/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { localSubject } from "./local-subject.js";
import { markedSleep, printed, processesWith, runText } from "./running.js";

/** Ways in which a process tries to outlive its run; `sleep` is the survivor. */
const SHAPES: Readonly<Record<string, (sleep: string) => string>> = {
  "1 (plain)": (sleep) => `${sleep}; true`,
  "2 (background) (PROC-01)": (sleep) => `${sleep} & ${sleep}; true`,
  "3 (own session)": (sleep) => `setsid ${sleep} & ${sleep}; true`,
  "4 (double fork) (PROC-02)": (sleep) =>
    `(nohup setsid bash -c '${sleep}; echo x > late' >/dev/null 2>&1 &); ${sleep}; true`,
  "5 (signals ignored) (PROC-03)": (sleep) => `trap '' TERM INT HUP QUIT; while :; do ${sleep}; done`,
  "6 (starts itself again)": (sleep) => `cat > "$HOME/again" <<'EOF'
sleep 0.02; setsid bash "$HOME/again" '${sleep}' & exit
EOF
bash "$HOME/again" '${sleep}'; ${sleep}; true`,
};

/** Its process group, session, parent and environment no longer identify it. */
const HIDDEN = (sleep: string) =>
  `(setsid env -i bash -c 'setsid ${sleep} >/dev/null 2>&1 & exit' >/dev/null 2>&1 &); sleep 0.2`;

/** The ways of starting a command that end its whole tree. */
const LEVELS = [
  ...(hasAll("bubblewrap") ? ([["sandbox", () => localSubject("sandbox")]] as const) : []),
  ...(hasAll("supervisor") ? [["none", () => localSubject("none")] as const] : []),
];

for (const [level, open] of LEVELS)
  describe(`the six process shapes (${level})`, () => {
    let subject: Awaited<ReturnType<typeof localSubject>>;
    let workspace: RuntimeWorkspace;

    beforeAll(async () => {
      subject = await open();
      workspace = await subject.runtime.create("w1");
      await printed(workspace, "true");
    });

    afterAll(() => subject.dispose());

    test.for(Object.entries(SHAPES))(
      "shape %s: a timeout ends it, and no process survives",
      async ([, shape]) => {
        const sleep = markedSleep();
        const result = await runText(workspace, shape(sleep), { timeoutMs: 500 });
        const left = processesWith(sleep);
        expect([result.exitCode, result.timedOut, result.treeEnded]).toEqual([137, true, true]);
        expect(left).toEqual([]);
        expect(await printed(workspace, "echo ok")).toBe("ok\n");
      },
    );

    test.for(Object.entries(SHAPES))(
      "shape %s: no process survives when the command has ended",
      async ([, shape]) => {
        const sleep = markedSleep();
        const result = await runText(workspace, `(${shape(sleep)}\n) >/dev/null 2>&1 & sleep 0.2; echo done`);
        const left = processesWith(sleep);
        expect([result.exitCode, result.stdout.text, result.treeEnded]).toEqual([0, "done\n", true]);
        expect(left).toEqual([]);
        expect((await workspace.list()).filter(({ path }) => path.endsWith("late"))).toEqual([]);
      },
    );

    test("a daemon that hides completely is ended as well", async () => {
      for (const timeoutMs of [20_000, 500]) {
        const sleep = markedSleep();
        const rest = timeoutMs < 1000 ? "sleep 30" : "echo done";
        const result = await runText(workspace, `${HIDDEN(sleep)}; ${rest}`, { timeoutMs });
        const left = processesWith(sleep);
        expect([result.timedOut, result.treeEnded, left]).toEqual([timeoutMs < 1000, true, []]);
        expect((await subject.runtime.capabilities()).endsTree).toBe(true);
      }
    });

    test("a constantly growing tree is ended", async () => {
      const sleep = markedSleep();
      const text = `grow() { while :; do (setsid env -i ${sleep} &) ; sleep 0.01; done; }; grow & grow & ${sleep}`;
      const { timedOut, treeEnded } = await runText(workspace, text, { timeoutMs: 300 });
      expect([timedOut, treeEnded, processesWith(sleep)]).toEqual([true, true, []]);
    });

    test("PROC-04: a stopped tree is ended at the timeout", async () => {
      const sleep = markedSleep();
      const { timedOut } = await runText(workspace, `(${sleep}; true) & kill -STOP $! $$; echo never`, {
        timeoutMs: 300,
      });
      expect([timedOut, processesWith(sleep)]).toEqual([true, []]);
    });
  });
