import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { failsWith, inTime } from "@skillwright/contracts";
import { type Diagnostic, readText, SkillError } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { hostileArchive } from "../../../../scripts/engines/test-images/hostile-archive.mjs";
import { withinMemory } from "../../../../test/memory/within-memory.js";
import { workspaceFiles } from "../../src/files/workspace-files.js";
import { recordFile, recordText } from "../../src/staging/record-format.js";
import { workspaceSkills } from "../../src/staging/workspace-skills.js";
import { fakeArchiveEngine } from "./fake-archive-engine.js";
import { paxPath, rawEntry, rawTar } from "./raw-tar.js";

const MEBIBYTE = 1024 * 1024;
const FOLDER = { name: "out/", type: "5", mode: 0o755 } as const;

/** Text by path, or the error's code; and the codes of the diagnostics. */
async function collected(
  archive: Parameters<typeof fakeArchiveEngine>[0],
  paths: readonly string[],
  options?: Parameters<typeof fakeArchiveEngine>[1],
) {
  await using engine = await fakeArchiveEngine(archive, options);
  const told: Diagnostic[] = [];
  const found: Record<string, string> = {};
  const tell = (diagnostic: Diagnostic) => void told.push(diagnostic);
  for await (const file of workspaceFiles(engine.container).getMany(paths, { tell }))
    found[file.path] = "error" in file ? file.error.code : await readText(file.content, MEBIBYTE);
  return { found, codes: told.map(({ code }) => code), asked: engine.asked };
}

describe("archives from a fake engine", () => {
  test("requested files are returned, whatever else is in the archive", async () => {
    const archive = rawTar(
      FOLDER,
      { name: "out/a", content: "a" },
      { name: "out/b", content: "b" },
      { name: "out/c" },
    );
    const { found, codes } = await collected(archive, ["out/b", "out/a"]);
    expect([found, codes]).toEqual([{ "out/a": "a", "out/b": "b" }, []]);
  });

  test("TAR-01: names that lead out are dropped and reported", async () => {
    const names = ["../../evil", "/abs/evil", "a/../../evil", "out/../../evil"];
    const archive = rawTar(...names.map((name) => ({ name, content: "evil" })), {
      name: "out/a",
      content: "a",
    });
    const { found, codes } = await collected(archive, ["out/a", "out/evil"]);
    expect(found).toEqual({ "out/a": "a", "out/evil": "FILE_NOT_FOUND" });
    expect(codes).toEqual(["archive.outside"]);
  });

  test("a negative size, which base 256 can represent, is an error and no endless read", async () => {
    const negative = { name: "out/a", sizeField: Buffer.alloc(12, 0xff) };
    const lowest = { name: "out/a", sizeField: Buffer.from("ff0000000000000000000000", "hex") };
    for (const entry of [negative, lowest])
      await inTime(
        failsWith(collected(rawTar(FOLDER, entry), ["out/a", "out/b"]), "BACKEND_FAILED"),
        "The read",
      );
  });

  test("an archive that arrives too slowly is given up, however often a byte arrives", async () => {
    const whole = rawTar(FOLDER, { name: "out/a", content: "a".repeat(100_000) });
    const drip = async (response: ServerResponse) => {
      for (let at = 0; at < whole.byteLength && response.writable; at++) {
        response.write(whole.subarray(at, at + 1));
        await setTimeout(5);
      }
    };
    const read = collected((response) => void drip(response), ["out/a", "out/b"], { callTimeoutMs: 3000 });
    const { message } = await failsWith(read, "BACKEND_FAILED");
    expect(message).toMatch(/less than 8 kB per second/);
  });

  test("TAR-05: a link is skipped, and a file that claims to be below it as well", async () => {
    const archive = rawTar(
      FOLDER,
      { name: "out/s", type: "2", target: "/etc" },
      { name: "out/s/passwd", content: "root:x" },
      { name: "out/a", content: "a" },
    );
    const { found } = await collected(archive, ["out/s", "out/s/passwd", "out/a"]);
    expect(found).toEqual({ "out/s": "FILE_NOT_FOUND", "out/s/passwd": "FILE_NOT_FOUND", "out/a": "a" });
  });

  test("TAR-06: pipes, devices, hard links and unknown types are not files", async () => {
    const types = ["1", "3", "4", "6", "Z"];
    const archive = rawTar(...types.map((type) => ({ name: `out/${type}`, type, target: "/etc/shadow" })), {
      name: "out/a",
      content: "a",
    });
    const { found } = await collected(archive, [...types.map((type) => `out/${type}`), "out/a"]);
    expect(found).toEqual({
      ...Object.fromEntries(types.map((type) => [`out/${type}`, "FILE_NOT_FOUND"])),
      "out/a": "a",
    });
  });

  test("TAR-07: an extended header of 8 GiB is refused, and not held", async () => {
    const endless = fakeArchiveEngine((response) => {
      response.write(rawEntry({ name: "PaxHeader", type: "x", size: 8 * 1024 * MEBIBYTE - 1 }));
      const more = () => {
        while (response.writable && response.write(Buffer.alloc(MEBIBYTE)));
      };
      response.on("drain", more);
      more();
    });
    await using engine = await endless;
    await withinMemory(16 * MEBIBYTE, async () => {
      const reading = drained(workspaceFiles(engine.container).getMany(["out/a", "out/b"]));
      await inTime(failsWith(reading, "BACKEND_FAILED"), "refusing");
    });
  });

  test("TAR-08: of two files of one name the first counts, and the second is reported", async () => {
    const archive = rawTar(
      { name: "out/a", content: "first" },
      { name: "out/a", content: "second" },
      { name: "out/b", content: "b" },
    );
    const { found, codes } = await collected(archive, ["out/a", "out/b"]);
    expect([found, codes]).toEqual([{ "out/a": "first", "out/b": "b" }, ["archive.duplicate"]]);
  });

  test("TAR-09: set-user bits and odd modes have no effect: only bytes are returned", async () => {
    const archive = rawTar(
      { name: "out/a", content: "a", mode: 0o6777 },
      { name: "out/b", content: "b", mode: 0o7555 },
    );
    await using engine = await fakeArchiveEngine(archive);
    const keys = new Set<string>();
    for await (const file of workspaceFiles(engine.container).getMany(["out/a", "out/b"]))
      for (const key of Object.keys(file)) keys.add(key);
    expect(keys).toEqual(new Set(["path", "content"]));
  });

  test("FILE-27: a file that no run could read is not read by the engine either", async () => {
    const archive = rawTar(
      { name: "out/closed", content: "closed", mode: 0 },
      { name: "out/a", content: "a" },
    );
    const { found } = await collected(archive, ["out/closed", "out/a"]);
    expect(found).toEqual({ "out/closed": "FILE_NOT_FOUND", "out/a": "a" });
  });

  test("TAR-10: names are equal only if they are identical", async () => {
    const long = "x".repeat(300);
    const archive = rawTar(
      paxPath("out/nul\0x"),
      { name: "out/nul", content: "evil" },
      paxPath(`out/${long}`),
      { name: `out/${long.slice(0, 90)}`, content: "evil" },
      { name: "out/A", content: "evil" },
      paxPath("out/e\u0301"),
      { name: "out/e", content: "evil" },
      { name: "out/./b", content: "evil" },
      { name: "out/c", content: "c" },
    );
    const wanted = ["out/nul", `out/${long.slice(0, 90)}`, "out/a", "out/é", "out/e", "out/b"];
    const { found } = await collected(archive, [...wanted, "out/c"]);
    expect(found).toEqual({
      ...Object.fromEntries(wanted.map((path) => [path, "FILE_NOT_FOUND"])),
      "out/c": "c",
    });
  });

  test("TAR-11: a connection that is reset in the middle of an entry gives an error and no file", async () => {
    await using engine = await fakeArchiveEngine((response) => {
      const whole = rawTar(
        { name: "out/a", content: "a" },
        { name: "out/b", content: Buffer.alloc(MEBIBYTE, "b") },
      );
      response.write(whole.subarray(0, MEBIBYTE / 2), () => response.socket?.destroy());
    });
    const given: string[] = [];
    const reading = (async () => {
      for await (const { path } of workspaceFiles(engine.container).getMany(["out/a", "out/b"]))
        given.push(path);
    })();
    const error = await failsWith(reading, "BACKEND_FAILED");
    expect(SkillError.is(error)).toBe(true);
    expect(given).toEqual([]);
  });

  test("TAR-11: an archive that ends in the middle of an entry is not complete either", async () => {
    const whole = rawTar({ name: "out/a", content: "a".repeat(5000) }, { name: "out/b", content: "b" });
    await using engine = await fakeArchiveEngine(whole.subarray(0, 3000));
    await failsWith(drained(workspaceFiles(engine.container).getMany(["out/a", "out/b"])), "BACKEND_FAILED");
  });

  test("an engine that stalls in an archive is not waited for forever", async () => {
    await using engine = await fakeArchiveEngine((response) => void response.write(rawEntry({ ...FOLDER })));
    const container = { ...engine.container, engine: { ...engine.container.engine } };
    const reading = drained(workspaceFiles(container).getMany(["out/a", "out/b"]));
    const error = await inTime(failsWith(reading, "BACKEND_FAILED"), "the deadline");
    expect(error.message).toContain("callTimeoutMs");
  });

  test("FILE-23: reading ends at the start of an entry larger than the limit", async () => {
    let sent = 0;
    const { found } = await collected(
      (response) => {
        response.write(rawEntry({ name: "out/huge", size: 8 * 1024 * MEBIBYTE - 1 }));
        const more = () => {
          while (response.writable && sent < 64 * MEBIBYTE) {
            sent += MEBIBYTE;
            if (!response.write(Buffer.alloc(MEBIBYTE))) return;
          }
        };
        response.on("drain", more);
        more();
      },
      ["out/huge", "out/z"],
    );
    expect(found).toEqual({ "out/huge": "FILE_NOT_FOUND", "out/z": "FILE_NOT_FOUND" });
    expect(sent).toBeLessThan(16 * MEBIBYTE);
  });

  test("DOCK-06: the archive of a lying tar yields nothing", async () => {
    const { found, codes } = await collected(hostileArchive(), [
      "out/link/passwd",
      "out/hard",
      "out/device",
      "escaped",
    ]);
    expect(new Set(Object.values(found))).toEqual(new Set(["FILE_NOT_FOUND", "PATH_OUTSIDE"]));
    expect(codes).toEqual(["archive.outside"]);
  });

  test("TAR-01, TAR-08: in a record only files with matching names count, the first of each", async () => {
    const named = (key: string, digest: string) => ({
      name: `meta/${recordFile("staged", key)}`,
      content: recordText(key, digest),
    });
    const archive = rawTar(
      { name: "meta/", type: "5", mode: 0o700 },
      named("demo", "sha256:1"),
      named("demo", "sha256:2"),
      { name: `meta/${recordFile("staged", "other")}`, content: recordText("demo", "sha256:3") },
      { name: `../${recordFile("staged", "x")}`, content: recordText("x", "sha256:4") },
      { name: `meta/${recordFile("staged", "y")}`, type: "2", target: "/etc/passwd" },
      { name: `meta/${recordFile("notes", "k")}`, content: "no JSON" },
    );
    await using engine = await fakeArchiveEngine(archive);
    const skills = workspaceSkills(engine.container);
    expect(await skills.staged()).toEqual(new Map([["demo", "sha256:1"]]));
    expect(await skills.notes()).toEqual(new Map());
  });

  test("a record of another format version is refused", async () => {
    const archive = rawTar({
      name: `meta/${recordFile("notes", "k")}`,
      content: JSON.stringify({ format: 2, key: "k", value: "v" }),
    });
    await using engine = await fakeArchiveEngine(archive);
    await failsWith(workspaceSkills(engine.container).notes(), "UNSUPPORTED");
  });
});

async function drained(files: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of files);
}
