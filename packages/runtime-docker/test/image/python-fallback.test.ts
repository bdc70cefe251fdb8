import { run } from "@skillwright/core/adapter";
import { describe, expect, test } from "vitest";
import { dockerSubject } from "../docker-subject.js";
import { engines, LOCAL_ENGINES } from "../engine-setup/engines.js";

const command = (text: string) => ({
  runId: "one",
  command: text,
  cwd: ".",
  env: {},
  timeoutMs: 120_000,
  maxOutputBytes: 64 * 1024,
});

/** The command's output, and whether the result reports that python is python3. */
async function outcome(engine: Parameters<typeof dockerSubject>[0], text: string) {
  await using subject = dockerSubject(engine);
  const { stdout, stderr, exitCode, diagnostics } = await run(
    await subject.runtime.create("w1"),
    command(text),
  );
  const told = diagnostics.some(({ code }) => code === "python.is-python3");
  return { said: stdout.text + stderr.text, exitCode, told };
}

describe.each(await engines(LOCAL_ENGINES, "full"))("an image with python3 alone, on $name", (engine) => {
  test("python in a command starts python3, and the result says so", async () => {
    const text = "python -c 'import sys; print(sys.version_info[0], sys.argv[1:])' 'a b'";
    expect(await outcome(engine, text)).toEqual({ said: "3 ['a b']\n", exitCode: 0, told: true });
  });
});

describe.each(await engines(LOCAL_ENGINES))("an image without any python, on $name", (engine) => {
  test("python is not found, and the result does not mention python3", async () => {
    expect(await outcome(engine, "command -v python || exit 3")).toEqual({
      said: "",
      exitCode: 3,
      told: false,
    });
  });
});
