import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines } from "../engine-setup/engines.js";
import { survivors } from "./invariants.js";
import { printed, type RunPlace, runPlace, runText } from "./run-place.js";

/** Longer than vitest lets a test take. */
const SLEEP = "sleep 3600";
/** Ways in which a process tries to outlive its run. */
const SHAPES: Readonly<Record<string, string>> = {
  "1 (plain)": `${SLEEP}; true`,
  "2 (background)": `${SLEEP} & ${SLEEP}; true`,
  "3 (own session)": `setsid ${SLEEP} & ${SLEEP}; true`,
  "4 (double fork)": `(nohup setsid bash -c '${SLEEP}; echo x > late' >/dev/null 2>&1 &); ${SLEEP}; true`,
  "5 (signals ignored)": `trap '' TERM INT HUP QUIT; while :; do ${SLEEP}; done`,
  "6 (starts itself again)": `cat > "$HOME/again" <<'EOF'
sleep 0.02; setsid bash "$HOME/again" & exit
EOF
bash "$HOME/again"; ${SLEEP}; true`,
};

/** Takes all processes of the container's limit, and then continues. */
const FULL = (shape: string) =>
  `{ for i in $(seq 200); do ${SLEEP} & done; } 2>/dev/null & sleep 0.5; ${shape}`;

/** Its process group, session, parent and environment no longer identify it. */
const HIDDEN = `(setsid env -i bash -c 'setsid ${SLEEP} >/dev/null 2>&1 & exit' >/dev/null 2>&1 &); sleep 0.2`;

describe.each(await engines())("the six process shapes on $name", ({ name, host, image }) => {
  let place: RunPlace;

  beforeAll(async () => {
    place = await runPlace({ engine: { host }, image });
    await printed(place, "true");
  });

  afterAll(() => place?.dispose());

  test.for(Object.entries(SHAPES))(
    "shape %s: a timeout ends it, and no process survives",
    async ([, shape]) => {
      const result = await runText(place, shape, { timeoutMs: 500 });
      const left = await survivors(place);
      expect([result.exitCode, result.timedOut, result.treeEnded]).toEqual([137, true, true]);
      expect(left).toEqual([]);
      expect(await printed(place, "echo ok")).toBe("ok\n");
    },
  );

  // On gVisor a full limit stops the container.
  test.for(name === "gvisor" ? [] : Object.entries(SHAPES))(
    "shape %s: the same where no process can be started any more",
    async ([, shape]) => {
      const result = await runText(place, FULL(shape), { timeoutMs: 1200 });
      const left = await survivors(place);
      expect([result.exitCode, result.timedOut, result.treeEnded]).toEqual([137, true, true]);
      expect(left).toEqual([]);
      expect(await printed(place, "echo ok")).toBe("ok\n");
    },
  );

  test.for(Object.entries(SHAPES))(
    "shape %s: no process survives when the command has ended",
    async ([, shape]) => {
      const result = await runText(place, `(${shape}\n) >/dev/null 2>&1 & sleep 0.2; echo done`);
      const left = await survivors(place);
      expect([result.exitCode, result.stdout.text, result.treeEnded]).toEqual([0, "done\n", true]);
      expect(left).toEqual([]);
      expect(await printed(place, "ls . work")).not.toContain("late");
    },
  );

  test("a daemon that hides completely is ended as well", async () => {
    for (const timeoutMs of [20_000, 700]) {
      const result = await runText(place, `${HIDDEN}; ${timeoutMs < 1000 ? SLEEP : "echo done"}`, {
        timeoutMs,
      });
      expect([result.timedOut, result.treeEnded]).toEqual([timeoutMs < 1000, true]);
      expect(await survivors(place)).toEqual([]);
    }
  });

  test("ending one run does not affect another in the same workspace (CONC-01)", async () => {
    const other = runText(place, "sleep 3; echo ok");
    for (const shape of Object.values(SHAPES)) {
      const { timedOut, treeEnded } = await runText(place, shape, { timeoutMs: 300 });
      expect([timedOut, treeEnded]).toEqual([true, true]);
    }
    const { exitCode, stdout } = await other;
    expect([exitCode, stdout.text]).toEqual([0, "ok\n"]);
  });
});
