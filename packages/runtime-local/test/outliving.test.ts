import { chmod, copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { WorkspaceRuntime } from "@skillwright/core";
import { afterEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { ownHost } from "../src/host/own-host.js";
import { localRuntimeOn } from "../src/local-runtime.js";
import { temporaryDirectory } from "./local-subject.js";
import { canBeOrdinary, runAsOrdinaryUser } from "./ordinary-user.js";
import { markedSleep, processesWith, runText } from "./running.js";

const attack = await readFile(fileURLToPath(new URL("attacks/free-from-init.py", import.meta.url)), "utf8");
const undo: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function runtimeWith(supervisor: string | undefined): Promise<WorkspaceRuntime> {
  const { path, remove } = await temporaryDirectory();
  const runtime = localRuntimeOn({ ...ownHost(), supervisor }, { root: path });
  undo.push(remove, () => runtime.close());
  return runtime;
}

/** A supervisor without a filter: a script that removes the option and runs the program. */
async function withoutFilter(supervisor: string): Promise<string> {
  const { path, remove } = await temporaryDirectory();
  undo.push(remove);
  // The users of commands may have no way into the checkout.
  const copy = join(path, "copy");
  await copyFile(supervisor, copy);
  const script = `#!/bin/bash
[ "$1" = init ] || exec '${copy}' "$@"
kept=()
for ((i = 1; i <= $#; i++)); do
  if [ "\${!i}" = -- ]; then kept+=("\${@:i}"); break; fi
  if [ "\${!i}" = --filter ]; then i=$((i + 1)); else kept+=("\${!i}"); fi
done
/usr/bin/tail -n +11 "$0" > /tmp/supervisor && /bin/chmod 755 /tmp/supervisor
exec /tmp/supervisor "\${kept[@]}"
exit
`;
  await writeFile(join(path, "supervisor"), Buffer.concat([Buffer.from(script), await readFile(supervisor)]));
  await chmod(path, 0o755);
  await chmod(join(path, "supervisor"), 0o755);
  return join(path, "supervisor");
}

/** Bash would read the script's own text if it came through a pipe, so the text is in the command. */
const attacking = (sleep: string) => `python3 - '${sleep}' <<'ATTACK'\n${attack}\nATTACK`;

const supervisor = ownHost().supervisor;

if (hasAll("bubblewrap", "python3", "supervisor") && supervisor !== undefined)
  describe("a command that attacks the first process of its sandbox", () => {
    test.for([
      ["", async () => supervisor],
      [" without the system-call filter", () => withoutFilter(supervisor)],
    ] as const)("ends with its run, which reports its own exit code%s", async ([, program]) => {
      const runtime = await runtimeWith(await program());
      const codes = (await runtime.capabilities()).diagnostics?.map(({ code }) => code);
      expect(codes).not.toContain("supervisor.missing");
      const sleep = markedSleep();
      const result = await runText(await runtime.create("w1"), attacking(sleep));
      expect(processesWith(sleep)).toEqual([]);
      expect([result.exitCode, result.treeEnded, result.stdout.text]).toEqual([7, true, "end\n"]);
      expect(await runtime.destroy("w1")).toBe(true);
      expect(processesWith(sleep)).toEqual([]);
    });
  });

if (hasAll("bubblewrap", "python3", "supervisor", "packages/runtime-local/dist") && (await canBeOrdinary()))
  test("a command that attacks the first process of its sandbox ends with its run where the host is not root", async () => {
    const sleep = markedSleep();
    const result = await runAsOrdinaryUser("sandbox", attacking(sleep));
    expect(processesWith(sleep)).toEqual([]);
    expect(result).toMatchObject({ exitCode: 7, treeEnded: true, stdout: { text: "end\n" } });
  });
