import path from "node:path";
import { recordRegistry } from "@skillwright/records";
import { fsRecords } from "@skillwright/repository-fs";
import { memoryArtifacts } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { archiveAndDestroy, idleFor, policy } from "../src/index.js";
import { HOUR_MS, handClock } from "./hand-clock.js";
import { bytesOf } from "./snapshot-fixture.js";
import { SESSION, textOf, workspaceFixture } from "./workspace-fixture.js";

test.each([false, true])(
  "a policy archives and destroys, and restore brings the workspace back; registry: %s",
  async (isShared) => {
    const artifacts = memoryArtifacts();
    const told: string[] = [];
    let attempts = 0;
    const clock = handClock();
    await using fixture = await workspaceFixture("none", (directory) => ({
      ...(isShared
        ? { registry: recordRegistry(fsRecords({ root: path.join(directory, "registry") })) }
        : {}),
      clock,
      policies: [
        policy({
          when: idleFor("1h"),
          do: archiveAndDestroy({
            save: async ({ record, content }) => {
              if (attempts++ === 0) throw new Error("the archive is full");
              if (attempts === 2) return;
              await artifacts.save(SESSION, `${record.session?.session}.tar.gz`, content);
            },
          }),
        }),
      ],
      onDiagnostic: ({ code, message }) => void told.push(`${code} ${message}`),
    }));
    const { workspaces, runtime } = fixture;
    const { id } = await workspaces.forSession(SESSION);
    await workspaces.write(id, "out/report", "kept");
    await workspaces.sweep();
    clock.pass(HOUR_MS);
    for (const attempt of [1, 2, 3]) {
      expect(await runtime.list()).toEqual([id]);
      await workspaces.sweep();
      expect(attempts).toBe(attempt);
    }
    expect(await runtime.list()).toEqual([]);
    expect(told).toEqual([
      expect.stringMatching(/^policy\.failed .*the archive is full/),
      expect.stringMatching(/^policy\.failed .*before the snapshot was read completely/),
    ]);
    const { content } = await artifacts.open(SESSION, "s1.tar.gz");
    const packed = await bytesOf(content);
    const fresh = await workspaces.forSession(SESSION);
    expect([fresh.id, await workspaces.files(id)]).toEqual([id, []]);
    await workspaces.destroy(id);
    const restored = await workspaces.restore(packed, { session: SESSION });
    expect(restored).toMatchObject({ id, session: SESSION, files: 1, snapshot: { workspaceId: id } });
    expect(await textOf(await workspaces.download(id, "out/report"))).toBe("kept");
  },
);
