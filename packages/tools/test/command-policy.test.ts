import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CommandPolicyOptions, commandPolicy } from "@skillwright/tools";
import { describe, expect, onTestFinished, test } from "vitest";

/** `undefined` for a command that may run, otherwise reason and hint. */
async function refused(options: CommandPolicyOptions, command: string): Promise<string | undefined> {
  const verdict = await commandPolicy(options)({ command, cwd: "" });
  return verdict.allowed ? undefined : `${verdict.reason} ${verdict.hint}`;
}

const echo = { allowed: ["echo"] };

describe("an allow list", () => {
  test("lets a listed program run (POLICY-01)", async () => {
    expect(await refused(echo, "echo ok")).toBeUndefined();
  });

  test("checks every program of a line, not only the first (POLICY-02)", async () => {
    expect(await refused(echo, "echo ok; ls")).toBe(
      '"ls" is not on the list of allowed programs. Allowed programs: echo.',
    );
    for (const operator of ["|", "&&", "||", ";"])
      expect(await refused(echo, `echo ok ${operator} curl x`)).toContain('"curl"');
    expect(await refused({ allowed: ["echo", "ls"] }, "echo ok; ls")).toBeUndefined();
  });

  test("reads quoted operators as text (POLICY-03)", async () => {
    expect(await refused(echo, `echo "a;b" 'c|d' e\\&f`)).toBeUndefined();
  });

  test.each(["./echo", "/usr/bin/echo", "work/bin/echo", "../echo", "/tmp/echo"])(
    "does not treat %s as echo, which is a bash builtin without a file (POLICY-05)",
    async (program) => {
      expect(await refused(echo, `${program} ok`)).toContain('"echo" is allowed, but only by that name.');
      expect(await refused({ allowed: [program] }, `${program} ok`)).toBeUndefined();
    },
  );

  test("accepts the absolute path of an allowed program where both are the same file (POLICY-04)", async () => {
    const path = await programsDirectory({ tool: "" });
    const options = { allowed: ["tool"], path };
    expect(await refused(options, "tool x")).toBeUndefined();
    expect(await refused(options, `'${path}/tool' x`)).toBeUndefined();
    expect(await refused(options, `'${path}/./tool' x`)).toBeUndefined();
    expect(await refused({ allowed: ["tool"], path: "/usr/bin" }, `'${path}/tool' x`)).toContain(
      "not on the list",
    );
    expect(await refused({ allowed: ["tool"], path: `${path}//` }, `'${path}/tool' x`)).toBeUndefined();
  });

  test("does not accept the absolute path of a file that the bare name does not start", async () => {
    const [first, second] = [await programsDirectory({ tool: "" }), await programsDirectory({ tool: "" })];
    const options = { allowed: ["tool", "gone"], path: `${first}:${second}` };
    expect(await refused(options, `'${first}/tool'`)).toBeUndefined();
    expect(await refused(options, `'${second}/tool'`)).toContain('"tool" is allowed, but only by that name.');
    expect(await refused(options, `'${first}/gone'`)).toContain('"gone" is allowed, but only by that name.');
  });

  test("does not accept another name of the same file for an allowed program", async () => {
    const path = await programsDirectory({ tool: "" });
    await symlink("tool", `${path}/other`);
    expect(await refused({ allowed: ["tool"], path }, `'${path}/other'`)).toContain("not on the list");
    expect(await refused({ allowed: ["tool"], path }, "other")).toContain("not on the list");
  });

  test("without entries allows nothing", async () => {
    expect(await refused({ allowed: [] }, "true")).toContain("Allowed programs: none.");
  });
});

describe("a deny list", () => {
  test("takes precedence over the allow list (POLICY-06)", async () => {
    expect(await refused({ allowed: ["echo"], denied: ["echo"] }, "echo x")).toBe(
      '"echo" is on the list of denied programs. Allowed programs: echo.',
    );
  });

  test.each([
    "curl",
    "eval curl",
    "sh -c 'curl'",
    "env curl",
    "xargs curl",
    "time curl",
    "busybox sh -c curl",
    "/usr/bin/curl",
    "CURL",
    "true && curl x",
    "echo x | curl x",
    "cu''rl",
    "\\curl",
    'c"url" x',
    "./curl",
    "command curl",
    "exec curl",
    "nohup curl",
    "/usr/bin/env curl",
    "BASH -c curl",
    "timeout 5 curl",
    "alias ls=curl",
    "hash -p /usr/bin/curl ls",
    "printf -vPATH work",
    "test -v 'a[0]'",
    "jobs -x curl",
    "/lib64/ld-linux-x86-64.so.2 /usr/bin/curl",
  ])("of curl refuses %s (POLICY-07)", async (command) => {
    expect(await refused({ denied: ["curl"] }, command)).toBeDefined();
  });

  test("allows everything else", async () => {
    const command = "cd work && python3 run.py | sort -u; printf %s x; test -f a || [ -d b ]";
    expect(await refused({ denied: ["curl"] }, command)).toBeUndefined();
    expect(await refused({ denied: ["curl"] }, "echo curl")).toBeUndefined();
    expect(await refused({ denied: ["curl"] }, "mytest -v x; testing -v x; printf -Rx")).toBeUndefined();
  });

  test("finds a denied program under another name of its file", async () => {
    const path = await programsDirectory({ tool: "" });
    await symlink("tool", `${path}/other`);
    expect(await refused({ denied: ["tool"], path }, "other x")).toContain(
      '"other" is on the list of denied',
    );
    expect(await refused({ denied: [`${path}/tool`], path }, "tool")).toContain("denied");
  });

  test("finds a denied program whose path has blanks, and does not mistake arguments for a program", async () => {
    const path = `${await programsDirectory({ tool: "" })}/with blanks`;
    await mkdir(path);
    await symlink("../tool", `${path}/my tool`);
    const denied = [`${path}/my tool`];
    expect(await refused({ denied }, `'${path}/my tool' x`)).toContain("denied");
    expect(await refused({ denied, path: dirname(path) }, "tool x")).toContain("denied");
    for (const entry of [`${path}/my tool -x`, "my tool", `${path}/gone tool`])
      expect(() => commandPolicy({ denied: [entry] })).toThrow("without arguments");
  });

  test("finds a shell under another name of its file", async () => {
    const path = await programsDirectory({ dash: "" });
    await symlink("dash", `${path}/innocent`);
    expect(await refused({ denied: ["curl"], path }, "innocent -c x")).toContain("starts other programs");
  });

  test("does not confuse the programs of a multi-call file", async () => {
    const path = await programsDirectory({ busybox: "" });
    for (const name of ["rm", "ls"]) await symlink("busybox", `${path}/${name}`);
    expect(await refused({ denied: ["rm"], path }, "ls")).toBeUndefined();
    expect(await refused({ denied: ["rm"], path }, `'${path}/rm'`)).toBeDefined();
    expect(await refused({ allowed: ["ls"], path }, `'${path}/rm'`)).toContain("not on the list");
  });
});

describe("a listed program that starts others", () => {
  const allowed = ["sh", "env", "xargs", "timeout", "gtimeout", "eval", "busybox", "time", "echo"];

  test.each([
    "sh -c 'echo a | echo b'",
    "env echo x",
    "xargs echo",
    "timeout 5s echo x",
    "timeout 1.5m echo x",
    "gtimeout 5 echo x",
    "eval echo x",
    "busybox sh -c 'echo x'",
    "sh scripts/run.sh a",
    "sh work/dev/run.sh",
    "env sh -c 'eval echo'",
  ])("runs what it starts if that is listed too: %s", async (command) => {
    expect(await refused({ allowed, denied: ["curl"] }, command)).toBeUndefined();
  });

  test.each([
    "sh -c 'curl x'",
    "sh -c 'echo $(curl x)'",
    "sh -ec 'curl x'",
    "sh",
    "echo curl | sh",
    "sh -s",
    "sh -c",
    "sh /dev/stdin",
    "env curl",
    "env -S 'curl x'",
    "env LD_PRELOAD=work/x.so echo",
    "env -i curl",
    "xargs -I{} curl {}",
    "xargs curl",
    "timeout 5 curl",
    "eval 'curl x'",
    "eval 'cu\"\"rl'",
    "busybox wget x",
    "/bin/sh -c 'echo x'",
    `${"env ".repeat(30)}echo`,
  ])("does not run %s", async (command) => {
    expect(await refused({ allowed, denied: ["curl"] }, command)).toBeDefined();
  });
});

describe("a refusal of a program that starts others", () => {
  test.each([
    ["sh", "nothing"],
    ["sh -s", '"-s"'],
    ["sh /dev/stdin", '"/dev/stdin"'],
  ])("of %s names what follows it", async (command, shown) => {
    expect(await refused({ allowed: ["sh"] }, command)).toContain(
      `"sh" is followed by ${shown}, so the program`,
    );
  });
});

describe("the options", () => {
  test("have a summary of 20 names of each list (POLICY-09)", () => {
    const allowed = Array.from({ length: 25 }, (_, index) => `cmd${index + 1}`);
    const { summary } = commandPolicy({ allowed, denied: ["curl"] });
    expect(summary).toMatch(/^Allowed programs: cmd1, .*cmd20, \+5 more\. Not allowed: curl\. Only literal/);
    expect(summary).not.toContain("cmd21");
    const { summary: whole } = commandPolicy({ allowed: allowed.slice(0, 20) });
    expect(whole).toMatch(/^Allowed programs: cmd1, .*cmd20\. Only literal/);
  });

  test.each<[string, CommandPolicyOptions]>([
    ["no list", {}],
    ["an entry with arguments", { allowed: ["git status"] }],
    ["an empty entry", { denied: [""] }],
    ["a text in place of a list", { denied: "curl" as unknown as string[] }],
  ])("are refused with %s", (_what, options) => {
    expect(() => commandPolicy(options)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });
});

/** A folder with executable files of these names, removed when the test ends. */
async function programsDirectory(files: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "skillwright-programs-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files))
    await writeFile(join(directory, name), content, { mode: 0o755 });
  return directory;
}
