import { PassThrough } from "node:stream";
import { SkillError } from "@skillwright/core";
import { describe, expect, test, vi } from "vitest";
import { endlessCall, exampleServer, jsonOf, REVISIONS, refusalOf } from "./example-host.js";

describe.each(REVISIONS)("with a client of revision %s", (revision) => {
  test("the workspace ends with its client, also while a command runs (MCP-10)", async () => {
    const { connect, workspaces } = await exampleServer();
    const client = await connect(revision);
    const { running } = await endlessCall(client);
    expect(await workspaces.list()).toHaveLength(1);
    await client.close();
    await expect(running).rejects.toThrow();
    await expect.poll(() => workspaces.list()).toEqual([]);
  });

  test("a client reaches nothing outside of its own workspace (MCP-11)", async () => {
    const { connect, workspaces } = await exampleServer();
    const [mine, other] = [await connect(revision), await connect(revision)];
    const write = { path: "out/secret.txt", content: "s3cret-of-the-other" };
    expect((await other.callTool({ name: "workspace_write", arguments: write })).isError).toBeFalsy();
    await mine.callTool({ name: "workspace_write", arguments: { path: "out/mine.txt", content: "mine" } });
    const ids = (await workspaces.list()).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    const paths = [
      ...["/etc/passwd", "../../etc/passwd", "out/../../../etc/passwd", "out%2f..%2f..%2f..%2fetc%2fpasswd"],
      ...["%2e%2e/%2e%2e/etc/passwd", "..\\..\\etc\\passwd", "out/secret.txt", "out/%00", "%ff", ""],
      ...ids.flatMap((id) => [`${id}/out/secret.txt`, `../${id}/out/secret.txt`, `/${id}/out/secret.txt`]),
    ];
    for (const path of paths) {
      const read = await mine.readResource({ uri: `workspace://${path}` }).catch(String);
      expect(read, path).toMatch(/^ProtocolError|^ResourceNotFoundError/);
      expect(read).not.toContain("s3cret");
      expect(read).not.toContain("root:");
      const result = await mine.callTool({ name: "workspace_read", arguments: { path } });
      expect(refusalOf(result).code).toMatch(/^(PATH_|FILE_NOT|INPUT_)/);
      expect(JSON.stringify(result)).not.toContain("s3cret");
    }
    const link = "ln -s /etc/passwd out/link; ln -s /etc out/folder";
    await mine.callTool({ name: "workspace_run", arguments: { command: link } });
    for (const path of ["out/link", "out/folder/passwd"])
      expect(await mine.readResource({ uri: `workspace://${path}` }).catch(String)).toMatch(/Error/);
  });

  test("unknown tools, resources and skills are errors that name them (MCP-11)", async () => {
    const client = await (await exampleServer()).connect(revision);
    await expect(client.callTool({ name: "shell", arguments: {} })).rejects.toThrow("Tool shell not found");
    for (const uri of ["skill://none/SKILL.md", "skill://greeter/none", "file:///etc/passwd", "none"])
      await expect(client.readResource({ uri })).rejects.toThrow();
  });

  test("calls above the limit are refused, and the others are answered (MCP-12)", async () => {
    const client = await (await exampleServer({ maxCalls: 3 })).connect(revision);
    const run = { name: "workspace_run", arguments: { command: "echo x" } };
    const results = await Promise.all(Array.from({ length: 20 }, () => client.callTool(run)));
    const refused = results.filter(({ isError }) => isError).map((result) => refusalOf(result).code);
    expect(refused).toEqual(Array.from({ length: 17 }, () => "LIMIT_EXCEEDED"));
    expect(jsonOf(await client.callTool(run))).toMatchObject({ exit_code: 0 });
  });
});

test("an approval cannot be forged by what the client carries between two rounds (MCP-11)", async () => {
  const example = await exampleServer();
  const asked = await rawCall(example, {});
  const round = asked.result as { inputRequests: object; requestState: string };
  const [id = ""] = Object.keys(round.inputRequests);
  const answers = { [id]: { action: "accept", content: { answer: "Allow once" } } };
  // Once without its state, and once with the state of another session.
  expect(JSON.stringify(await rawCall(example, { inputResponses: answers }))).toContain("input_required");
  const foreign = await rawCall(example, { inputResponses: answers, requestState: round.requestState });
  expect(foreign.error).toMatchObject({ code: -32602, message: "Invalid or expired requestState" });
  expect(await example.workspaces.list()).toEqual([]);
});

test("incomplete messages and invalid lines are reported, and the next message is answered (MCP-12)", async () => {
  const told: string[] = [];
  const { server } = await exampleServer({ onDiagnostic: ({ message }) => told.push(message) });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const serving = server.serve({ input, output });
  input.write('not json\n{"jsonrpc":"2.0"}\n[]\n"text"\n');
  input.write(line("tools/call", { name: "skill_list", arguments: "none", _meta: META }));
  input.write(line("tools/list", { _meta: META }).slice(0, 10));
  input.write(line("tools/list", { _meta: META }).slice(10));
  const answers = await read(output, (text) => text.includes('"result"'));
  for (const one of answers.trim().split("\n")) expect(JSON.parse(one)).toMatchObject({ jsonrpc: "2.0" });
  expect(told.join("\n")).toContain("was not understood");
  input.write('{"jsonrpc":"2.0","id":3,"method":"tools/li');
  input.end();
  await serving;
});

test("an endless message closes only its own connection (MCP-12)", async () => {
  const example = await exampleServer();
  const client = await example.connect();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const serving = example.server.serve({ input, output });
  for (let part = 0; part < 11; part++) input.write("x".repeat(1024 * 1024));
  await serving;
  expect((await client.listTools()).tools).not.toEqual([]);
});

test("a client that disconnects at once causes no diagnostic, and its server is created completely before the session ends (MCP-12)", async () => {
  const told: string[] = [];
  const { server, skills } = await exampleServer({ onDiagnostic: ({ message }) => told.push(message) });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const looking = vi.spyOn(skills, "snapshot");
  const serving = server.serve({ input, output });
  input.end(line("tools/list", { _meta: META }));
  await serving;
  expect(looking).toHaveBeenCalled();
  for (const { value } of looking.mock.settledResults) expect(value).toMatchObject({ formatVersion: 1 });
  expect(looking.mock.settledResults).toHaveLength(looking.mock.calls.length);
  expect(told).toEqual([]);
});

test("a closed server accepts no clients", async () => {
  const { server } = await exampleServer();
  await server.close();
  const streams = { input: new PassThrough(), output: new PassThrough() };
  await expect(server.serve(streams)).rejects.toSatisfy((error) => SkillError.is(error, "CLOSED"));
});

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};

function line(method: string, params: object): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`;
}

async function read(output: PassThrough, enough: (text: string) => boolean): Promise<string> {
  let text = "";
  // The end of the loop must not close the connection.
  for await (const piece of output.iterator({ destroyOnReturn: false })) {
    text += piece;
    if (enough(text)) break;
  }
  return text;
}

/** Makes one call on a new connection, with these members in addition to the arguments. */
async function rawCall(
  { server }: Awaited<ReturnType<typeof exampleServer>>,
  more: object,
): Promise<{ result?: unknown; error?: unknown }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const serving = server.serve({ input, output });
  const call = { name: "skill_run", arguments: { skill: "stranger", command: "sh go.sh" } };
  input.write(line("tools/call", { ...call, ...more, _meta: META }));
  const text = await read(output, (so_far) => so_far.endsWith("\n") && so_far.includes('"id":1'));
  input.end();
  await serving;
  return JSON.parse(text.trim().split("\n").at(-1) ?? "");
}
