import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines, LOCAL_ENGINES } from "../engine-setup/engines.js";
import { withInvariants } from "./invariants.js";
import { printed, type RunPlace, runPlace, runText } from "./run-place.js";

const MEBIBYTE = 1024 * 1024;

describe.each(await engines(LOCAL_ENGINES))("hostile use of resources on $name", ({ host, image }) => {
  let place: RunPlace;

  beforeAll(async () => {
    const limits = { memoryBytes: 192 * MEBIBYTE, storageBytes: 96 * MEBIBYTE, fileBytes: 64 * MEBIBYTE };
    place = await runPlace({ engine: { host }, image, ...limits, processes: 128 });
  });

  afterAll(() => place?.dispose());

  test("RES-01: filling up a workspace in memory ends only the writer", async () => {
    const command =
      "for i in 1 2 3; do head -c 60000000 /dev/zero > work/x$i || echo full; done; echo went on";
    const { stdout, exitCode } = await withInvariants(place, () => runText(place, command));
    expect(exitCode === 137 || stdout.text.includes("full")).toBe(true);
    expect(
      await printed(place, "rm -f work/x*; head -c 1000000 /dev/zero > work/y && wc -c < work/y"),
    ).toContain("1000000");
  });

  test("RES-02: many medium files fail when the workspace is full", async () => {
    const command = "cd work; for i in $(seq 200); do head -c 1000000 /dev/zero > f$i || exit 9; done";
    const { exitCode, diagnostics } = await withInvariants(place, () => runText(place, command));
    expect([9, 137]).toContain(exitCode);
    if (exitCode === 9) expect(diagnostics).toMatchObject([{ code: "limit.storageBytes-reached" }]);
    const used = Number(await printed(place, "du -sk . | cut -f1"));
    expect(used).toBeGreaterThan(40_000);
    expect(used).toBeLessThanOrEqual(96 * 1024 + 1024);
    await printed(place, "rm -f work/f*");
  });

  test("RES-02: empty files also reach a limit", async () => {
    const command =
      "cd work; mkdir many; cd many; i=0; while : > $i; do i=$((i+1)); done 2>/dev/null; ls | wc -l";
    const { stdout } = await withInvariants(place, () => runText(place, command));
    expect(Number(stdout.text)).toBeGreaterThan(90_000);
    expect(Number(stdout.text)).toBeLessThan(100_000);
    const cleaned = await runText(place, "rm -rf work/many");
    expect([cleaned.exitCode, cleaned.diagnostics.map(({ code }) => code)]).toEqual([
      0,
      ["run.no-directory"],
    ]);
    expect((await runText(place, "true")).diagnostics).toEqual([]);
  });

  test("RES-03: descriptors reach a limit, only for the command", async () => {
    const command = 'n=0; while eval "exec {f}</dev/null" 2>/dev/null; do n=$((n+1)); done; echo $n';
    const { stdout } = await withInvariants(place, () => runText(place, command));
    expect(Number(stdout.text)).toBeGreaterThan(200);
    expect(Number(stdout.text)).toBeLessThan(256);
  });

  test("RES-04: a crash leaves no core dump", async () => {
    const { exitCode } = await withInvariants(place, () =>
      runText(place, "cd work; ulimit -c unlimited; kill -SEGV $$"),
    );
    expect(exitCode).toBe(139);
    expect(
      await printed(place, "find / -xdev -name 'core*' -type f -newer /proc/1 2>/dev/null; ls work"),
    ).not.toMatch(/core/);
  });

  test("RES-05: a decompression bomb among the outputs is not unpacked", async () => {
    const command = "head -c 300000000 /dev/zero | gzip > out/z.gz; wc -c < out/z.gz";
    const { exitCode, stdout } = await withInvariants(place, () => runText(place, command));
    expect(exitCode).toBe(0);
    expect(Number(stdout.text)).toBeLessThan(MEBIBYTE);
    expect(await printed(place, "od -An -tx1 -N2 out/z.gz")).toContain("1f 8b");
  });

  test("a file beyond its limit ends its writer", async () => {
    const { exitCode, diagnostics } = await withInvariants(place, () =>
      runText(place, "head -c 70000000 /dev/zero > work/big"),
    );
    expect(exitCode).not.toBe(0);
    expect(diagnostics).toMatchObject([{ code: "limit.fileBytes-reached" }]);
    expect(Number(await printed(place, "wc -c < work/big"))).toBeLessThanOrEqual(64 * MEBIBYTE);
    await printed(place, "rm work/big");
  });

  test.each(["/tmp", "/dev/shm"])("a full %s is reported with the run that fails by it", async (path) => {
    const fill = `head -c 20000000 /dev/zero > ${path}/a; for i in 1 2 3 4 5 6 7 8; do cat ${path}/a > ${path}/$i || exit 1; done`;
    const failed = await withInvariants(place, () =>
      runText(place, `${fill}; cat ${path}/a ${path}/? > ${path}/b`),
    );
    expect(failed.exitCode).not.toBe(0);
    expect(failed.diagnostics).toMatchObject([
      { code: "limit.tmp-reached", message: expect.stringContaining(path) },
    ]);
    expect((await runText(place, `rm -f ${path}/*; exit 1`)).diagnostics).toEqual([]);
  });

  test("memory beyond the limit ends the run, and a diagnostic says why", async () => {
    const command = "tail -c 400000000 /dev/zero; echo $?; exit 1";
    const hog = await withInvariants(place, () => runText(place, command));
    // The system may also end the shell, if the memory of its first victim is not free soon enough.
    expect([
      [1, "137\n"],
      [137, ""],
    ]).toContainEqual([hog.exitCode, hog.stdout.text]);
    expect(hog.diagnostics.map(({ code }) => code)).toEqual(["limit.memoryBytes-reached"]);
    const whole = await withInvariants(place, () => runText(place, "exec tail -c 400000000 /dev/zero"));
    expect(whole.exitCode).toBe(137);
    expect(whole.diagnostics.map(({ code }) => code)).toEqual(["limit.memoryBytes-reached"]);
  });

  test("exceeding the number of processes is reported", async () => {
    // Unlike bash, this shell does not wait for a process to end.
    const command = "busybox sh -c 'for i in $(seq 140); do sleep 3600 & done' 2>/dev/null; true";
    const { diagnostics } = await withInvariants(place, () => runText(place, command));
    expect(diagnostics.map(({ code }) => code)).toContain("limit.processes-reached");
  });
});
