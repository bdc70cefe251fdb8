/** Rebuilds the supervisor from its sources and compares the bytes with the committed ones; starts the binary for arm64. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../scripts/bootstrap/root.mjs";
import { checks } from "../scripts/checks.mjs";
import { runCommand } from "../scripts/run-command.mjs";

const supervisor = join(root, "packages/supervisor");
const rebuilt = mkdtempSync(join(tmpdir(), "supervisor-"));
const { check, close } = checks();

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
  if (stdout !== "skillwright-supervisor 2\n") throw new Error(`it printed ${stdout}`);
});
rmSync(rebuilt, { recursive: true });
close();
