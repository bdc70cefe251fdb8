/**
 * Rebuilds the supervisor from its sources and compares the bytes with the committed ones; starts the binary for arm64.
 * Installs what that and the supervisor's tests need of the operating system where it is absent.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../scripts/bootstrap/root.mjs";
import { checks } from "../scripts/checks.mjs";
import { isOnPath } from "../scripts/is-on-path.mjs";
import { runCommand } from "../scripts/run-command.mjs";

/** Debian's package for each program. The compiler comes as a Python package, which needs an environment of its own. */
const programs = [
  ["qemu-aarch64-static", "qemu-user-static"],
  ["soffice", "libreoffice-writer-nogui"],
  ["chromium", "chromium"],
];
const supervisor = join(root, "packages/supervisor");
const rebuilt = mkdtempSync(join(tmpdir(), "supervisor-"));
const { check, close } = checks();

await installMissing();
await check("the supervisor is built from source", () =>
  runCommand(process.execPath, [join(supervisor, "native/build.mjs"), rebuilt]),
);
for (const architecture of ["x64", "arm64"]) {
  const name = `linux-${architecture}/supervisor`;
  await check(`the committed binary for ${architecture} has the bytes of the one that was built`, () => {
    if (!readFileSync(join(rebuilt, name)).equals(readFileSync(join(supervisor, "bin", name))))
      throw new Error(`bin/${name} differs. What to do: node packages/supervisor/native/build.mjs`);
  });
}
await check("the binary for arm64 starts", async () => {
  const { stdout } = await runCommand("qemu-aarch64-static", [
    join(rebuilt, "linux-arm64/supervisor"),
    "--version",
  ]);
  if (stdout !== "skillwright-supervisor 1\n") throw new Error(`it printed ${stdout}`);
});
rmSync(rebuilt, { recursive: true });
close();

async function installMissing() {
  const missing = programs.flatMap(([program, aptPackage]) => (isOnPath(program) ? [] : [aptPackage]));
  const hasEnvironments = await runCommand("python3", ["-c", "import ensurepip, venv"]).then(
    () => true,
    () => false,
  );
  if (!hasEnvironments) missing.push("python3-venv");
  if (missing.length === 0 || process.getuid?.() !== 0) return;
  console.log(`Installing ${missing.join(", ")} with apt-get`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await runCommand("apt-get", ["update", "-q"], { env });
  await runCommand("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...missing], { env });
}
