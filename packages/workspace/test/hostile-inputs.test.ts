import { join } from "node:path";
import { type RunInput, SkillError } from "@skillwright/core";
import { describe, expect } from "vitest";
import { type HostileCase, hostileCase } from "./hostile-case.js";
import { makeOpenFolder } from "./open-folder.js";
import { SESSION, testIsolations, textOf } from "./workspace-fixture.js";

/** Allows `in` below the fixture's folder for inputs, with the files that the host cases need. */
function withOpenFolder(directory: string) {
  const open = join(directory, "in");
  makeOpenFolder(open);
  return { hostInputRoots: [open] };
}

async function refused({ run, events }: HostileCase, input: RunInput, code: string): Promise<void> {
  const error: unknown = await run({ command: "true", inputs: [input] }).catch((caught: unknown) => caught);
  expect(SkillError.is(error) ? error.code : error).toBe(code);
  expect(events.map(({ type }) => type)).not.toContain("run.started");
}

describe.each(await testIsolations())("hostile inputs, isolation %s", (isolation) => {
  hostileCase(
    "INPUT-15: without an allowed folder a host file is refused, whether or not it exists",
    isolation,
    async (place) => {
      const messages = ["/etc/passwd", "/etc/none"].map(async (file) => {
        const error: unknown = await place
          .run({ command: "true", inputs: [{ from: `host://${file}` }] })
          .catch((caught: unknown) => caught);
        return String(error).replaceAll(file, "FILE");
      });
      const [there, missing] = await Promise.all(messages);
      expect(there).toContain("hostInputRoots");
      expect(there).toBe(missing);
    },
  );

  hostileCase(
    "INPUT-16: a link in the allowed folder that leads out is refused",
    isolation,
    (place) => refused(place, { from: `host://${place.directory}/in/l` }, "REFUSED"),
    withOpenFolder,
  );

  hostileCase(
    "INPUT-17: the regular files of a directory are copied, links and pipes are reported; nothing blocks",
    isolation,
    async ({ run, directory }) => {
      const result = await run({
        command: "find work/inputs -type f | sort; test -x work/inputs/tree/sub/b.sh && echo executable",
        inputs: [{ from: `host://${directory}/in/tree` }],
      });
      expect(result.stdout.text).toBe("work/inputs/tree/a.txt\nwork/inputs/tree/sub/b.sh\nexecutable\n");
      expect(result.codes).toEqual(["input.skipped", "input.skipped", "input.skipped"]);
    },
    withOpenFolder,
  );

  for (const [what, name, code] of [
    ["a pipe", "fifo", "FILE_NOT_FOUND"],
    ["a file of 10 GiB", "huge", "LIMIT_EXCEEDED"],
  ] as const)
    hostileCase(
      `INPUT-17: ${what} is refused with ${code} before a byte is read`,
      isolation,
      (place) => refused(place, { from: `host://${place.directory}/in/${name}` }, code),
      withOpenFolder,
    );

  hostileCase(
    "INPUT-17: a device is refused",
    isolation,
    (place) => refused(place, { from: "host:///dev/zero" }, "FILE_NOT_FOUND"),
    () => ({ hostInputRoots: ["/dev"] }),
  );

  hostileCase("INPUT-18: the workspace is not copied into itself", isolation, async (place) => {
    await place.workspaces.write(place.id, "work/a/x.txt", "x");
    await refused(place, { from: "workspace://.", to: "work/copy" }, "PATH_INVALID");
    await refused(place, { from: "workspace://work", to: "work/copy" }, "PATH_INVALID");
    await refused(place, { from: "workspace://work/a", to: "work/a/b/c" }, "PATH_INVALID");
    expect((await place.workspaces.files(place.id)).map(({ path }) => path)).toEqual(["work/a/x.txt"]);
  });

  hostileCase("INPUT-19: a skill that is not in the catalogue is refused", isolation, (place) =>
    refused(place, { from: "skill://secret/key.txt" }, "SKILL_NOT_FOUND"),
  );

  hostileCase("INPUT-20: an artifact's name gives no access to another session", isolation, async (place) => {
    await place.artifacts.save({ ...SESSION, session: "other-session" }, "report", "theirs");
    await refused(place, { from: "artifact://../../other-session/report" }, "PATH_OUTSIDE");
    await refused(place, { from: "artifact://report" }, "ARTIFACT_NOT_FOUND");
  });

  for (const from of [
    "artifact://a@-1",
    "artifact://a@1e9",
    "artifact://a@latest;rm",
    "artifact://a@__proto__",
  ])
    hostileCase(`INPUT-21: ${from} names no version of a`, isolation, async (place) => {
      await place.artifacts.save(SESSION, "a", "content");
      await refused(place, { from }, "ARTIFACT_NOT_FOUND");
    });

  hostileCase(
    "INPUT-22: where one input fails nothing runs, and staged inputs are reported",
    isolation,
    async (place) => {
      await place.artifacts.save(SESSION, "ok", "fine");
      const inputs = [
        { from: "artifact://ok", to: "work/a" },
        { from: "artifact://missing", to: "work/b" },
      ];
      const error: unknown = await place
        .run({ command: "touch out/ran", inputs })
        .catch((caught: unknown) => caught);
      expect(error).toMatchObject({
        code: "ARTIFACT_NOT_FOUND",
        details: { input: "artifact://missing", staged: ["work/a"] },
      });
      expect((await place.workspaces.files(place.id)).map(({ path }) => path)).toEqual(["work/a"]);
    },
  );

  hostileCase(
    "an input is never written through a link that a command left at its target",
    isolation,
    async (place) => {
      await place.run({
        command: `ln -s '${place.outside}' work/out; ln -s '${place.outside}/secret.txt' work/s`,
      });
      const inputs = [{ from: "skill://demo/data/a.csv", to: "work/s" }];
      await place.run({ command: "true", inputs });
      expect(await textOf(await place.workspaces.download(place.id, "work/s"))).toBe("a,b\n1,2\n");
      const through = { command: "true", inputs: [{ from: "skill://demo/data/a.csv", to: "work/out/x" }] };
      await expect(place.run(through)).rejects.toThrow(/is a symlink/);
    },
  );

  hostileCase(
    "INPUT-12: there is no metadata.json that a command could corrupt, as a file or as a directory",
    isolation,
    async ({ run }) => {
      const at = (made: string) => `cd "$WORKSPACE_DIR"; ${made} || cd work && ${made}; true`;
      for (const made of ["echo '{broken' > metadata.json", "rm -f metadata.json; mkdir metadata.json"]) {
        await run({ command: at(made) });
        const again = await run({ skill: "demo", command: "sh scripts/hello.sh you" });
        expect(again.stdout.text).toBe("hello you\n");
      }
    },
  );
});
