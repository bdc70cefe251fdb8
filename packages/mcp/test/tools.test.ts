import { describe, expect, test } from "vitest";
import { exampleServer, jsonOf, REVISIONS, refusalOf, textOf } from "./example-host.js";

describe.each(REVISIONS)("a client of revision %s", (revision) => {
  test("finds, loads, reads and runs a skill, and gets its output as a link and inline (MCP-01)", async () => {
    const client = await (await exampleServer()).connect(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...["skill_list", "skill_load", "skill_read", "skill_run"],
      ...["workspace_read", "workspace_write", "workspace_list", "workspace_run"],
    ]);
    expect(tools.find(({ name }) => name === "skill_run")?.inputSchema.required).toEqual([
      "skill",
      "command",
    ]);
    expect(client.getInstructions()).toContain("Greets everybody in a list.");
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });

    expect(jsonOf(await call("skill_list", {}))["skills"]).toHaveLength(2);
    expect(textOf(await call("skill_load", { skill: "greeter" }))).toContain("Run `sh scripts/greet.sh`.");
    const guide = await call("skill_read", { skill: "greeter", path: "docs/guide.md" });
    expect(jsonOf(guide)).toMatchObject({ content: "How to greet." });

    const ran = await call("skill_run", { skill: "greeter", command: "sh scripts/greet.sh Ada" });
    expect(ran.isError).toBeUndefined();
    expect(jsonOf(ran)).toMatchObject({ exit_code: 0, stdout: "done\n" });
    const uri = "workspace://out/greeting.txt";
    expect(ran.content.slice(1)).toEqual([
      { type: "resource_link", uri, name: "out/greeting.txt", mimeType: "text/plain", size: 11 },
      { type: "resource", resource: { uri, mimeType: "text/plain", text: "Hello, Ada\n" } },
    ]);
  });

  test("reads outputs and inputs of its workspace as resources (MCP-02)", async () => {
    const client = await (await exampleServer()).connect(revision);
    const listed = async () => {
      const { resources } = await client.listResources(undefined, { cacheMode: "refresh" });
      return resources.map(({ uri }) => uri).filter((uri) => uri.startsWith("workspace:"));
    };
    expect(await listed()).toEqual([]);
    const command =
      "printf '\\211PNG\\r\\n\\032\\n' > 'out/a b.png'; echo x > work/inputs/c.csv; echo y > work/d.txt";
    const ran = await client.callTool({ name: "workspace_run", arguments: { command } });
    expect(ran.content.slice(1)).toMatchObject([
      { type: "resource_link", uri: "workspace://out/a%20b.png", mimeType: "image/png" },
      {
        type: "image",
        mimeType: "image/png",
        data: Buffer.from("\x89PNG\r\n\x1a\n", "latin1").toString("base64"),
      },
    ]);
    expect((await listed()).sort()).toEqual(["workspace://out/a%20b.png", "workspace://work/inputs/c.csv"]);
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
    expect(await read("workspace://work/inputs/c.csv")).toMatchObject({ mimeType: "text/csv", text: "x\n" });
    expect(await read("workspace://work/d.txt")).toMatchObject({ text: "y\n" });
    for (const from of ["workspace://out/a%20b.png", "workspace://out/a b.png"]) {
      const inputs = [{ from, to: "work/given.png" }];
      const used = { command: "ls work/given.png", inputs };
      const { content } = await client.callTool({ name: "workspace_run", arguments: used });
      expect(content[0]).toMatchObject({ text: expect.stringContaining('"exit_code":0') });
    }
    expect(await read("workspace://out/a%20b.png")).toMatchObject({
      blob: Buffer.from("\x89PNG\r\n\x1a\n", "latin1").toString("base64"),
    });
  });

  test("gets a refusal as the result of the tool, with code and remedy (MCP-03)", async () => {
    const client = await (await exampleServer()).connect(revision);
    const call = async (name: string, args: Record<string, unknown>) =>
      refusalOf(await client.callTool({ name, arguments: args }));
    expect(await call("skill_load", { skill: "gretter" })).toMatchObject({ code: "SKILL_NOT_FOUND" });
    expect(await call("skill_run", { skill: "greeter" })).toMatchObject({ code: "INPUT_INVALID" });
    expect((await call("skill_run", { skill: "greeter" })).message).toContain("command");
    expect(await call("workspace_read", { path: "out/none.txt" })).toMatchObject({ code: "FILE_NOT_FOUND" });
  });
});
