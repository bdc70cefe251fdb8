import { inflateRawSync } from "node:zlib";
import { fileNameProblem, foldedPath } from "@skillwright/core/adapter";
import { memoryArtifacts } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { TRICKY_NAMES } from "../../contracts/src/artifact-store/tricky-names.js";
import { ask, newConversation, testServer } from "./test-server.js";

/** The zip of a conversation that has artifacts with these names. Each artifact contains its own name. */
async function zipOf(names: readonly string[]): Promise<Buffer> {
  const artifacts = memoryArtifacts();
  const server = testServer({ app: "zips", artifacts });
  const id = await newConversation(server);
  const scope = { app: "zips", user: "ada", session: id };
  for (const name of names)
    await artifacts.save(scope, name, new TextEncoder().encode(name), { mimeType: "text/plain" });
  const answer = await ask(server, `/conversations/${id}/artifacts/zip`);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

/** The contents of a zip's files by name, read with the directory at its end. */
function contentsOf(zip: Buffer): ReadonlyMap<string, string> {
  const found: [string, string][] = [];
  const end = zip.lastIndexOf("PK\x05\x06", undefined, "latin1");
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(start, start + size);
    found.push([
      zip.subarray(at + 46, at + 46 + name).toString(),
      (method === 8 ? inflateRawSync(bytes) : bytes).toString(),
    ]);
    at += 46 + name + extra + comment;
  }
  return new Map(found);
}

async function zippedAs(names: readonly string[]): Promise<Record<string, string>> {
  return Object.fromEntries([...contentsOf(await zipOf(names))].map(([zipped, name]) => [name, zipped]));
}

test("SERVE-83: the zip changes names that Windows refuses, and no others", async () => {
  expect(
    await zippedAs([
      ...[
        "out/report.md",
        "out/Grüße.txt",
        ".hidden",
        "con/a.txt",
        "out/NUL",
        "aux.tar.gz",
        "COM1.txt",
        "lpt¹",
      ],
      ...["console.txt", "end.", "blank ", 'a<b>c:d"e|f?g*h', "dots.../x"],
    ]),
  ).toEqual({
    ...{ "out/report.md": "out/report.md", "out/Grüße.txt": "out/Grüße.txt", ".hidden": ".hidden" },
    ...{
      "con/a.txt": "_con/a.txt",
      "out/NUL": "out/_NUL",
      "aux.tar.gz": "_aux.tar.gz",
      "COM1.txt": "_COM1.txt",
    },
    ...{ "lpt¹": "_lpt¹", "console.txt": "console.txt", "end.": "end_", "blank ": "blank_" },
    ...{ 'a<b>c:d"e|f?g*h': "a_b_c_d_e_f_g_h", "dots.../x": "dots___/x" },
  });
});

test("SERVE-83: no two names in the zip mean the same file on any system, and a name that needs no change keeps its spelling", async () => {
  expect(
    await zippedAs([
      ...["ab:c", "ab?c", "ab_c", "ab_c_2.txt", "AB_C", "x.txt", "X.TXT", "d", "d/e", "D/E", "end.", "end_"],
    ]),
  ).toEqual({
    ...{ AB_C: "AB_C", ab_c: "ab_c_2", "ab_c_2.txt": "ab_c_2.txt", "ab:c": "ab_c_3", "ab?c": "ab_c_4" },
    ...{ "X.TXT": "X.TXT", "x.txt": "x_2.txt", d: "d_2", "D/E": "D/E", "d/e": "d/e_2" },
    ...{ end_: "end_", "end.": "end__2" },
  });
});

test("SERVE-83: the zip contains each file once under a name that Windows accepts, for all names that a store accepts", async () => {
  const long = [
    `con.${"x".repeat(251)}`,
    `${"é".repeat(127)}?`,
    `${"é".repeat(127)}*`,
    `${"con/".repeat(255)}nul`,
    `${"con/".repeat(255)}NUL`,
  ];
  const names = [...TRICKY_NAMES, ...long];
  const contents = contentsOf(await zipOf(names));
  expect([...contents.values()].sort()).toEqual([...new Set(names)].sort());
  const zipped = [...contents.keys()];
  expect(new Set(zipped.map(foldedPath)).size).toBe(zipped.length);
  const files = new Set(zipped.map(foldedPath));
  for (const name of zipped) {
    const parts = name.split("/");
    expect(parts.flatMap((part) => fileNameProblem(part) ?? [])).toEqual([]);
    expect(name).not.toMatch(/[<>:"|?*\\]/);
    expect(Math.max(...parts.map((part) => Buffer.byteLength(part)))).toBeLessThanOrEqual(255);
    for (let depth = 1; depth < parts.length; depth++)
      expect(files).not.toContain(foldedPath(parts.slice(0, depth).join("/")));
  }
});
