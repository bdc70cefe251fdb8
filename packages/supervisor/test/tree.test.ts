import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { markedProcesses } from "./marked-processes.js";
import { supervised } from "./supervised.js";

/** Each starts processes that would stay alive; it prints `ready` when they exist. */
const trees = {
  "one that has a session of its own": "setsid sleep 1000 & echo ready",
  "one that was left by its parent, twice": "( ( sleep 1000 & ) & ) ; echo ready",
  "one that ignores every signal it can":
    "( trap '' TERM INT HUP QUIT USR1 PIPE; echo ready; while :; do sleep 1000; done ) &",
  "one that is stopped": "( kill -STOP $BASHPID; sleep 1000 ) & echo ready",
  "one that forks, exits and goes on in its child": "f() { ( sleep 0.001; f ) & } ; f; echo ready",
  many: "for i in {1..200}; do sleep 1000 & done; echo ready",
  "a chain of a hundred":
    "f() { if [ $1 = 0 ]; then echo ready; sleep 1000; else ( f $(( $1 - 1 )); : ) ; fi; }; f 100 &",
};
/** The ways to end the tree; `command` is what the program does once its tree exists. */
const ends = {
  "its program ends": { next: "exit 0", act: () => {} },
  "the host says `end`": { next: "sleep 1000", act: (run: Run) => run.control.write("end\n") },
  "the host closes the control pipe": { next: "sleep 1000", act: (run: Run) => run.control.destroy() },
  "the supervisor gets SIGTERM": { next: "sleep 1000", act: (run: Run) => run.child.kill("SIGTERM") },
};
type Run = ReturnType<typeof supervised>;

const cases = Object.entries(trees).flatMap(([tree, text]) =>
  Object.entries(ends).map(([end, how]) => ({ tree, text, end, ...how })),
);

if (hasAll("supervisor"))
  describe("no process of a tree is left when `gone` is reported", () => {
    test.each(cases)("$tree, when $end", async ({ text, next, act }) => {
      const marked = markedProcesses();
      // It ends only after its tree exists, which it learns through a pipe.
      const command = `exec 9< <(${text}\nwait); read -r -u 9 word; echo "$word"; ${next}`;
      const run = supervised(["--session"], ["/bin/bash", "-c", command], { env: marked.env });
      let alive: readonly string[] | undefined;
      const gone = run.line("gone").then(() => {
        alive = marked.alive(run.child.pid);
      });
      await run.printed("ready");
      if (next !== "exit 0") expect(marked.alive(run.child.pid)).not.toEqual([]);
      act(run);
      await gone;
      expect(alive).toEqual([]);
      expect((await run.ended).report.slice(-2)).toEqual([
        next === "exit 0" ? "ended exit 0" : "ended signal 9",
        "gone",
      ]);
    });
  });
