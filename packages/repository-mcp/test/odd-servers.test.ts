import { expect, test } from "vitest";
import { oddServer, untilEnded } from "./odd-servers.js";

const KIB = 1024;

test.each(["garbage", "error-flood", "two-answers", "earlier"])(
  "a server of the kind %s is read all the same (MCP-22)",
  async (kind) => {
    const { repository } = await oddServer(kind);
    expect((await repository.list()).skills).toMatchObject([{ name: "one", path: "one" }]);
    expect((await repository.load("one")).body).toBe("Do it.");
  },
);

test.each(["garbage-for-ever", "line-for-ever", "notices-for-ever"])(
  "a server of the kind %s is ended at the limit of an answer (MCP-22)",
  async (kind) => {
    const { repository, ids } = await oddServer(kind, { limits: { answerBytes: 256 * KIB } });
    const listing = repository.list();
    await expect(listing).rejects.toMatchObject({
      code: "LIMIT_EXCEEDED",
      message: expect.stringMatching(/node sent more than 262144 bytes .* limits\.answerBytes/),
    });
    await untilEnded(await ids());
  },
);

test.each(["silent", "mute", "half-answer"])(
  "a server of the kind %s fails at the timeout, with the remedy (MCP-22)",
  async (kind) => {
    const { repository } = await oddServer(kind, { timeoutMs: 1000 });
    await expect(repository.list()).rejects.toMatchObject({
      code: "BACKEND_FAILED",
      message: expect.stringMatching(/did not answer within 1000 ms.*timeoutMs/),
    });
  },
);

test("a call that is aborted does not wait for a server that is silent (MCP-22)", async () => {
  const { repository, ids } = await oddServer("silent");
  const controller = new AbortController();
  const listing = repository.list({ signal: controller.signal });
  await ids();
  controller.abort();
  await expect(listing).rejects.toMatchObject({ code: "ABORTED" });
});

test.each([
  ["dying", /ended \(exit code 3\)\. Its last words: I am \\u\{1b\}\[31mout of memory\. Check the command/],
  ["dying-at-once", /ended \(exit code 4\)\. Its last words: no licence\. Check the command/],
])("a server of the kind %s fails with its outcome and last words (MCP-22)", async (kind, message) => {
  const { repository } = await oddServer(kind);
  // The next call starts it again.
  for (let time = 0; time < 2; time++)
    await expect(repository.list()).rejects.toMatchObject({
      code: "BACKEND_FAILED",
      message: expect.stringMatching(message),
    });
});

test("an error that a server reports is shown on one line, with nothing that moves a cursor (MCP-22)", async () => {
  const { repository } = await oddServer("refusing");
  await expect(repository.list()).rejects.toMatchObject({
    code: "BACKEND_FAILED",
    message: expect.stringContaining("reports: No \\u{1b}[2Jskills today."),
  });
});

test("a server without the extension is refused (MCP-22)", async () => {
  const { repository } = await oddServer("no-skills");
  await expect(repository.list()).rejects.toMatchObject({ code: "UNSUPPORTED" });
});

test("a server that fails later keeps the listing, and its files are requested again (MCP-22)", async () => {
  const { repository, ids } = await oddServer("honest");
  await repository.list();
  const [id = 0] = await ids();
  process.kill(id, "SIGKILL");
  await untilEnded([id]);
  expect((await repository.list()).skills).toHaveLength(1);
  expect((await repository.load("one")).body).toBe("Do it.");
  expect(await ids()).not.toContain(id);
});
