import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines } from "../engine-setup/engines.js";
import { survivors, withInvariants } from "./invariants.js";
import { command, printed, type RunPlace, runPlace, runText } from "./run-place.js";

describe.each(await engines())("hostile processes on $name", ({ name, host, image }) => {
  let place: RunPlace;

  beforeAll(async () => {
    place = await runPlace({ engine: { host }, image });
  });

  afterAll(() => place?.dispose());

  test("PROC-01: a background child that keeps the pipe ends at the timeout", async () => {
    const text = "sleep 3600 & sleep 3600";
    const result = await withInvariants(place, () => runText(place, text, { timeoutMs: 1000 }));
    expect([result.exitCode, result.timedOut, result.treeEnded]).toEqual([137, true, true]);
  });

  test("PROC-02: a double-forked daemon with closed pipes is dead when the run is over, and writes nothing later", async () => {
    const daemon = "(nohup setsid bash -c 'sleep 3600; echo x > $HOME/late' >/dev/null 2>&1 &); echo done";
    const result = await withInvariants(place, () => runText(place, daemon));
    expect([result.exitCode, result.stdout.text, result.treeEnded]).toEqual([0, "done\n", true]);
    expect(await printed(place, "ls work")).not.toContain("late");
  });

  test("PROC-03: a command that ignores all possible signals ends at the timeout", async () => {
    const text = "trap '' TERM INT HUP QUIT; while :; do sleep 1; done";
    const result = await withInvariants(place, () => runText(place, text, { timeoutMs: 1000 }));
    expect([result.exitCode, result.timedOut, result.treeEnded]).toEqual([137, true, true]);
  });

  test("PROC-04: a stopped tree is ended at the timeout", async () => {
    const text = "(sleep 3600; true) & kill -STOP $! $$; echo never";
    const result = await withInvariants(place, () => runText(place, text, { timeoutMs: 500 }));
    expect([result.timedOut, result.stdout.text]).toEqual([true, ""]);
  });

  test("PROC-05: a command that kills everything it can leaves the workspace usable", async () => {
    const result = await withInvariants(place, () => runText(place, "kill -9 -1; echo still there"));
    expect(result.treeEnded).toBe(true);
    // It does not reach itself, and nobody else belongs to its user.
    expect([result.exitCode, result.stdout.text]).toEqual([0, "still there\n"]);
    expect(result.diagnostics).toEqual([]);
  });

  // There it stops the container: see gvisor.test.ts.
  if (name !== "gvisor")
    test("PROC-06: a fork bomb is limited, and gone when it is ended", async () => {
      let most = 0;
      const look = async () => {
        // No process can be started beside it when it has all of them.
        most = Math.max(
          most,
          await survivors(place).then(
            (all) => all.length,
            () => 256,
          ),
        );
        return most;
      };
      const result = await withInvariants(place, async () => {
        const running = await place.start(command(":(){ :|:& };: ; sleep 3600"));
        await expect.poll(look).toBeGreaterThan(50);
        await running.signal("SIGKILL");
        return await running.result;
      });
      expect([result.exitCode, result.treeEnded]).toEqual([137, true]);
      expect(most).toBeLessThanOrEqual(256);
    });

  test("PROC-07: killing by process id reaches nothing of another workspace or of the host", async () => {
    const sibling = await place.state.makeContainer("sibling", {});
    try {
      const text = `for p in /proc/[0-9]*; do kill -9 \${p#/proc/} 2>/dev/null; done; echo done`;
      const result = await withInvariants(place, () => runText(place, text));
      expect(result.treeEnded).toBe(true);
      expect((await sibling.container.inspect()).State.Running).toBe(true);
    } finally {
      await sibling.container.remove({ force: true, v: true });
      await place.container.engine.docker.getVolume(sibling.volume).remove();
    }
  });

  test("PROC-07: neither the keep-alive's memory nor its descriptors can be reached", async () => {
    const text =
      "cat /proc/1/environ; ls -A /proc/1/fd; readlink /proc/1/root; kill -9 1; kill -STOP 1; head -c 10 /proc/1/mem";
    const result = await withInvariants(place, () => runText(place, text));
    expect(result.exitCode).not.toBe(0);
    expect(result.stdout.text).toBe("");
  });

  test("PROC-08: standard input is empty and closed", async () => {
    const result = await withInvariants(place, () => runText(place, "cat; echo end"));
    expect([result.exitCode, result.stdout.text]).toEqual([0, "end\n"]);
  });

  test("a command cannot end, stop, inspect or reach the supervisors", async () => {
    const text = `
      for pid in $PPID 1 $(pgrep -u 0); do
        for signal in KILL STOP TERM HUP CHLD; do kill -$signal $pid && echo "signalled $pid"; done
        for file in mem environ maps; do head -c 1 /proc/$pid/$file && echo "read $pid"; done
        for file in /proc/$pid/fd/*; do echo gone > $file && echo "written $pid"; done
        renice -n 19 -p $pid && echo "slowed $pid"
      done 2>/dev/null
      timeout 2 /.skillwright/supervisor connect --socket /.skillwright/socket </dev/null 2>/dev/null && echo connected
      timeout 2 /.skillwright/supervisor serve --socket /.skillwright/socket 2>/dev/null && echo served
      for file in /.skillwright /.skillwright/*; do rm -rf $file; mv $file $file.old; : > $file && echo "changed $file"; done 2>/dev/null
      setsid sleep 3600 &
      exit 7`;
    const result = await withInvariants(place, () => runText(place, text));
    expect(result).toMatchObject({ exitCode: 7, timedOut: false, treeEnded: true, stdout: { text: "" } });
    expect(result.diagnostics).toEqual([]);
  });

  test("processes that kill whatever would end them end with the container, which keeps its files", async () => {
    await printed(place, "echo kept > out/kept");
    // Without a separate process for each kill there is no gap between two.
    const text =
      "trap '' TERM; (while :; do kill -9 -1; done) 2>/dev/null & while :; do kill -9 -1; done 2>/dev/null";
    const result = await withInvariants(place, () => runText(place, text, { timeoutMs: 1000 }));
    expect([result.exitCode, result.treeEnded]).toEqual([137, true]);
    expect(result.diagnostics.map(({ code }) => code)).not.toContain("container.stopped");
    expect(await printed(place, "cat out/kept")).toBe("kept\n");
  });
});

/** With Python, for tests that a shell cannot do. */
describe.each(await engines(["docker", "podman"], "full"))("hostile threads on $name", ({ host, image }) => {
  let place: RunPlace;

  beforeAll(async () => {
    place = await runPlace({ engine: { host }, image });
  });

  afterAll(() => place?.dispose());

  test("a process whose leader has ended, and looks like a zombie, while its threads continue, is ended", async () => {
    const python = `import ctypes, threading, time
threading.Thread(target=time.sleep, args=(60,)).start()
ctypes.CDLL(None).pthread_exit(None)`;
    const text = `python3 -c '${python}' >/dev/null 2>&1 & until grep "State:.Z" /proc/$!/status; do sleep 0.1; done`;
    const result = await withInvariants(place, () => runText(place, text));
    expect([result.exitCode, result.treeEnded]).toEqual([0, true]);
    expect(result.stdout.text).toContain("Z (zombie)");
  });
});
