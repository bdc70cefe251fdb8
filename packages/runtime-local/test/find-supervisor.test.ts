import { execFileSync } from "node:child_process";
import { chmod, copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { UNPRIVILEGED } from "../src/host/credentials.js";
import { ownHost } from "../src/host/own-host.js";
import { localRuntimeOn } from "../src/local-runtime.js";
import { findSupervisor } from "../src/supervisor/find-supervisor.js";
import { temporaryDirectory } from "./local-subject.js";
import { runText } from "./running.js";

const undo: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

/** A directory for copies that every user can enter. */
async function placeFor(credentials?: typeof UNPRIVILEGED) {
  const { path, remove } = await temporaryDirectory();
  undo.push(remove);
  await chmod(path, 0o711);
  return { credentials, directory: path };
}

test("there is none where none is packaged for the platform", async () => {
  expect(await findSupervisor(undefined, await placeFor())).toEqual({
    missing: expect.stringContaining(process.platform),
  });
});

const packaged = ownHost().supervisor;

if (hasAll("supervisor") && packaged !== undefined) {
  test("the packaged one is used unchanged where it starts", async () => {
    expect(await findSupervisor(packaged, await placeFor())).toEqual({ program: packaged });
  });

  test("one without its executable bit is copied", async () => {
    const place = await placeFor();
    const program = join(place.directory, "packaged");
    await copyFile(packaged, program);
    await chmod(program, 0o644);
    expect(await findSupervisor(program, place)).toEqual({
      program: expect.stringContaining(join(place.directory, "programs")),
    });
  });

  test("a file that is not a supervisor is not used", async () => {
    const place = await placeFor();
    const program = join(place.directory, "packaged");
    await writeFile(program, "#!/bin/sh\necho skillwright-supervisor 1\n", { mode: 0o755 });
    expect(await findSupervisor(program, place)).toEqual({ missing: expect.stringContaining(program) });
  });

  if (hasAll("mounts"))
    test("one on a file system without execution is copied, and runs end with it; without another place there is none", async () => {
      const place = await placeFor();
      const mounted = join(place.directory, "noexec");
      await mkdir(mounted);
      execFileSync("mount", ["-t", "tmpfs", "-o", "noexec,mode=0711", "none", mounted]);
      undo.unshift(async () => void execFileSync("umount", ["-l", mounted]));
      const program = join(mounted, "packaged");
      await copyFile(packaged, program);
      await chmod(program, 0o755);
      expect(await findSupervisor(program, place)).toEqual({
        program: expect.stringContaining(join(place.directory, "programs")),
      });
      expect(await findSupervisor(program, { ...place, directory: mounted })).toEqual({
        missing: expect.stringContaining(mounted),
      });
      const host = { ...ownHost(), supervisor: program };
      await using runtime = localRuntimeOn(host, { root: join(place.directory, "root"), isolation: "none" });
      expect((await runtime.capabilities()).endsTree).toBe(true);
      const { treeEnded, stdout } = await runText(await runtime.create("w1"), "sleep 600 & echo done");
      expect([treeEnded, stdout.text]).toEqual([true, "done\n"]);
    });

  if (hasAll("root"))
    test("one in a directory that is closed to the commands' user is copied", async () => {
      const place = await placeFor(UNPRIVILEGED);
      const home = join(place.directory, "home");
      await mkdir(home, { mode: 0o700 });
      await copyFile(packaged, join(home, "packaged"));
      const found = await findSupervisor(join(home, "packaged"), place);
      expect(found).toEqual({ program: expect.stringContaining(join(place.directory, "programs")) });
    });
}
