import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { root } from "../../scripts/bootstrap/root.mjs";

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

test("the dashboard asks for metrics, attributes and operations that exist, and for each metric", async () => {
  const { panels } = JSON.parse(
    await readFile(`${root}/deploy/grafana/skillwright.json`, "utf8"),
  ) as Dashboard;
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const documented = await readFile(`${root}/docs/architecture.md`, "utf8");
  const metrics = [...documented.matchAll(/`(skillwright\.[\w.]+)`/g)].map(([, name]) => name ?? "");
  const asked = queries.flatMap((query) => query.match(/skillwright_[a-z_]+/g) ?? []);
  const known = asked.map((name) => name.replace(/_(bucket|count|total)?$/, "").replaceAll("_", "."));
  expect(new Set(known)).toEqual(new Set(metrics));

  const source = await readFile(`${root}/packages/core/src/metrics.ts`, "utf8");
  const [, list = ""] = /^const MEASURED = \[(.*)\];$/m.exec(source) ?? [];
  const attributes = [...JSON.parse(`[${list}]`), "operation", "answer", "type", "le"];
  const used = queries.flatMap((query) => [
    ...(/ by \(([^)]*)\)/.exec(query)?.[1]?.split(", ") ?? []),
    ...[...query.matchAll(/[{,] ?(\w+)[!=]=?~?"/g)].map(([, name]) => name ?? ""),
  ]);
  const unknown = used.filter(
    (name) =>
      name !== "__name__" && !attributes.includes(name.replace("_", ".")) && !attributes.includes(name),
  );
  expect(unknown).toEqual([]);

  const operations = queries.flatMap((query) => /operation=~?"([^"]*)"/.exec(query)?.[1]?.split("|") ?? []);
  expect(operations).toContain("server.turn");
  for (const operation of operations) expect(documented).toContain(`\`${operation.replace(/\..*$/, ".")}`);
});
