import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type CallToolResult,
  Client,
  type ElicitResult,
  InMemoryTransport,
} from "@modelcontextprotocol/client";
import { type SkillServer, type SkillServerOptions, skillServer } from "@skillwright/mcp";
import { memoryArtifacts, memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { type WorkspaceManager, workspaceManager } from "@skillwright/workspace";
import { onTestFinished } from "vitest";

/** The revisions of the protocol, which differ in how a connection begins and how a server asks. */
export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof REVISIONS)[number];

export const greeter = {
  "SKILL.md":
    "---\nname: greeter\ndescription: Greets everybody in a list.\n---\nRun `sh scripts/greet.sh`.\n",
  "docs/guide.md": "How to greet.",
  "scripts/greet.sh": 'printf "Hello, %s\\n" "$1" > out/greeting.txt; echo done\n',
};

export const stranger = {
  "SKILL.md": "---\nname: stranger\ndescription: Comes with the project.\n---\nRun `sh go.sh`.\n",
  "go.sh": "echo gone > out/gone.txt\n",
};

export interface ExampleServer {
  readonly server: SkillServer;
  /** The skills, with the writable source `own`. */
  readonly skills: ReturnType<typeof skillBox>;
  readonly workspaces: WorkspaceManager;
  /**
   * Connects a client of the official SDK. `answer` answers the server's questions, `roots` lists the open folders. A client
   * without one of them does not support its requests.
   */
  connect(revision?: Revision, answer?: Answer, roots?: Roots): Promise<Client>;
}

export type Answer = (message: string, choices: readonly string[]) => Promise<ElicitResult> | ElicitResult;

/** Returns addresses of folders. */
export type Roots = () => readonly string[];

/** Skills of a trusted and an untrusted source, and local workspaces that are removed when the test ends. */
export async function exampleServer(options: Partial<SkillServerOptions> = {}): Promise<ExampleServer> {
  const root = await mkdtemp(join(tmpdir(), "skillwright-mcp-"));
  const own = memoryRepository({ skills: { greeter } });
  const project = memoryRepository({ skills: { stranger } });
  const skills = skillBox({ own, project: { repository: project, trusted: false } });
  const runtime = localRuntime({ root, isolation: "auto" });
  const workspaces = workspaceManager({
    skills,
    runtime,
    artifacts: memoryArtifacts(),
    destroyOnClose: true,
  });
  const server = skillServer({ skills, workspaces, ...options });
  onTestFinished(async () => {
    await server.close();
    await workspaces.close();
    await runtime.close();
    await skills.close();
    await rm(root, { recursive: true, force: true });
  });
  return { server, skills, workspaces, connect };

  async function connect(revision: Revision = "2026-07-28", answer?: Answer, roots?: Roots): Promise<Client> {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const serving = server.connect(ours);
    const client = exampleClient(revision, answer, roots);
    onTestFinished(async () => {
      await client.close();
      await serving;
    });
    await client.connect(theirs);
    return client;
  }
}

export function exampleClient(revision: Revision, answer?: Answer, roots?: Roots): Client {
  const client = new Client(
    { name: "example-host", version: "1.0.0" },
    {
      capabilities: {
        ...(answer && { elicitation: { form: {} } }),
        ...(roots && { roots: { listChanged: true } }),
      },
      ...(revision === "2026-07-28" && { versionNegotiation: { mode: { pin: revision } } }),
    },
  );
  if (answer)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      const { message, requestedSchema } = params as unknown as {
        message: string;
        requestedSchema: { properties: { answer: { enum: string[] } } };
      };
      return await answer(message, requestedSchema.properties.answer.enum);
    });
  if (roots) client.setRequestHandler("roots/list", () => ({ roots: roots().map((uri) => ({ uri })) }));
  return client;
}

/** Makes a call whose command never ends by itself, and waits until the command has started. */
export async function endlessCall(
  client: Client,
  signal?: AbortSignal,
): Promise<{ readonly running: Promise<CallToolResult> }> {
  let tell: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const running = client.callTool(
    { name: "workspace_run", arguments: { command: "echo started; sleep 600" } },
    { ...(signal && { signal }), onprogress: ({ message }) => (message === "started" ? tell() : undefined) },
  );
  await started;
  return { running };
}

/** The first text of a result. */
export function textOf({ content }: CallToolResult): string {
  const [first] = content;
  if (first?.type !== "text") throw new Error(`No text: ${JSON.stringify(content)}`);
  return first.text;
}

/** The first text of a result, as JSON. */
export function jsonOf(result: CallToolResult): Record<string, unknown> {
  return JSON.parse(textOf(result));
}

/** Returns the refusal in the result. The test fails if there is none. */
export function refusalOf(result: CallToolResult): { code: string; message: string } {
  const { error } = jsonOf(result);
  if (!result.isError || !error) throw new Error(`No refusal: ${JSON.stringify(result)}`);
  return error as { code: string; message: string };
}
