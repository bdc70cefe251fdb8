import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { type CliFixture, cliFixture, skill } from "./cli-fixture.js";
import { startedServer } from "./served-process.js";

const built = fileURLToPath(new URL("../dist/main.js", import.meta.url));
/** The revisions of the protocol, which differ in how a connection begins. */
const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
const GREET = { skill: "greet", command: "sh greet.sh work/inputs/name.txt" };
const files = {
  "home/.skillwright/skills/greet/SKILL.md": skill("greet", "Greets whoever a file names."),
  "home/.skillwright/skills/greet/greet.sh": 'echo "Hello, $(cat "$1")" > out/a.txt; echo done',
  "project/.skillwright/skills/local/SKILL.md": skill("local", "Comes with the project."),
  "home/texts/name.txt": "Ada",
  "home/other/name.txt": "Grace",
};

test("in a terminal, `mcp` explains its purpose and how a host starts it (MCP-13)", async () => {
  const { cli } = await cliFixture(files);
  const { code, out, err } = await cli(["mcp"]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("claude mcp add skillwright -- npx -y @skillwright/cli mcp");
});

test("an invalid option is reported on standard error, and nothing is written to standard output", async () => {
  const { cli } = await cliFixture(files);
  const { code, out, err } = await cli(["mcp", "--files", "none"], { stdin: (async function* () {})() });
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain('--files "none" is no folder. Give an existing one.');
});

if (hasAll("packages/cli/dist", "bubblewrap")) {
  test.each(REVISIONS)(
    "a host of revision %s runs a skill of the user with a file of an allowed folder, and finds the saved output (MCP-14)",
    async (revision) => {
      const fixture = await cliFixture(files);
      const { client, shown } = await startedHost(fixture, ["--files", "../home/texts"], revision);
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      expect(client.getServerVersion()).toMatchObject({ name: "skillwright" });
      expect(client.getInstructions()).toContain(join(fixture.home, "texts"));
      const run = async (from: string) => {
        const inputs = [{ from: `host://${join(fixture.home, from)}` }];
        return await client.callTool({
          name: "skill_run",
          arguments: { ...GREET, inputs, outputs: { save: true } },
        });
      };
      const { content, isError } = await run("texts/name.txt");
      expect(isError).toBeUndefined();
      const links = content.flatMap((part) => (part.type === "resource_link" ? part.uri : []));
      expect(links).toEqual(["workspace://out/a.txt", expect.stringMatching(/^file:\/\/.*\/a\.txt$/)]);
      expect(await readFile(new URL(links[1] ?? ""), "utf8")).toBe("Hello, Ada\n");
      expect(links[1]).toContain(`${pathToFileURL(fixture.home)}/.skillwright/artifacts/`);
      const refused = await run("other/name.txt");
      expect(refused.isError).toBe(true);
      expect(JSON.stringify(refused.content)).toContain("REFUSED");
      await client.close();
      expect(shown()).toBe("");
      expect(await workspaces(fixture)).toEqual([]);
    },
  );

  test("where no folder is named, the person is asked about the folders that are open in the host (MCP-27)", async () => {
    const fixture = await cliFixture(files);
    const asked: string[] = [];
    const { client } = await startedHost(fixture, [], REVISIONS[1], (host) => {
      const uri = pathToFileURL(join(fixture.home, "texts")).href;
      host.setRequestHandler("roots/list", () => ({ roots: [{ uri }] }));
      host.setRequestHandler("elicitation/create", ({ params }) => {
        asked.push(params.message);
        return { action: "accept", content: { answer: "Allow until the session ends" } };
      });
    });
    const inputs = [{ from: `host://${join(fixture.home, "texts/name.txt")}` }];
    const ran = await client.callTool({ name: "skill_run", arguments: { ...GREET, inputs } });
    expect(JSON.stringify(ran.content)).toContain("Hello, Ada");
    expect(asked).toEqual([expect.stringContaining(join(fixture.home, "texts"))]);
  });

  test("a skill of the project is refused with a remedy if the host cannot ask a person (MCP-14)", async () => {
    const fixture = await cliFixture(files);
    const { client } = await startedHost(fixture);
    const call = { name: "skill_run", arguments: { skill: "local", command: "echo x" } };
    const { content, isError } = await client.callTool(call);
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain(
      "named with --skills where the host starts `skillwright mcp` is trusted",
    );
    await client.close();
    const named = await startedHost(fixture, ["--skills", ".skillwright/skills"]);
    expect((await named.client.callTool(call)).isError).toBeUndefined();
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s ends the server, its commands and its workspace",
    async (signal) => {
      const fixture = await cliFixture(files);
      const { client, transport } = await startedHost(fixture);
      let tell: () => void = () => undefined;
      const started = new Promise<void>((resolve) => {
        tell = resolve;
      });
      const call = { name: "workspace_run", arguments: { command: "echo started; sleep 600" } };
      const running = client
        .callTool(call, { onprogress: ({ message }) => (message === "started" ? tell() : undefined) })
        .catch(String);
      await started;
      const closed = new Promise<void>((resolve) => {
        client.onclose = resolve;
      });
      process.kill(transport.pid ?? 0, signal);
      await closed;
      expect(await running).toContain("Connection closed");
      expect(await workspaces(fixture)).toEqual([]);
    },
  );

  if (hasAll("packages/server/dist"))
    test.each(REVISIONS)(
      "over HTTP, only clients with the token are served, by revision %s, and SIGTERM ends the server and its workspace (MCP-16)",
      async (revision) => {
        const fixture = await cliFixture(files);
        const { address, token, kill, ended } = await startedServer([built, "mcp", "--http", "--port", "0"], {
          cwd: fixture.project,
          env: { ...environment(fixture), SKILLWRIGHT_MCP_TOKEN: "a-token-of-this-test" },
        });
        expect([new URL(address).pathname, token]).toEqual(["/mcp", "a-token-of-this-test"]);
        const connected = async (authorization: string) => {
          const client = officialClient(revision);
          const requestInit = { headers: { authorization } };
          await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
          return client;
        };
        await expect(connected("Bearer another")).rejects.toThrow();
        const client = await connected(`bearer ${token}`);
        expect(client.getNegotiatedProtocolVersion()).toBe(revision);
        const run = { name: "skill_run", arguments: { skill: "greet", command: "echo run" } };
        expect(JSON.stringify(await client.callTool(run))).toContain('\\"exit_code\\":0');
        const page = await fetch(address, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, origin: "https://evil.example" },
        });
        expect(page.status).toBe(403);
        expect((await fetch(new URL("/", address))).status).toBe(404);
        await client.close();
        kill("SIGTERM");
        expect(await ended).toBe(0);
        expect(await workspaces(fixture)).toEqual([]);
      },
    );

  test("a host that is killed while a command runs leaves no workspace", async () => {
    const fixture = await cliFixture(files);
    const child = spawn(process.execPath, [built, "mcp"], {
      cwd: fixture.project,
      env: environment(fixture),
      stdio: ["pipe", "pipe", "inherit"],
    });
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "raw", version: "1" },
    };
    send({ id: 1, method: "initialize", params });
    send({ method: "notifications/initialized" });
    const call = { name: "workspace_run", arguments: { command: "while echo x; do :; done" } };
    send({ id: 2, method: "tools/call", params: { ...call, _meta: { progressToken: 1 } } });
    let text = "";
    for await (const piece of child.stdout) {
      text += piece;
      if (text.includes('"message":"x"')) break;
    }
    // The end of the loop has closed our end of the output; the input stays open.
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
    expect(await workspaces(fixture)).toEqual([]);
  });
}

/** Starts `skillwright mcp` with the official client. `shown` returns what the command wrote to standard error. */
async function startedHost(
  fixture: CliFixture,
  argv: readonly string[] = [],
  revision?: string,
  answers?: (client: Client) => void,
) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [built, "mcp", ...argv],
    cwd: fixture.project,
    env: environment(fixture),
    stderr: "pipe",
  });
  let text = "";
  transport.stderr?.on("data", (piece) => {
    text += piece;
  });
  const client = officialClient(revision, answers && { roots: {}, elicitation: { form: {} } });
  answers?.(client);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport, shown: () => text };
}

/** The official client, which speaks the earlier revision where it is told no other. */
function officialClient(revision: string = REVISIONS[0], capabilities: ClientCapabilities = {}): Client {
  const pinned = { versionNegotiation: { mode: { pin: revision } } };
  return new Client(
    { name: "host", version: "1.0.0" },
    { capabilities, ...(revision === REVISIONS[0] ? {} : pinned) },
  );
}

function environment({ home }: CliFixture): Record<string, string> {
  const { TMPDIR } = process.env;
  return { ...getDefaultEnvironment(), HOME: home, ...(TMPDIR !== undefined && { TMPDIR }) };
}

/** The workspaces that the command has left behind. */
async function workspaces({ cli, home }: CliFixture): Promise<unknown> {
  const { out } = await cli(["workspaces", "list", "--data", join(home, ".skillwright"), "--json"]);
  return JSON.parse(out).workspaces;
}
