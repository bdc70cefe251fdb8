import { randomBytes } from "node:crypto";
import { failsWith } from "@skillwright/contracts";
import { readText } from "@skillwright/core";
import type { FileEntry } from "@skillwright/core/adapter";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withinMemory } from "../../../../test/memory/within-memory.js";
import { INCOMING } from "../../src/container/workspace-container.js";
import { type WorkspaceFiles, workspaceFiles } from "../../src/files/workspace-files.js";
import { told } from "../container/container-place.js";
import { engines } from "../engine-setup/engines.js";
import { survivors } from "../run/invariants.js";
import { type RunPlace, runPlace } from "../run/run-place.js";

const MEBIBYTE = 1024 * 1024;

describe.each(await engines())("files on $name", ({ host, image }) => {
  let place: RunPlace;
  let files: WorkspaceFiles;

  beforeAll(async () => {
    place = await runPlace({ engine: { host }, image });
    files = workspaceFiles(place.container);
  });

  afterAll(() => place?.dispose());

  const said = (script: string, as: "run" | "root" = "run") =>
    told(place.container, `cd /skillwright/workspace; ${script}`, as);

  async function textOf(path: string): Promise<string> {
    return await readText(await files.get(path), MEBIBYTE);
  }

  test("2,000 files in many directories are written with one call and read with one", async () => {
    const paths = Array.from({ length: 2000 }, (_, i) => `work/many/${i % 40}/${i % 3 ? "" : "."}name ${i}`);
    await files.put(paths.map((path) => ({ path, content: path })));
    const listed = (await files.list("work/many")).filter(({ kind }) => kind === "file");
    expect(listed.map(({ path }) => path).sort()).toEqual([...paths].sort());
    let count = 0;
    for await (const file of files.getMany(paths)) {
      expect("content" in file && (await readText(file.content, 1000))).toBe(paths[count]);
      count += 1;
    }
    expect(count).toBe(paths.length);
    expect(await files.remove("work/many")).toBe(true);
  });

  test("the last of two files of one name is kept", async () => {
    await files.put(["one", "two", "three"].map((content) => ({ path: "work/same", content })));
    expect(await textOf("work/same")).toBe("three");
  });

  test("a stream of unknown length is written and read in constant memory", async () => {
    async function* pieces() {
      for (let i = 0; i < 100; i++) yield randomBytes(MEBIBYTE);
    }
    await withinMemory(20 * MEBIBYTE, async () => {
      await files.put([{ path: "work/large", content: pieces() }]);
      let size = 0;
      for await (const bytes of await files.get("work/large")) size += bytes.byteLength;
      expect(size).toBe(100 * MEBIBYTE);
    });
    await files.remove("work/large");
  });

  test("stopping to read a file leaves no process behind", async () => {
    await files.put([{ path: "work/large", content: Buffer.alloc(20 * MEBIBYTE) }]);
    for await (const bytes of await files.get("work/large")) if (bytes.byteLength > 0) break;
    await expect.poll(() => survivors(place)).toEqual([]);
    await files.remove("work/large");
  });

  test("a failing source, and a bad path, change nothing and leave nothing", async () => {
    await files.put([{ path: "work/kept", content: "kept" }]);
    async function* failing(): AsyncGenerator<FileEntry> {
      yield { path: "work/kept", content: "new" };
      throw new Error("the source broke");
    }
    await expect(files.put(failing())).rejects.toThrow("the source broke");
    const bad = ["work/kept", "../x"].map((path) => ({ path, content: "new" }));
    await failsWith(files.put(bad), "PATH_OUTSIDE");
    await failsWith(files.put([{ path: "work/kept/below", content: "new" }]), "PATH_INVALID");
    await failsWith(files.put([{ path: "work", content: "new" }]), "PATH_INVALID");
    expect(await textOf("work/kept")).toBe("kept");
    expect(await told(place.container, `ls -A ${INCOMING}`, "root")).toBe("");
  });

  test("a directory in place of a file stays, and a link to a directory is replaced", async () => {
    await said("mkdir -p work/d/e; echo x > work/d/e/f; ln -sfn d work/to-d");
    await failsWith(files.put([{ path: "work/d/e", content: "new" }]), "PATH_INVALID");
    await files.put([{ path: "work/to-d", content: "new" }]);
    expect(await said("cat work/d/e/f; cat work/to-d; ls work/d")).toBe("x\nnewe");
  });

  test("no command sees or changes incoming files", async () => {
    expect(await said(`ls ${INCOMING} 2>&1 || true`)).toMatch(/denied/i);
    expect(await said("ls /skillwright/meta 2>&1 || true")).toMatch(/denied/i);
  });

  test("PATH-01, PATH-02, PATH-03, PATH-08: paths that lead out are refused before the engine is asked", async () => {
    for (const path of ["../../..", "/etc/passwd", "work/../../x", "work/a\0/../../etc", "work/..\\..\\x"])
      for (const call of [
        () => files.get(path),
        () => files.list(path),
        () => files.remove(path),
        () => files.link(path, "out"),
        () => files.put([{ path, content: "" }]),
      ])
        await expect(call()).rejects.toMatchObject({ code: expect.stringMatching(/^PATH_/) });
    await files.put([{ path: "work/%2e%2e", content: "a name like others" }]);
    expect(await textOf("work/%2e%2e")).toBe("a name like others");
  });

  test("names that look like shell syntax or options are ordinary names", async () => {
    const names = [
      "-rf",
      "--",
      "$(touch PWNED)",
      "`id`",
      "a'b\"c",
      "*",
      "?",
      "[a]",
      " lead",
      "trail ",
      "~",
      "#",
      "a;b",
    ];
    const paths = names.flatMap((name) => [`out/odd/${name}`, `out/odd ${name}/${name}`]);
    await files.put(paths.map((path) => ({ path, content: path })));
    for (const path of paths) expect(await textOf(path)).toBe(path);
    const listed = (await files.list("out")).filter(({ kind }) => kind === "file").map(({ path }) => path);
    expect([...listed].sort()).toEqual([...paths].sort());
    for (const path of paths) expect(await files.remove(path)).toBe(true);
    expect(await said("find . -name PWNED; rm -rf out/odd*")).toBe("");
  });

  test("many concurrent writers and readers do not interfere", async () => {
    const work = async (n: number) => {
      const paths = [1, 2, 3].map((k) => `work/at-once/${n}/${k}`);
      await files.put(paths.map((path) => ({ path, content: path })));
      const found: string[] = [];
      for await (const file of files.getMany(paths))
        if ("content" in file) found.push(await readText(file.content, 1000));
      expect(found).toEqual(paths);
      expect(await files.remove(`work/at-once/${n}`)).toBe(true);
    };
    await Promise.all([1, 2, 3, 4, 5, 6].map(work));
    expect(await files.list("work/at-once")).toEqual([]);
  });
});

describe.each(await engines(["docker"], "lying"))(
  "files on $name, in an image whose tools lie",
  ({ host, image }) => {
    test("DOCK-06: their answers are not trusted, and files are returned unchanged", async () => {
      const place = await runPlace({ engine: { host }, image });
      try {
        const files = workspaceFiles(place.container);
        await files.put(["out/a", "out/b"].map((path) => ({ path, content: path })));
        await failsWith(files.list("out"), "BACKEND_FAILED");
        const found: string[] = [];
        for await (const file of files.getMany(["out/a", "out/b", "out/many-1"]))
          found.push("error" in file ? file.error.code : await readText(file.content, 100));
        expect(found).toEqual(["out/a", "out/b", "FILE_NOT_FOUND"]);
      } finally {
        await place.dispose();
      }
    });
  },
);
