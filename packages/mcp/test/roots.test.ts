import { mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Answer, exampleServer, jsonOf, REVISIONS, type Revision, refusalOf } from "./example-host.js";

const accept: Answer = (_message, [first = ""]) => ({ action: "accept", content: { answer: first } });

describe.each(REVISIONS)("a host of revision %s that has open folders", (revision) => {
  test("lets runs copy files of its folders once the person has agreed, and is asked once (MCP-27)", async () => {
    const folder = await folderWithFile();
    const asked: string[] = [];
    const answer: Answer = (message, choices) => {
      asked.push(message);
      expect(choices).toEqual(["Allow until the session ends", "Refuse"]);
      return accept(message, choices);
    };
    const { call, listings } = await hostWith([pathToFileURL(folder).href], { revision, answer });
    expect(jsonOf(await call(`${folder}/orders.csv`))).toMatchObject({ stdout: "a,b\n" });
    expect(jsonOf(await call(`${folder}/orders.csv`))).toMatchObject({ stdout: "a,b\n" });
    expect([asked.length, listings()]).toEqual([1, 1]);
    expect(asked[0]).toContain(folder);
    expect(refusalOf(await call("/etc/hostname")).message).toContain(`Inputs are allowed from: ${folder}.`);
  });

  test.each([
    ["declines", { action: "decline" }],
    ["refuses", { action: "accept", content: { answer: "Refuse" } }],
    ["answers something else", { action: "accept", content: { answer: "yes" } }],
  ] as const)(
    "keeps its files where the person %s, and they are not asked again (MCP-27)",
    async (_how, result) => {
      const folder = await folderWithFile();
      let asked = 0;
      const answer: Answer = () => {
        asked += 1;
        return result;
      };
      const { call } = await hostWith([pathToFileURL(folder).href], { revision, answer });
      for (let time = 0; time < 2; time++)
        expect(refusalOf(await call(`${folder}/orders.csv`)).code).toBe("REFUSED");
      expect(asked).toBe(1);
    },
  );

  test("gives no file by roots that are not folders of this machine, and the person is not asked (MCP-27)", async () => {
    const folder = await folderWithFile();
    const roots = ["file://elsewhere/share", "file:///does-not-exist", `${pathToFileURL(folder)}/orders.csv`];
    const { call } = await hostWith(roots, { revision, answer: neverAsked });
    expect(refusalOf(await call(`${folder}/orders.csv`)).code).toBe("REFUSED");
  });

  test("gives no file behind a symlink that leads out of its folders (MCP-27)", async () => {
    const folder = await folderWithFile();
    await symlink("/etc/hostname", join(folder, "link"));
    const { call } = await hostWith([pathToFileURL(folder).href], { revision, answer: accept });
    expect(refusalOf(await call(`${folder}/link`)).code).toBe("REFUSED");
  });
});

test("a host of revision 2025-11-25 that tells a change of its folders is asked again (MCP-27)", async () => {
  const [one, other] = [await folderWithFile(), await folderWithFile()];
  const roots = [pathToFileURL(one).href];
  const { call, client } = await hostWith(roots, { revision: "2025-11-25", answer: accept });
  expect(jsonOf(await call(`${one}/orders.csv`))).toMatchObject({ exit_code: 0 });
  roots[0] = pathToFileURL(other).href;
  await client.sendRootsListChanged();
  expect(jsonOf(await call(`${other}/orders.csv`))).toMatchObject({ exit_code: 0 });
  expect(refusalOf(await call(`${one}/orders.csv`)).code).toBe("REFUSED");
});

test("a call that names no file of the host asks nothing, and so does a server without `roots` (MCP-27)", async () => {
  const folder = await folderWithFile();
  const root = pathToFileURL(folder).href;
  const { client, listings } = await hostWith([root], { answer: neverAsked });
  const echo = { name: "workspace_run", arguments: { command: "echo host://" } };
  expect(jsonOf(await client.callTool(echo))).toMatchObject({ exit_code: 0 });
  const without = await hostWith([root], { answer: neverAsked, roots: false });
  expect(refusalOf(await without.call(`${folder}/orders.csv`)).code).toBe("REFUSED");
  expect([listings(), without.listings()]).toEqual([0, 0]);
});

const neverAsked: Answer = () => {
  throw new Error("The person was asked.");
};

interface Host {
  readonly revision?: Revision;
  readonly answer: Answer;
  readonly roots?: boolean;
}

/** A client with open folders, and a call of a run that reads a file of this machine. */
async function hostWith(roots: readonly string[], { revision, answer, roots: isOn = true }: Host) {
  let listed = 0;
  const example = await exampleServer({ roots: isOn });
  const list = () => {
    listed += 1;
    return roots;
  };
  const client = await example.connect(revision, answer, list);
  const call = (path: string) =>
    client.callTool({
      name: "workspace_run",
      arguments: { command: "cat work/inputs/*", inputs: [{ from: `host://${path}` }] },
    });
  return { client, call, listings: () => listed };
}

async function folderWithFile(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "skillwright-roots-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "orders.csv"), "a,b\n");
  return folder;
}
