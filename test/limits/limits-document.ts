import type { Limit } from "./limit.js";

/** The page with all rows, one table per package. */
export function limitsDocument(limits: readonly Limit[]): string {
  const packages = [...new Set(limits.map((limit) => limit.package))].sort();
  const tables = packages.map((name) =>
    table(
      name,
      limits.filter((limit) => limit.package === name),
    ),
  );
  return `${HEAD}\n${tables.join("\n")}`;
}

const HEAD = `# Defaults and limits

Every default and limit that the documents state, with the file that states it. A default is in force where the caller gives
no value; a limit cannot be raised. A test meets each at its boundary.

\`pnpm limits\` writes this page from \`test/limits/rows\`; change the rows, not the page.
`;

function table(name: string, limits: readonly Limit[]): string {
  const lines = limits.map(({ option, kind, value, unit, documented: [file] }) => {
    const link = `[${file.split("/").slice(2).join("/") || file}](../${file})`;
    return `| ${option} | ${kind} | ${shown(value, unit)} | ${link} |`;
  });
  return `## ${name}\n\n| option | | value | stated in |\n| --- | --- | --- | --- |\n${lines.join("\n")}\n`;
}

const POWERS = [
  [1024 ** 3, "GiB"],
  [1024 ** 2, "MiB"],
  [1024, "KiB"],
] as const;

function shown(value: number, unit: string): string {
  const plain = `${value.toLocaleString("en-GB")} ${unit}`;
  const power = unit === "bytes" ? POWERS.find(([size]) => value >= size && value % size === 0) : undefined;
  return power ? `${plain} (${value / power[0]} ${power[1]})` : plain;
}
