import { Secret } from "@skillwright/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines, LOCAL_ENGINES } from "../engine-setup/engines.js";
import { withInvariants } from "./invariants.js";
import { printed, type RunPlace, runPlace, runText } from "./run-place.js";

const KEY = "sk-4242424242424242424242424242424242424";
/** Variables of every command, and those that shells add. */
const BASE = [
  ...["HOME", "LANG", "PATH", "PYTHONDONTWRITEBYTECODE", "TMPDIR"],
  ...["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"],
];
const SHELL = ["PWD", "OLDPWD", "SHLVL", "_"];

async function namesIn(
  place: RunPlace,
  more: Parameters<typeof printed>[2] = {},
): Promise<readonly string[]> {
  const text = await printed(place, "env | cut -d= -f1 | sort", more);
  return text
    .trim()
    .split("\n")
    .filter((name) => !SHELL.includes(name));
}

describe.each(await engines(LOCAL_ENGINES))("hostile variables on $name", ({ host, image }) => {
  let place: RunPlace;

  beforeAll(async () => {
    process.env["SKILLWRIGHT_CANARY"] = "sk-test-1234567890";
    place = await runPlace({ engine: { host }, image });
  });

  afterAll(async () => {
    delete process.env["SKILLWRIGHT_CANARY"];
    await place?.dispose();
  });

  test("ENV-01: a command sees the base variables and its own, and none of the host's", async () => {
    expect(await namesIn(place)).toEqual(BASE);
    const seen = await withInvariants(place, () =>
      runText(place, "env; set; cat /proc/[0-9]*/environ /proc/self/environ"),
    );
    expect(seen.stdout.text + seen.stderr.text).not.toContain("sk-test-1234567890");
    const env = { OWN: "1", PATH: "/bin", pid: "kept", found: "kept", _sw_code: "is the runtime's own" };
    expect(await namesIn(place, { env })).toEqual([...BASE, "OWN", "_sw_code", "found", "pid"].sort());
    expect(await printed(place, 'echo "$pid $found $PATH"', { env })).toBe("kept kept /bin\n");
  });

  test("ENV-04, ENV-06: names that are invalid or steer an interpreter are refused before anything runs", async () => {
    for (const name of [
      ...["BASH_FUNC_ls%%", "NODE_OPTIONS", "PYTHONSTARTUP", "PYTHONPATH", "PERL5OPT", "RUBYOPT"],
      ...["GIT_SSH_COMMAND", "JAVA_TOOL_OPTIONS", "LD_PRELOAD", "BASH_ENV", "ENV", "IFS"],
    ])
      await expect(runText(place, "touch out/ran", { env: { [name]: "x" } }), name).rejects.toMatchObject({
        code: "INPUT_INVALID",
      });
    expect(await withInvariants(place, () => printed(place, "ls out"))).toBe("");
  });

  test("ENV-05: a value with NUL is refused; one with a line end stays one value", async () => {
    await expect(runText(place, "true", { env: { A: "1\0B=2" } })).rejects.toMatchObject({
      code: "INPUT_INVALID",
    });
    const env = { M: "x\nLD_PRELOAD=/evil" };
    expect(await printed(place, 'printenv LD_PRELOAD || echo unset; echo "$M" | wc -l', { env })).toBe(
      "unset\n2\n",
    );
  });

  test("ENV-08: start-up files that a run leaves in HOME are not read by the next", async () => {
    const files = ".bash_profile .bashrc .profile .bash_login .shrc";
    await printed(place, `for f in ${files}; do echo "echo PROFILE_RAN; exit 9" > ~/$f; done`);
    expect(await withInvariants(place, () => printed(place, "echo hi"))).toBe("hi\n");
    await printed(place, `cd && rm ${files}`);
  });

  test("ENV-09: variables and commands larger than the system accepts are refused with the limit", async () => {
    const tooLarge = { code: "LIMIT_EXCEEDED", details: { limit: expect.any(Number) } };
    await expect(runText(place, "true", { env: { A: "x".repeat(200_000) } })).rejects.toMatchObject(tooLarge);
    await expect(runText(place, `true ${"x".repeat(200_000)}`)).rejects.toMatchObject(tooLarge);
    const env = { A: "x".repeat(120_000), B: "y".repeat(120_000) };
    const long = `true ${"x".repeat(120_000)}; printf %s "$A$B" | wc -c`;
    expect((await printed(place, long, { env })).trim()).toBe("240000");
  });

  test("SECR-01: a secret that arrives in pieces is masked", async () => {
    const command = `printf %s "\${API_KEY:0:20}"; sleep 0.3; printf %s "\${API_KEY:20}"; echo; echo end`;
    const { stdout } = await withInvariants(place, () =>
      runText(place, command, { env: { API_KEY: new Secret(KEY) } }),
    );
    expect(stdout.text).toBe("***\nend\n");
  });

  test("SECR-02: base64 of a secret is masked, and other encodings are not, as documented", async () => {
    const command = "printf %s $API_KEY | base64 -w 0; echo; printf %s $API_KEY | rev; echo";
    const { stdout } = await withInvariants(place, () =>
      runText(place, command, { env: { API_KEY: new Secret(KEY) } }),
    );
    const [encoded, reversed] = stdout.text.split("\n");
    expect(encoded).toMatch(/^\S{0,2}\*\*\*\S{0,4}$/);
    expect(reversed).toBe([...KEY].reverse().join(""));
  });

  test("SECR-03: a secret in the shell's own error text, and in what the runtime refuses, is masked", async () => {
    const env = { API_KEY: new Secret(KEY) };
    const command = "cat /none/$API_KEY; $API_KEY";
    const { exitCode, stderr, diagnostics } = await withInvariants(place, () =>
      runText(place, command, { env }),
    );
    expect(exitCode).toBe(127);
    expect(stderr.text).toMatch(/\/none\/\*\*\*.*\n.*\*\*\*: .*not found/s);
    expect(JSON.stringify([stderr, diagnostics])).not.toContain("4242");
    const refusal = await runText(place, "true", { cwd: `work/${KEY}`, env }).catch(
      (error: unknown) => error,
    );
    expect(refusal).toMatchObject({ code: "FILE_NOT_FOUND", message: expect.stringContaining("work/***") });
    expect(JSON.stringify({ ...(refusal as Error), text: String(refusal) })).not.toContain("4242");
  });

  test("SECR-03: a secret is in none of the engine's data about the command", async () => {
    const waiting = "until [ -e work/looked ]; do sleep 0.05; done";
    const running = runText(place, waiting, { env: { API_KEY: new Secret("sk-777777777") } });
    let goesOn: Promise<unknown> | undefined;
    let told = "";
    for (let over = false; !over; ) {
      const { ExecIDs } = (await place.container.container.inspect()) as unknown as {
        ExecIDs: string[] | null;
      };
      const execs = (ExecIDs ?? []).map((id) => place.container.engine.docker.getExec(id).inspect());
      const processes = await place.container.container.top({ ps_args: "-ef" });
      told += JSON.stringify([await Promise.allSettled(execs), processes]);
      if (told.includes(waiting)) goesOn ??= printed(place, "touch work/looked");
      over = await Promise.race([running.then(() => true), Promise.resolve().then(() => false)]);
    }
    await goesOn;
    expect(told).not.toContain("77777");
  });

  test("SECR-04: registry credentials of the engine or this user are not visible inside", async () => {
    const command =
      "env; ls -laR ~ /root /run/secrets /etc/docker /etc/containers; cat ~/.docker/config.json";
    const { stdout } = await withInvariants(place, () => runText(place, command));
    expect(stdout.text).not.toMatch(/auth|docker\.sock|config\.json/);
  });
});

describe.each(await engines(["docker", "podman"], "opinionated"))(
  "an image with opinions on $name",
  ({ host, image }) => {
    let place: RunPlace;

    beforeAll(async () => {
      place = await runPlace({ engine: { host }, image });
    });

    afterAll(() => place?.dispose());

    test("ENV-06: an image's own variables, including those that steer shells and loaders, reach no command", async () => {
      expect(await namesIn(place)).toEqual(BASE);
      expect(await printed(place, "echo hi; echo 'a b' | while read -r x y; do echo $y; done")).toBe(
        "hi\nb\n",
      );
      const { stderr } = await withInvariants(place, () => runText(place, "env; set"));
      expect(stderr.text).toBe("");
    });

    test("the image's PATH precedes the default one", async () => {
      expect(await printed(place, "echo $PATH")).toMatch(/^\/usr\/local\/evil:\/bin:\/usr\/local\/sbin:/);
    });
  },
);
