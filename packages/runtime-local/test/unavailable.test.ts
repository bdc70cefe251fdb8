import { expect, test } from "vitest";
import type { ToolResult } from "../src/host/run-tool.js";
import { bubblewrapVersion } from "../src/isolation/bubblewrap-version.js";
import { isolationUnavailable, refused, tooOld } from "../src/isolation/unavailable.js";

function failure(more: Partial<ToolResult>): ToolResult {
  return { exitCode: 1, stdout: "", stderr: "", code: undefined, timedOut: false, ...more };
}

test.each([
  { code: "EAGAIN" },
  { code: "EMFILE" },
  { timedOut: true },
  { stderr: "bwrap: Creating new namespace failed: Resource temporarily unavailable" },
  { stderr: "bwrap: Can't fork for child: Cannot allocate memory" },
])("%j may be temporary: the result is not cached, and no weaker isolation is offered", (more) => {
  const reason = refused(failure(more));
  expect(reason.transient).toBe(true);
  expect(isolationUnavailable(reason).message).toMatch(/Try again\.$/);
});

test.each([
  "bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.",
  "bwrap: setting up uid map: Permission denied",
  "bwrap: Creating new namespace failed: Operation not permitted",
])("%j is the kernel's refusal, with what to set", (stderr) => {
  const reason = refused(failure({ stderr }));
  expect(reason).toMatchObject({
    transient: false,
    why: expect.stringContaining("the kernel did not allow"),
  });
  expect(isolationUnavailable(reason).message).toMatch(/unprivileged_userns_clone.*isolation: "none"/s);
});

test.each([
  "bwrap: Creating new namespace failed: No space left on device",
  "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)",
])("%j means that the number of namespaces is limited, and the remedy names the setting", (stderr) => {
  const { message } = isolationUnavailable(refused(failure({ stderr })));
  expect(message).toMatch(/the kernel did not allow.*`sysctl -w user\.max_user_namespaces=10000`/s);
  expect(message).not.toContain("unprivileged_userns_clone");
});

test("any other failure is reported in bubblewrap's words", () => {
  const reason = refused(failure({ stderr: "bwrap: Can't mount proc on /newroot/proc: Invalid argument" }));
  expect(reason).toMatchObject({ transient: false, why: expect.stringContaining("Can't mount proc") });
});

test("the version determines the available options of bubblewrap", () => {
  expect(bubblewrapVersion("bubblewrap 0.8.0\n")).toEqual({
    text: "0.8.0",
    usable: true,
    boundedTmpfs: true,
    disableUserNamespaces: true,
  });
  expect(bubblewrapVersion("bubblewrap 0.6.1")).toMatchObject({
    usable: true,
    boundedTmpfs: false,
    disableUserNamespaces: false,
  });
  expect(bubblewrapVersion("bubblewrap 0.11.0")).toMatchObject({
    boundedTmpfs: true,
    disableUserNamespaces: true,
  });
  expect(bubblewrapVersion("bubblewrap 1.0")).toMatchObject({ text: "1.0.0", disableUserNamespaces: true });
  expect(bubblewrapVersion("bubblewrap 0.4.1")).toMatchObject({ usable: false });
  expect(bubblewrapVersion("something else")).toBeUndefined();
  expect(isolationUnavailable(tooOld("bubblewrap 0.4.1")).message).toMatch(/0\.5\.0 or later.*0\.4\.1/s);
});
