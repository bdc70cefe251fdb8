import type { Reporter, TestModule } from "vitest/node";
import { isPath, type Need, needs, type Path } from "./needs.js";

/** The suites that `npm test` leaves out, and what each needs. */
const lanes = [
  ["large", "suites with large data or many processes", "nothing more"],
  ["gate", "the tests of `.ci/run` itself", "nothing more"],
  ["engines", "suites on container engines", "root, on Debian"],
  ["stores", "suites on an S3 server and on PostgreSQL", "root, on Debian"],
  ["emulated", "the supervisor for arm64, emulated", "qemu-user-static"],
  ["gvisor", "suites on Docker with gVisor", "root, on Debian; SKILLWRIGHT_RUNSC"],
  [
    "kubernetes --project=kubernetes-whole --project=kubernetes-alone",
    "suites on Kubernetes",
    "KUBECONFIG; SKILLWRIGHT_KUBERNETES=1",
  ],
] as const;

/** Prints at the end of a run which suites were omitted, what each needs, and the command that installs it. */
export default class LeftOutReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = rowsOf(modules);
    if (process.env["SKILLWRIGHT_WITHOUT_LANES"] === "1")
      for (const [lane, suites, needed] of lanes)
        rows.push([suites, needed, `.ci/run all, or npm test -- --project=${lane}`]);
    if (rows.length > 0) console.log(table(["left out", "needs", "to have it"], rows));
  }
}

/** One row for each missing thing, with the suites that need it. */
function rowsOf(modules: readonly TestModule[]): string[][] {
  const places = new Map<Need | Path, Map<string, number>>();
  for (const module of modules)
    for (const suite of module.children.allSuites())
      for (const need of suite.meta().missing ?? []) {
        const counts = places.get(need) ?? new Map<string, number>();
        const place = placeOf(module.relativeModuleId);
        places.set(need, counts.set(place, (counts.get(place) ?? 0) + 1));
      }
  return [...places].map(([need, counts]) => {
    const suites = [...counts].map(([place, count]) => `${place} (${count})`);
    return [suites.join(", "), need, isPath(need) ? "npm run build" : needs[need].install];
  });
}

/** The package or directory of a file: core for `packages/core/test/a.test.ts`, skills for `test/skills/b.test.ts`. */
function placeOf(file: string): string {
  return file.split("/")[1] ?? file;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("   ")
      .trimEnd(),
  );
  return `\n${text.join("\n")}\n`;
}
