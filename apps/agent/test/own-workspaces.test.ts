import { expect, onTestFinished, test } from "vitest";
import { testTerminal } from "./test-terminal.js";

test("AGENT-16: two people with different home directories get different workspaces for a session of the same name", async () => {
  const argv = ["--chat", "--session", "plan", "--isolation", "none"];
  const filesOf = async (home: string, name: string) => {
    const terminal = await testTerminal({ [name]: "x" });
    const app = await terminal.open(argv, {}, { home });
    onTestFinished(() => app.close());
    await app.upload({ name, path: `${terminal.folder}/${name}` } as never);
    return (await app.agent.files()).map(({ path }) => path);
  };
  expect(await filesOf("one", "a.txt")).toEqual(["work/inputs/a.txt"]);
  expect(await filesOf("other", "b.txt")).toEqual(["work/inputs/b.txt"]);
});
