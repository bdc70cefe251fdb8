import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { spanned } from "../../packages/core/src/adapter.js";
import { recordedSpans } from "../../packages/core/test/recorded-spans.js";
import { root } from "../../scripts/bootstrap/root.mjs";

const recorded = recordedSpans();
const REPOSITORY = "core/src/repository/skill-repository.ts";
const RUNTIME = "core/src/runtime/workspace-runtime.ts";
const CATALOG = "core/src/catalog/skill-catalog.ts";

/** The ports of each kind of span: where each is declared, and its methods without a span. */
const PORTS = {
  repository: {
    declared: {
      SkillRepository: REPOSITORY,
      WritableSkillRepository: REPOSITORY,
      VersionedSkillRepository: REPOSITORY,
      WatchableSkillRepository: REPOSITORY,
      RestorableSkillRepository: REPOSITORY,
      HttpRegistry: "repository-http/src/registry/client/http-registry.ts",
      SqlRepository: "repository-sql/src/skills/sql-repository.ts",
    },
    without: [],
  },
  // Subscribing does not wait for anything.
  catalog: { declared: { SkillCatalog: CATALOG, WritableSkillCatalog: CATALOG }, without: ["subscribe"] },
  runtime: { declared: { WorkspaceRuntime: RUNTIME }, without: [] },
  "runtime.workspace": {
    declared: { RuntimeWorkspace: RUNTIME, PausableWorkspace: RUNTIME },
    // Called for each file or note.
    without: ["put", "get", "getMany", "link", "remove", "list", "staged", "note", "notes"],
  },
  index: { declared: { MetadataIndex: "core/src/repository/metadata-index.ts" }, without: [] },
  records: {
    declared: { RecordStore: "core/src/record/record-store.ts" },
    // Called for each event, or waits for nothing.
    without: ["append", "read", "watch"],
  },
} as const;

const kinds = Object.keys(PORTS) as (keyof typeof PORTS)[];

test.each(kinds)("every method of the ports of %s has a span, which the table documents", async (kind) => {
  const { declared, without } = PORTS[kind];
  const methods = new Set<string>();
  for (const [port, file] of Object.entries(declared))
    for (const method of await methodsOf(port, file)) methods.add(method);
  expect([...methods]).toEqual(expect.arrayContaining([...without]));

  const result = { name: "one", manifest: { files: [] }, skills: [], broken: [], records: [], length: 0 };
  const port = Object.fromEntries([...methods].map((name) => [name, async () => result]));
  spanned(kind, port);
  for (const call of Object.values(port)) await call();
  const made = recorded.ended().map(([name]) => name);
  const wanted = [...methods].filter((name) => !(without as readonly string[]).includes(name));
  expect(made.sort()).toEqual(wanted.map((name) => `${kind}.${name}`).sort());

  const { names, text } = await documented(kind);
  expect([...names].sort()).toEqual(made);
  for (const [, attributes] of recorded.ended())
    for (const attribute of Object.keys(attributes)) expect(text).toContain(`\`${attribute}\``);
});

test("every other name of a span is in the table", async () => {
  const source = await readFile(`${root}/packages/core/src/span.ts`, "utf8");
  const own = [...source.matchAll(/^ {2}\| "([\w.-]+)"/gm)].map(([, name]) => name ?? "");
  expect(own).toContain("tool.call");
  const table = (await rows()).flatMap(({ names }) => names);
  const missing = own.filter((name) => !table.includes(name) && !table.includes(name.replace(/\..*/, ".*")));
  expect(missing).toEqual([]);
});

async function methodsOf(port: string, file: string): Promise<readonly string[]> {
  const source = await readFile(`${root}/packages/${file}`, "utf8");
  const [, body = ""] =
    new RegExp(`^export interface ${port}\\b[^{]*\\{\\n(.*?)^\\}`, "ms").exec(source) ?? [];
  const found = [...body.matchAll(/^ {2}(\w+)\??(?:\(|: \w+\["\w+"\];)/gm)].map(([, name]) => name ?? "");
  expect(found.length).toBeGreaterThan(0);
  return found;
}

async function documented(kind: string): Promise<{ names: readonly string[]; text: string }> {
  const all = await rows();
  const row = all.find(({ names }) => names.some((name) => name.replace(/\.[^.]*$/, "") === kind));
  // Attributes that an earlier row explains are not repeated.
  return { names: row?.names ?? [], text: all.map(({ text }) => text).join("\n") };
}

/** The names of each row in full: `.load` has the beginning of the name before it. */
async function rows(): Promise<readonly { names: readonly string[]; text: string }[]> {
  const page = await readFile(`${root}/docs/architecture.md`, "utf8");
  const table = page.slice(page.indexOf("| spans |")).split("\n\n")[0] ?? "";
  return table.split("\n").map((text) => {
    let kind = "";
    const names = [...(text.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => {
      if (name.startsWith(".")) return kind + name;
      kind = name.replace(/\.[^.]*$/, "");
      return name;
    });
    return { names, text };
  });
}
