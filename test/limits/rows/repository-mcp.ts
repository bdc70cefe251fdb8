import { expect } from "vitest";
import { skillMarkdown } from "../../../packages/contracts/src/index.js";
import type { SkillRepository } from "../../../packages/core/src/index.js";
import { type McpRepositoryOptions, mcpRepository } from "../../../packages/repository-mcp/src/index.js";
import {
  type Answers,
  addressOf,
  CACHE,
  fileEntry,
  honestAnswers,
  hostileServer,
} from "../../../packages/repository-mcp/test/hostile-server.js";
import { oddServer } from "../../../packages/repository-mcp/test/odd-servers.js";
import { delaysOf } from "../boundary.js";
import { limitsOf, MIB, MINUTE, SECOND } from "../limit.js";

const SETTINGS = "src/mcp-settings.ts";
const PROCESS = "src/server/server-process.ts";
const MCP_LIMITS =
  "`answerBytes` 32 MiB, `listBytes` 16 MiB, `pages` 100, `entries` 2,000, `files` 512, `bytes` 16 MiB";

export const mcpRepositoryLimits = limitsOf("repository-mcp", [
  {
    option: "`limits.answerBytes`",
    kind: "default",
    value: 32 * MIB,
    unit: "bytes",
    documented: ["README.md", MCP_LIMITS],
    source: [SETTINGS, "answerBytes: 32 * MEBIBYTE"],
    probe: async (value) => {
      expect([await listedWith(value), await listedWith(value + 1)]).toEqual(["listed", "LIMIT_EXCEEDED"]);
    },
  },
  {
    option: "`limits.listBytes`",
    kind: "default",
    value: 16 * MIB,
    unit: "bytes",
    documented: ["README.md", MCP_LIMITS],
    source: [SETTINGS, "listBytes: 16 * MEBIBYTE"],
    probe: async (value) => {
      const entry = (size: number) => ({ x: "x".repeat(size - '{"x":""}'.length) });
      const half = value / 2;
      const page = (size: number) => (cursor?: string) =>
        cursor === undefined
          ? { ...CACHE, skills: [entry(half)], nextCursor: "2" }
          : { ...CACHE, skills: [entry(size)] };
      expect(await outcome({ page: page(half) })).toBe("listed");
      expect(await outcome({ page: page(half + 1) })).toBe("LIMIT_EXCEEDED");
    },
  },
  {
    option: "`limits.pages`",
    kind: "default",
    value: 100,
    unit: "pages",
    documented: ["README.md", MCP_LIMITS],
    source: [SETTINGS, "pages: 100"],
    probe: async (value) => {
      const pages = (count: number) => (cursor?: string) => {
        const page = Number(cursor ?? 1);
        return { ...CACHE, skills: [], ...(page < count && { nextCursor: String(page + 1) }) };
      };
      expect(await outcome({ page: pages(value) })).toBe("listed");
      expect(await outcome({ page: pages(value + 1) })).toBe("LIMIT_EXCEEDED");
    },
  },
  {
    option: "`limits.entries`",
    kind: "default",
    value: 2000,
    unit: "skills",
    documented: ["README.md", MCP_LIMITS],
    source: [SETTINGS, "entries: 2000"],
    probe: async (value) => {
      const entries = (count: number) => () => ({ ...CACHE, skills: Array.from({ length: count }, () => 0) });
      const seen = async (count: number) =>
        await served({ page: entries(count) }, async (repository) => {
          const { broken, diagnostics } = await repository.list();
          return [broken.length, diagnostics.map(({ code }) => code)];
        });
      expect(await seen(value)).toEqual([value, []]);
      expect(await seen(value + 1)).toEqual([value, ["mcp.entries-cut"]]);
    },
  },
  {
    option: "`limits.files`",
    kind: "default",
    value: 512,
    unit: "files",
    documented: ["README.md", MCP_LIMITS],
    source: ["/packages/core/src/skill/manifest.ts", "files: 512"],
    probe: async (value) => {
      const files = (count: number) =>
        Array.from({ length: count - 1 }, (_, at) => ({ path: `${at}.txt`, size: 1 }));
      expect([await broken(files(value)), await broken(files(value + 1))]).toEqual([
        [],
        ["skill.too-many-files"],
      ]);
    },
  },
  {
    option: "`limits.bytes`",
    kind: "default",
    value: 16 * MIB,
    unit: "bytes",
    documented: ["README.md", MCP_LIMITS],
    source: ["/packages/core/src/skill/manifest.ts", "bytes: 16 * 1024 * 1024"],
    probe: async (value) => {
      const file = (bytes: number) => [{ path: "a.bin", size: bytes - Buffer.byteLength(TEXT) }];
      expect([await broken(file(value)), await broken(file(value + 1))]).toEqual([[], ["skill.too-large"]]);
    },
  },
  {
    option: "`timeoutMs`",
    kind: "default",
    value: 2 * MINUTE,
    unit: "ms",
    documented: ["README.md", "| `timeoutMs` | 120,000 |"],
    source: [SETTINGS, "timeoutMs = 120_000"],
    probe: async (value) =>
      expect(await delaysOf(async () => await served({}, (repository) => repository.list()))).toContain(
        value,
      ),
  },
  {
    option: "last words of a program",
    kind: "limit",
    value: 500,
    unit: "bytes",
    documented: ["README.md", "its last words on standard error, at most 500 bytes"],
    source: [PROCESS, "WORDS_BYTES = 500"],
    probe: async (value) => {
      const script = `process.stderr.write("x".repeat(${2 * value}))`;
      await using repository = mcpRepository({ server: { command: [process.execPath, "-e", script] } });
      const error = await repository.list().catch(String);
      expect(/x{9,}/.exec(String(error))?.[0].length).toBe(value);
    },
  },
  {
    option: "wait after the end of a program's input",
    kind: "limit",
    value: SECOND,
    unit: "ms",
    documented: ["README.md", "after a second it gets SIGTERM"],
    source: [PROCESS, "GRACE_MS = 1000"],
    probe: async (value) => {
      const { repository, ids } = await oddServer("honest");
      await repository.list();
      await ids();
      expect(await delaysOf(() => repository.close())).toContain(value);
    },
  },
]);

const TEXT = skillMarkdown("one");
const HONEST = honestAnswers({ one: { "SKILL.md": TEXT } });

/** Lists from a server that pads its list with spaces, to so many bytes. */
async function listedWith(bytes: number): Promise<unknown> {
  const padded: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const text = await response.text();
    const size = String(init?.body).includes("skills/list") ? bytes : text.length;
    return new Response(text.padEnd(size), response);
  };
  return await outcome({}, padded);
}

async function outcome(answers: Partial<Answers>, own?: typeof fetch): Promise<unknown> {
  return await served(
    answers,
    async (repository) =>
      await repository.list().then(
        () => "listed",
        (error: { code?: unknown }) => error.code,
      ),
    own,
  );
}

/** The codes of a skill with these files beside its SKILL.md, if it is broken. */
async function broken(files: readonly { path: string; size: number }[]): Promise<unknown> {
  const uri = addressOf("one", "SKILL.md");
  const digest = `sha256:${"0".repeat(64)}`;
  const others = files.map(({ path, size }) => ({ uri: addressOf("one", path), digest, size }));
  const entry = {
    uri,
    frontmatter: { name: "one", description: "x" },
    resources: [fileEntry(uri, Buffer.from(TEXT)), ...others],
  };
  return await served({ page: () => ({ ...CACHE, skills: [entry] }) }, async (repository) =>
    (await repository.list()).broken.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code)),
  );
}

async function served<T>(
  answers: Partial<Answers>,
  use: (repository: SkillRepository) => Promise<T>,
  own?: typeof fetch,
): Promise<T> {
  const server = await hostileServer({ ...HONEST, ...answers });
  const options: McpRepositoryOptions = { server: { url: server.url, fetch: own } };
  const repository = mcpRepository(options);
  try {
    return await use(repository);
  } finally {
    await repository.close();
    await server.close();
  }
}
