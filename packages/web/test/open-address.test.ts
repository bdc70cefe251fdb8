import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openAddress } from "../src/open-address.js";

/** Replaces the user's browser with a program that writes each address it is given to a file. */
async function browser() {
  const folder = await mkdtemp(join(tmpdir(), "skillwright-browser-"));
  // The browser is found by its name, because a path with a blank would have to be quoted in the file and in the variable.
  const [name, file] = ["skillwright-test-browser", join(folder, "opened")];
  await writeFile(join(folder, name), `#!/bin/sh\nprintf '%s\\n' "$@" >> "${file}"\n`);
  await chmod(join(folder, name), 0o755);
  // A desktop finds the browser by these two files, a machine without a desktop by the variable BROWSER.
  await mkdir(join(folder, "applications"));
  await writeFile(
    join(folder, "applications/browser.desktop"),
    `[Desktop Entry]\nType=Application\nName=Browser\nExec=${name} %U\n`,
  );
  await writeFile(
    join(folder, "mimeapps.list"),
    "[Default Applications]\nx-scheme-handler/http=browser.desktop\n",
  );
  const PATH = `${folder}:${process.env["PATH"]}`;
  const env = { PATH, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, BROWSER: name, DISPLAY: ":99" };
  for (const [variable, value] of Object.entries(env)) vi.stubEnv(variable, value);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });
  return { opened: () => readFile(file, "utf8").catch(() => "") };
}

if (process.platform === "linux")
  test("the address is opened in the user's browser", async () => {
    const { opened } = await browser();
    const address = "http://127.0.0.1:8787/sign-in/code";
    expect(await openAddress(address, { env: { DISPLAY: ":99" }, isTerminal: true })).toBe(true);
    await expect.poll(opened).toBe(`${address}\n`);
  });

test.each([
  ["without a terminal", { DISPLAY: ":99" }, false],
  ["in an SSH session", { DISPLAY: ":99", SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, true],
  ["on a CI machine", { DISPLAY: ":99", CI: "true" }, true],
  ...(process.platform === "linux" ? [["on Linux without a display", {}, true] as const] : []),
] as const)("%s nothing is opened", async (_, env, isTerminal) => {
  const { opened } = await browser();
  expect(await openAddress("http://127.0.0.1:8787/", { env, isTerminal })).toBe(false);
  expect(await opened()).toBe("");
});
