import { linkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type RuntimeWorkspace, readBytes } from "@skillwright/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { localSubject, temporaryDirectory } from "./local-subject.js";
import { printed } from "./running.js";

for (const isolation of hasAll("bubblewrap") ? (["sandbox", "none"] as const) : (["none"] as const))
  describe(`hostile trees (${isolation})`, () => {
    let subject: Awaited<ReturnType<typeof localSubject>>;
    let workspace: RuntimeWorkspace;

    beforeAll(async () => {
      subject = await localSubject(isolation);
      workspace = await subject.runtime.create("w1");
    });

    afterAll(() => subject.dispose());

    test("LINK-05: while a run swaps directories for links, no access goes through one", async () => {
      const swap =
        "while :; do rm -rf x; ln -s /etc x; rm -f x; mkdir x; echo hi > x/passwd; done 2>/dev/null";
      const command = { runId: "r", cwd: "out", env: {}, timeoutMs: 600_000, maxOutputBytes: 1000 };
      const running = await workspace.start({ ...command, command: swap });
      let got = 0;
      for (let round = 0; round < 200 || (got === 0 && round < 2000); round++) {
        const names = (await workspace.list("out")).map(({ path }) => path);
        expect(
          names.filter((name) => !["out/x", "out/x/passwd", "out/x/put", "out/x/etc"].includes(name)),
        ).toEqual([]);
        const content = await workspace
          .get("out/x/passwd")
          .then((bytes) => readBytes(bytes, 100_000))
          .catch(() => undefined);
        if (content) expect(["", "hi\n"]).toContain(Buffer.from(content).toString());
        got += content ? 1 : 0;
        await workspace.put([{ path: "out/x/put", content: "x" }]).catch(() => undefined);
      }
      await running.signal("SIGKILL");
      expect(await running.result).toMatchObject({ exitCode: 137, timedOut: false });
      expect(got).toBeGreaterThan(0);
      await printed(workspace, "rm -rf out/x");
    });

    test("FILE-26: entries deeper than 64 directories are reported and not entered", async () => {
      await printed(workspace, "cd out; for i in $(seq 70); do mkdir d && cd d; done; touch bottom");
      const entries = await workspace.list("out");
      expect(entries.length).toBe(64);
      expect(entries.at(-1)).toMatchObject({ kind: "special", path: `out${"/d".repeat(64)}` });
      await printed(workspace, "rm -rf out/d");
    });

    test("FILE-27: a directory without permissions hides nothing else", async () => {
      await printed(
        workspace,
        "mkdir out/closed; touch out/closed/in out/open; chmod 000 out/closed out/open",
      );
      const kinds = Object.fromEntries((await workspace.list("out")).map(({ path, kind }) => [path, kind]));
      expect(kinds["out/open"]).toBe("file");
      // Root can enter it anyway.
      expect(kinds["out/closed"]).toBe(process.geteuid?.() === 0 ? "directory" : "special");
      await printed(workspace, "chmod 700 out/closed; rm -rf out/closed out/open");
    });

    test("FILE-23: of a sparse file of 1 GiB only the requested part is read", async () => {
      await printed(workspace, "truncate -s 1G out/huge");
      expect((await workspace.list("out"))[0]).toMatchObject({ path: "out/huge", size: 2 ** 30 });
      let read = 0;
      for await (const bytes of await workspace.get("out/huge")) {
        read += bytes.byteLength;
        if (read >= 4 * 1024 * 1024) break;
      }
      expect(read).toBe(4 * 1024 * 1024);
      await printed(workspace, "rm out/huge");
    });

    test("FILE-24: ten thousand files are listed in order, while other work continues", async () => {
      await printed(workspace, "cd out; seq -f 'f%05g' 10001 | xargs touch");
      let turns = 0;
      const timer = setInterval(() => turns++, 1);
      const paths = (await workspace.list("out")).map(({ path }) => path);
      clearInterval(timer);
      expect(paths).toEqual(
        Array.from({ length: 10_001 }, (_, index) => `out/f${String(index + 1).padStart(5, "0")}`),
      );
      expect(turns).toBeGreaterThan(1);
      await printed(workspace, "rm -rf out/*");
    });
  });

describe("without isolation", () => {
  test("FILE-22: a socket is special and not opened", async () => {
    const { runtime, dispose } = await localSubject("none");
    const workspace = await runtime.create("w1");
    const server = createServer().listen(join(workspace.root, "out/s"));
    await new Promise((resolve) => server.once("listening", resolve));
    expect(await workspace.list("out")).toMatchObject([{ path: "out/s", kind: "special" }]);
    await expect(workspace.get("out/s")).rejects.toMatchObject({ code: "PATH_INVALID" });
    server.close();
    await dispose();
  });

  test("LINK-06: a hard link of a file elsewhere is a regular file, as documented", async () => {
    const { runtime, dispose } = await localSubject("none");
    const workspace = await runtime.create("w1");
    const { path, remove } = await temporaryDirectory();
    writeFileSync(join(path, "elsewhere"), "text");
    linkSync(join(path, "elsewhere"), join(workspace.root, "out/name"));
    expect(await workspace.list("out")).toMatchObject([{ path: "out/name", kind: "file" }]);
    await remove();
    await dispose();
  });
});
