import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { supervisorProgram } from "@skillwright/supervisor";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { fileSession } from "../../src/files/file-session.js";
import type { FileSessions } from "../../src/files/file-sessions.js";
import { workspaceSkills } from "../../src/staging/workspace-skills.js";
import type { PodRecord } from "../../src/workspace/pod-record.js";

const FILES = 1000;

if (hasAll("supervisor"))
  test("a skill of many small files takes few messages of its connection (KUBE-90)", async () => {
    const directory = mkdtempSync(join(tmpdir(), "sw-files-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    for (const name of ["skills", "work"]) mkdirSync(join(directory, name));
    const child = spawn(supervisorProgram()?.path ?? "", ["files", directory]);
    onTestFinished(() => void child.kill("SIGKILL"));
    let messages = 0;
    const session = await fileSession({
      output: child.stdout,
      errors: () => "",
      write: async (bytes) => {
        messages++;
        await new Promise<void>((resolve) => child.stdin.write(bytes, () => resolve()));
      },
      isOpen: () => true,
      close: () => child.kill("SIGKILL"),
      inUse: () => undefined,
    });
    const skills = workspaceSkills(only(session), recordInMemory());
    const files = Array.from({ length: FILES }, (_, index) => ({
      path: `part-${index % 20}/${index}.txt`,
      content: Buffer.alloc(10_000, `${index} `),
    }));

    await skills.stage(
      {
        name: "large",
        digest: `sha256:${"0".repeat(64)}`,
        files: async function* () {
          yield* files;
        },
      },
      {},
    );
    for (const { path, content } of files)
      expect(readFileSync(join(directory, "skills/large", path)).equals(content), path).toBe(true);
    expect(readdirSync(join(directory, "skills"))).toEqual(["large"]);
    // Unless requests go together, each file takes three messages.
    expect(messages).toBeLessThan(FILES / 2);
  });

function only(session: Awaited<ReturnType<typeof fileSession>>): FileSessions {
  return {
    use: async (work) => await work(session),
    take: async () => session,
    giveBack: () => undefined,
    prepare: () => undefined,
    close: () => undefined,
  };
}

/** A fake of the record that the cluster keeps. */
function recordInMemory(): PodRecord {
  const staged = new Map<string, string>();
  return {
    staged: async () => staged,
    stage: async (name, digest) => {
      if (digest === undefined) staged.delete(name);
      else staged.set(name, digest);
    },
  } as Partial<PodRecord> as PodRecord;
}
