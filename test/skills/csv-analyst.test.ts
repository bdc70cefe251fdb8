import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { exampleCommand, root, skillFile } from "./bundled-skill.js";
import { ordersOf } from "./orders.js";
import { skillWorkspace } from "./skill-workspace.js";

const text = readFileSync(`${root}/data/orders.csv`, "utf8");
const orders = ordersOf(text);
const workspace = skillWorkspace("csv-analyst");
workspace.input("orders.csv", text);
const run = workspace.run(exampleCommand("csv-analyst") ?? "");

/** Hundredths of a cent in the format of the report. */
const money = (number: number) =>
  (number / 10_000).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

function revenueBy(
  key: "region" | "product" | "customer" | "month",
): Map<string, { rows: number; revenue: number }> {
  const totals = new Map<string, { rows: number; revenue: number }>();
  for (const order of orders) {
    const total = totals.get(order[key]) ?? { rows: 0, revenue: 0 };
    totals.set(order[key], { rows: total.rows + 1, revenue: total.revenue + (order.revenue ?? 0) });
  }
  return totals;
}

describe("csv-analyst on data/orders.csv", () => {
  it("runs its example command, writes a report and a chart and nothing into its own directory", () => {
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toContain("wrote out/report.md\nwrote out/report.svg\n");
    expect(workspace.strayFiles()).toEqual([]);
  });

  it("adds up quantity × price × (1 − discount) over the rows that have all three", () => {
    const counted = orders.filter(({ revenue }) => revenue !== undefined);
    const total = counted.reduce((sum, { revenue = 0 }) => sum + revenue, 0);
    expect(orders).toHaveLength(400);
    expect(counted.length).toBeLessThan(400);
    expect(run.stdout).toContain(`total revenue (quantity × unit_price × (1 − discount)): ${money(total)}\n`);
    expect(run.stdout).toContain(`note: ${400 - counted.length} rows are not in the totals`);
    expect(workspace.output("report.md")).toContain(`**${money(total)}** in total`);
  });

  it.each(["region", "product", "customer", "month"] as const)(
    "has the same totals by %s as an independent count",
    (key) => {
      const report = workspace.output("report.md");
      const totals = revenueBy(key);
      expect(totals.size).toBeGreaterThan(2);
      for (const [name, { rows, revenue }] of totals)
        expect(report).toContain(`| ${name || "(missing)"} | ${rows} | ${money(revenue)} |`);
    },
  );

  it("reports type, missing cells, range, mean and median of each column", () => {
    const quantities = orders.flatMap(({ quantity }) => quantity ?? []).sort((a, b) => a - b);
    const mean = quantities.reduce((sum, quantity) => sum + quantity, 0) / quantities.length;
    const row = [
      "quantity",
      "integer",
      400 - quantities.length,
      new Set(quantities).size,
      quantities[0],
      quantities.at(-1),
    ];
    const median = quantities[Math.floor(quantities.length / 2)];
    expect(quantities.length % 2, "the median is one of them").toBe(1);
    expect(workspace.output("report.md")).toContain(`| ${[...row, mean.toFixed(2), median].join(" | ")} |`);
    expect(workspace.output("report.md")).toMatch(
      /\| order_date \| date \| 0 \| \d+ \| 2025-01-\d\d \| 2025-12-\d\d \|/,
    );
  });

  it("draws a chart with a title, two named axes, and a bar and a number for each region", () => {
    const chart = workspace.output("report.svg");
    expect(chart).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"/);
    expect(chart).toContain('<title id="title">revenue by region</title>');
    expect(chart).not.toMatch(/<script|href=|NaN|Infinity|undefined/);
    const bars = [...chart.matchAll(/<rect x="[\d.]+" y="\d+" width="([\d.]+)"/g)].map(([, width]) =>
      Number(width),
    );
    const totals = [...revenueBy("region")].map(([, { revenue }]) => revenue).sort((a, b) => b - a);
    expect(bars).toHaveLength(totals.length);
    for (const [at, width] of bars.entries())
      expect(width / (bars[0] ?? 0)).toBeCloseTo((totals[at] ?? 0) / (totals[0] ?? 1), 2);
    for (const total of totals) expect(chart).toContain(`>${money(total)}</text>`);
    expect(chart).toMatch(/font-weight="600">region<\/text>[\s\S]*font-weight="600">revenue<\/text>/);
  });

  it("gives the same bytes each time", () => {
    const report = workspace.output("report.md");
    const chart = workspace.output("report.svg");
    workspace.run(exampleCommand("csv-analyst") ?? "");
    expect(workspace.output("report.md")).toBe(report);
    expect(workspace.output("report.svg")).toBe(chart);
  });

  it("groups by and adds up the given columns", () => {
    const asked = '--group-by "customer_type,product" --value quantity --out out/deep/by-customer.md';
    expect(workspace.run(`node scripts/analyse.mjs inputs/orders.csv ${asked}`)).toMatchObject({ code: 0 });
    const report = workspace.output("deep/by-customer.md");
    const business = orders.filter(({ customer }) => customer === "Business");
    const quantity = business.reduce((sum, order) => sum + (order.quantity ?? 0), 0).toLocaleString("en-US");
    expect(report).toContain(`| Business | ${business.length} | ${quantity} |`);
    expect(report).toMatch(/## quantity by customer_type[\s\S]*## quantity by product/);
    expect(report).not.toContain("by region");
  });

  it("accepts a product of columns as the value, and counts rows", () => {
    const product = workspace.run('node scripts/analyse.mjs inputs/orders.csv --value "quantity*unit_price"');
    const gross = orders.reduce((sum, { quantity, cents }) => sum + (quantity ?? 0) * cents * 100, 0);
    expect(product.stdout).toContain(`total quantity × unit_price: ${money(gross)}`);
    const rows = workspace.run("node scripts/analyse.mjs inputs/orders.csv --value rows --group-by region");
    expect(rows.stdout).toContain(`rows by region: North ${revenueBy("region").get("North")?.rows} `);
  });

  it("runs on its own sample from the assets", () => {
    const sample = skillFile("csv-analyst", "assets/orders-sample.csv");
    const ran = workspace.run("node scripts/analyse.mjs assets/orders-sample.csv --out out/sample.md");
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toContain(`orders-sample.csv: ${ordersOf(sample).length} rows, 8 columns`);
  });

  it("runs from any directory, as a plain program", () => {
    const folder = mkdtempSync(`${tmpdir()}/skillwright-skills-`);
    copyFileSync(`${root}/data/orders.csv`, `${folder}/orders.csv`);
    const ran = workspace.run(
      `script=$PWD/scripts/analyse.mjs; cd '${folder}' && node "$script" orders.csv && ls out`,
    );
    rmSync(folder, { recursive: true });
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toMatch(/report\.md\nreport\.svg\n$/);
  });
});
