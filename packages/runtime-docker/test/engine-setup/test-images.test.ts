import { describe, expect, it } from "vitest";
import { testImage } from "../../../../scripts/engines/test-images/test-image.mjs";
import { engines } from "./engines.js";
import { exitCodeOf } from "./plain-container.js";

describe.each(await engines(["docker", "podman"]))("test images on $name", ({ host }) => {
  it.each([
    ["base", ["bash", "-c", '[ -n "$BASH_VERSION" ] && grep -q skill:x:1000 /etc/passwd'], 0],
    [
      "full",
      ["bash", "-c", "python3 -c 'import json, ssl, sqlite3' && node -e 0 && find --version && jq --version"],
      0,
    ],
    ["no-bash", ["sh", "-c", "! command -v bash"], 0],
    ["lying", ["bash", "-c", "tar -c /etc/group | /bin/busybox tar -t | /bin/busybox grep -q escaped"], 0],
    ["opinionated", ["true"], 1],
    ["no-shell", ["sh", "-c", "true"], 127],
  ] as const)("%s runs %j and exits with %i", async (kind, command, exitCode) => {
    expect(await exitCodeOf(host, await testImage(host, kind), [...command])).toBe(exitCode);
  });
});
