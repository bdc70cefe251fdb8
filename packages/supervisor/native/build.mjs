/**
 * Builds the supervisor for both architectures: `node native/build.mjs [DIRECTORY]`, by default into `bin/`, with the
 * checksums beside the sources and the filters in `src/filter-programs.ts`. The compiler is the Python package `ziglang`, installed into `.cache/` on first use.
 * The same sources give the same bytes on every machine.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "../../../scripts/run-command.mjs";

const compilerVersion = "0.17.1";
const mostBytes = 200_000;
const targets = { x64: "x86_64-linux-musl", arm64: "aarch64-linux-musl" };
const flags = [
  ...["-static", "-s", "-Os", "-g0", "-std=c17", "-Wall", "-Wextra", "-Werror"],
  ...[
    "-fno-sanitize=all",
    "-ffunction-sections",
    "-fdata-sections",
    "-Wl,--gc-sections",
    "-Wl,--build-id=none",
  ],
];

const native = fileURLToPath(new URL(".", import.meta.url));
const cache = fileURLToPath(new URL("../../../.cache/", import.meta.url));
const sources = readdirSync(native)
  .filter((name) => name.endsWith(".c"))
  .sort();

const committed = join(native, "../bin");
const directory = resolve(process.argv[2] ?? committed);
const python = await installedCompiler();
const sums = [];
for (const [architecture, target] of Object.entries(targets)) sums.push(await build(architecture, target));
if (directory === committed) writeFileSync(join(native, "SHA256SUMS"), sums.join(""));
if (directory === committed) writeFileSync(join(native, "../src/filter-programs.ts"), filterPrograms());
process.stdout.write(sums.join(""));

async function installedCompiler() {
  const home = join(cache, `ziglang-${compilerVersion}`);
  if (!existsSync(home)) {
    const partial = `${home}.${process.pid}`;
    await runCommand("python3", ["-m", "venv", partial]);
    await runCommand(join(partial, "bin/python"), [
      "-m",
      "pip",
      "install",
      "-q",
      `ziglang==${compilerVersion}`,
    ]);
    renameSync(partial, home);
  }
  return join(home, "bin/python");
}

async function build(architecture, target) {
  const name = `linux-${architecture}/supervisor`;
  const output = join(directory, name);
  mkdirSync(join(output, ".."), { recursive: true });
  // A program that is running cannot be written to.
  rmSync(output, { force: true });
  const env = { ...process.env, ZIG_GLOBAL_CACHE_DIR: `${cache}zig`, ZIG_LOCAL_CACHE_DIR: `${cache}zig` };
  await runCommand(python, ["-m", "ziglang", "cc", "-target", target, ...flags, "-o", output, ...sources], {
    cwd: native,
    env,
  });
  const bytes = readFileSync(output);
  if (bytes.length > mostBytes) throw new Error(`${name} has ${bytes.length} bytes, at most ${mostBytes}`);
  return `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`;
}

/** Runs the program built for this machine, which prints the filters for both architectures. */
function filterPrograms() {
  const program = join(directory, `linux-${process.arch}/supervisor`);
  const rows = Object.keys(targets).map((architecture) => {
    const filters = ["online", "offline"].map((filter) => {
      const bytes = execFileSync(program, ["program", "--filter", filter, "--arch", architecture]);
      return `    ${filter}:\n      "${bytes.toString("base64")}",\n`;
    });
    return `  ${architecture}: {\n${filters.join("")}  },\n`;
  });
  return `// Written by native/build.mjs from native/calls.def, in Base64.\nexport const filterPrograms = {\n${rows.join("")}} as const;\n`;
}
