import assert from "node:assert/strict";
import { Secret } from "../../secret.js";
import { failsWith } from "../fails-with.js";
import { command, inWorkspace, printed, type RuntimePromise, runText } from "./subject.js";

/** Names a shell sets by itself. */
const SHELL = ["PWD", "OLDPWD", "SHLVL", "_"];

export const environmentPromises: readonly RuntimePromise[] = [
  inWorkspace(
    "environment/clean",
    "Nothing of the host's environment is seen, in the command's or in any process above it (ENV-01).",
    async (workspace) => {
      process.env["SKILLWRIGHT_CANARY"] = "sk-canary-5f1d";
      try {
        const seen = await runText(
          workspace,
          "env; set; cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'; true",
        );
        assert.equal(seen.exitCode, 0);
        assert(!seen.stdout.text.includes("sk-canary-5f1d"), "the host's variable is there");
      } finally {
        delete process.env["SKILLWRIGHT_CANARY"];
      }
    },
  ),
  inWorkspace(
    "environment/base",
    "HOME is work/, TMPDIR can be written to, PATH and LANG are set.",
    async (workspace) => {
      const text =
        'cd "$HOME" && pwd -P; t=$(mktemp) && echo x > "$t" && cat "$t"; echo "$LANG"; command -v ls >/dev/null && echo found';
      const [home, ...rest] = (await printed(workspace, text)).split("\n");
      assert.equal(home, `${workspace.root}/work`);
      assert.deepEqual([rest[0], rest[2]], ["x", "found"]);
      assert.match(rest[1] ?? "", /UTF-?8/i);
    },
  ),
  inWorkspace(
    "environment/given",
    "The command's variables are there with all their characters, secrets revealed, and no others but the base.",
    async (workspace) => {
      const env = {
        GIVEN: "two\nlines 'and' \"quotes\" $HOME",
        EMPTY: "",
        TOKEN: new Secret("tok-1"),
        LANG: "C",
      };
      const text = 'printf "%s|" "$GIVEN" "$EMPTY" "$TOKEN" "$LANG"';
      assert.equal(await printed(workspace, text, { env }), "two\nlines 'and' \"quotes\" $HOME||tok-1|C|");
      const names = async (more: Record<string, string>) =>
        (await printed(workspace, "env | grep -o '^[A-Za-z_]*=' | tr -d =", { env: more }))
          .trim()
          .split("\n");
      const [without, withGiven] = [await names({}), await names({ GIVEN: "x", OTHER: "y" })];
      const base = new Set([...without, ...SHELL]);
      assert.deepEqual(withGiven.filter((name) => !base.has(name)).sort(), ["GIVEN", "OTHER"]);
    },
  ),
  inWorkspace(
    "environment/refused",
    "Names that are not POSIX or steer the loader, and values with NUL, are refused before anything runs.",
    async (workspace) => {
      for (const name of ["LD_PRELOAD", "BASH_ENV", "NODE_OPTIONS", "BASH_FUNC_ls%%", "1A", "A B", "", "é"])
        await failsWith(workspace.start(command("true", { env: { [name]: "x" } })), "INPUT_INVALID", name);
      await failsWith(workspace.start(command("true", { env: { A: "1\0B=2" } })), "INPUT_INVALID", "NUL");
    },
  ),
  inWorkspace("environment/not-kept", "What a run sets is not there in the next.", async (workspace) => {
    await printed(workspace, "export LEFT=behind; alias ls=false; cd work", { env: { GIVEN: "x" } });
    assert.equal(
      await printed(workspace, 'printf "%s" "$LEFT$GIVEN"; env | grep -c -e LEFT -e GIVEN || true'),
      "0\n",
    );
  }),
];
