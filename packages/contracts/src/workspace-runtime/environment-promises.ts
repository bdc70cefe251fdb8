import assert from "node:assert/strict";
import { Secret } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { command, inWorkspace, printed, type RuntimePromise, runText } from "./subject.js";

/** Variables that a shell sets itself. */
const SHELL = ["PWD", "OLDPWD", "SHLVL", "_"];

const SECRET = "sk-live-4f9a27c1d0b8e6533a7c9f12e8d4b605";

export const environmentPromises: readonly RuntimePromise[] = [
  inWorkspace(
    "environment/clean",
    "A command sees no variable of the host, neither in its own environment nor in that of a parent process (ENV-01).",
    async (workspace) => {
      process.env["SKILLWRIGHT_CANARY"] = "sk-canary-5f1d";
      try {
        const seen = await runText(
          workspace,
          "env; set; cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'; true",
        );
        assert.equal(seen.exitCode, 0);
        assert(!seen.stdout.text.includes("sk-canary-5f1d"), "the output contains the variable of the host");
      } finally {
        delete process.env["SKILLWRIGHT_CANARY"];
      }
    },
  ),
  inWorkspace(
    "environment/base",
    "HOME is work/, TMPDIR is writable, PATH and LANG are set.",
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
    "A command gets the base variables and the given ones, unchanged and with the values of secrets, and no others.",
    async (workspace) => {
      const env = {
        GIVEN: "two\nlines 'and' \"quotes\" $HOME",
        EMPTY: "",
        TOKEN: new Secret("tok-1"),
        LANG: "C",
      };
      const text = 'printf "%s|" "$GIVEN" "$EMPTY" "$LANG"; test "$TOKEN" = "tok""-1" && printf revealed';
      assert.equal(await printed(workspace, text, { env }), "two\nlines 'and' \"quotes\" $HOME||C|revealed");
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
    "Names that are not POSIX names, names that control a loader, and values with NUL are refused before anything runs (ENV-04, ENV-05, ENV-06).",
    async (workspace) => {
      for (const name of ["LD_PRELOAD", "BASH_ENV", "NODE_OPTIONS", "BASH_FUNC_ls%%", "1A", "A B", "", "é"])
        await failsWith(workspace.start(command("true", { env: { [name]: "x" } })), "INPUT_INVALID", name);
      await failsWith(workspace.start(command("true", { env: { A: "1\0B=2" } })), "INPUT_INVALID", "NUL");
    },
  ),
  inWorkspace(
    "environment/programs",
    "`programs` adds directories, relative to the root, before and after the base directories on PATH.",
    async (workspace) => {
      const tool = (path: string) => ({ path, content: `#!/bin/sh\necho ${path}\n`, executable: true });
      await workspace.put(
        ["one/cat", "one/own", "two/own", "late/ls", "late/tool-of-late"].map((path) => tool(`work/${path}`)),
      );
      const programs = { before: ["work/one", "work/two"], after: ["work/late"] };
      const seen = await printed(workspace, "cat; own; ls -d .; tool-of-late", { programs, cwd: "work/one" });
      assert.equal(seen, "work/one/cat\nwork/one/own\n.\nwork/late/tool-of-late\n");
    },
  ),
  inWorkspace(
    "environment/programs-own-path",
    "`programs` has no effect if the variables of the command set PATH.",
    async (workspace) => {
      await workspace.put([
        { path: "work/bin/own", content: "#!/bin/sh\necho found\n", executable: true },
        { path: "out/bin/own", content: "#!/bin/sh\necho its own\n", executable: true },
      ]);
      const env = { PATH: `${workspace.root}/out/bin:/usr/bin:/bin` };
      for (const programs of [
        { before: ["work/bin"], after: [] },
        { before: [], after: ["work/bin"] },
      ])
        assert.equal(
          await printed(workspace, 'own; echo "$PATH"', { env, programs }),
          `its own\n${env.PATH}\n`,
        );
    },
  ),
  inWorkspace(
    "environment/not-kept",
    "Variables and aliases that one run sets do not exist in the next run.",
    async (workspace) => {
      await printed(workspace, "export LEFT=behind; alias ls=false; cd work", { env: { GIVEN: "x" } });
      assert.equal(
        await printed(workspace, 'printf "%s" "$LEFT$GIVEN"; env | grep -c -e LEFT -e GIVEN || true'),
        "0\n",
      );
    },
  ),
  inWorkspace(
    "environment/secrets-masked",
    "The value of a Secret is replaced by *** in both streams, live and in the result, also when split over chunks (SECR-01, SECR-03).",
    async (workspace) => {
      const env = { API_KEY: new Secret(SECRET) };
      const part = (from: number, to: number) => `printf %s "$API_KEY" | cut -c ${from}-${to} | tr -d '\\n'`;
      const text = `${part(1, 20)}; ${part(1, 9)} >&2; sleep 0.3; ${part(21, 99)}; echo; ${part(10, 99)} >&2
echo >&2; echo end; printf %s "$API_KEY" | base64; "$API_KEY"`;
      let heard = "";
      const result = await runText(
        workspace,
        text,
        { env },
        {
          onOutput: ({ offset, bytes }) => {
            assert.equal(offset, heard.length, "the offset");
            heard += Buffer.from(bytes).toString("latin1");
          },
        },
      );
      assert.equal(result.exitCode, 127);
      assert.match(result.stdout.text, /^\*\*\*\nend\n\S{0,2}\*\*\*\S{0,4}\n$/);
      assert.match(result.stderr.text, /^\*\*\*\n.*\*\*\*: /);
      assert.equal(result.stdout.totalBytes + result.stderr.totalBytes, heard.length);
      assert(
        !(JSON.stringify(result) + heard).includes(SECRET.slice(4, 20)),
        "the output contains a part of the secret",
      );
    },
  ),
  inWorkspace(
    "environment/short-secret",
    "A secret of fewer than 8 bytes is not masked, and a diagnostic names its variable (SECR-02).",
    async (workspace) => {
      const { diagnostics } = await runText(workspace, "true", { env: { PIN: new Secret("7q9") } });
      const told = diagnostics.filter(({ message }) => message.includes("PIN"));
      assert.equal(told.length, 1);
      assert(!JSON.stringify(diagnostics).includes("7q9"), "a diagnostic contains the value of the secret");
    },
  ),
];
