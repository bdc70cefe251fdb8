import { expect, vi } from "vitest";
import { exampleServer, refusalOf } from "../../../packages/mcp/test/example-host.js";
import { serverOfUsers } from "../../../packages/mcp/test/server-of-users.js";
import { limitsOf, MIB } from "../limit.js";

export const mcpLimits = limitsOf("mcp", [
  {
    option: "`maxCalls` of `skillServer`",
    kind: "default",
    value: 64,
    unit: "calls",
    documented: ["README.md", "| `maxCalls` | 64 |"],
    source: ["src/session/host-session.ts", "DEFAULT_CALLS = 64"],
    probe: async (value) => {
      const client = await (await exampleServer()).connect();
      const call = { name: "workspace_write", arguments: { path: "out/a.txt", content: "x" } };
      const made = await Promise.all(Array.from({ length: value + 1 }, () => client.callTool(call)));
      const refused = made.filter(({ isError }) => isError).map((result) => refusalOf(result).code);
      expect(refused).toEqual(["LIMIT_EXCEEDED"]);
    },
  },
  {
    option: "a resource",
    kind: "limit",
    value: 6 * MIB,
    unit: "bytes",
    documented: ["README.md", "at most 6,291,456 bytes (6 MiB) each"],
    source: ["src/resources/file-content.ts", "MAX_RESOURCE_BYTES = 6 * 1024 * 1024"],
    probe: async (value) => {
      const client = await (await exampleServer()).connect();
      const command = `head -c ${value} /dev/zero > out/full.bin; head -c ${value + 1} /dev/zero > out/over.bin`;
      await client.callTool({ name: "workspace_run", arguments: { command } });
      const [full] = (await client.readResource({ uri: "workspace://out/full.bin" })).contents;
      expect(full && "blob" in full && Buffer.from(full.blob, "base64").byteLength).toBe(value);
      await expect(client.readResource({ uri: "workspace://out/over.bin" })).rejects.toThrow(String(value));
    },
  },
  {
    option: "`approvalTimeoutMs` of `skillServer`",
    kind: "default",
    value: 600_000,
    unit: "milliseconds",
    documented: ["README.md", "| `approvalTimeoutMs` | 600000 |"],
    source: ["src/session/host-server.ts", "approvalTimeoutMs = 600_000"],
    probe: async (value) => {
      let tell: () => void = () => undefined;
      const asked = new Promise<void>((resolve) => {
        tell = resolve;
      });
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      try {
        const client = await (await exampleServer()).connect("2025-11-25", () => {
          tell();
          return new Promise(() => undefined);
        });
        const call = { name: "skill_run", arguments: { skill: "stranger", command: "sh go.sh" } };
        const ended = vi.fn();
        const waiting = client.callTool(call, { timeout: 2 * value }).then(ended);
        await asked;
        await vi.advanceTimersByTimeAsync(value - 1);
        expect(ended).not.toHaveBeenCalled();
        await vi.advanceTimersByTimeAsync(1);
        await waiting;
        expect(ended).toHaveBeenCalledWith(expect.objectContaining({ isError: true }));
      } finally {
        vi.useRealTimers();
      }
    },
  },
  {
    option: "`idleMs` of `userEndpoint`",
    kind: "default",
    value: 1_800_000,
    unit: "milliseconds",
    documented: ["README.md", "| `idleMs` | 1800000 |"],
    source: ["src/http/kept-endpoints.ts", "IDLE_MS = 30 * 60 * 1000"],
    probe: async (value) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      try {
        const { connect, workspaces, server } = await serverOfUsers();
        const client = await connect("ada");
        await client.callTool({ name: "workspace_write", arguments: { path: "out/a.txt", content: "x" } });
        await vi.advanceTimersByTimeAsync(value - 1);
        expect(await workspaces.list()).toHaveLength(1);
        await vi.advanceTimersByTimeAsync(1);
        await expect.poll(() => workspaces.list()).toEqual([]);
        await server.close();
      } finally {
        vi.useRealTimers();
      }
    },
  },
  {
    option: "`maxUsers` of `userEndpoint`",
    kind: "default",
    value: 256,
    unit: "users",
    documented: ["README.md", "| `maxUsers` | 256 |"],
    source: ["src/http/kept-endpoints.ts", "MAX_USERS = 256"],
    probe: async (value) => {
      const { open } = await serverOfUsers();
      const answers = [];
      for (let user = 0; user <= value; user++) answers.push(await open(`user${user}`));
      expect(answers.map(({ status }) => status)).toEqual([...Array(value).fill(200), 503]);
      await Promise.all(answers.map((answer) => answer.text()));
    },
  },
]);
