import { expect } from "vitest";
import { openArchive } from "../../../packages/archive/src/index.js";
import { skillMarkdown } from "../../../packages/contracts/src/index.js";
import {
  type ArchiveOpener,
  type HttpRepositoryOptions,
  httpRepository,
} from "../../../packages/repository-http/src/index.js";
import { type Page, webServer } from "../../../packages/repository-http/test/web-server.js";
import { delaysOf, takesAtMost } from "../boundary.js";
import { limitsOf, MIB, MINUTE } from "../limit.js";

const HTTP = "src/http-settings.ts";
const _BUCKET = "src/bucket/bucket.ts";
const HTTP_LIMITS =
  "`archiveBytes` 32 MiB (at most 256), `files` 512, `bytes` 16 MiB, `skillFileBytes` 1 MiB, `treeFiles` 4,096, `treeBytes` 64 MiB, `indexBytes` 4 MiB, `entries` 2,000, `keptBytes` 64 MiB";

export const httpLimits = limitsOf("repository-http", [
  {
    option: "`limits.archiveBytes`",
    kind: "default",
    value: 32 * MIB,
    unit: "bytes",
    documented: ["README.md", HTTP_LIMITS],
    source: [HTTP, "archiveBytes: 32 * MEBIBYTE"],
    probe: async (value) =>
      expect([await announced("/a.zip", value), await announced("/a.zip", value + 1)]).toEqual([
        undefined,
        value,
      ]),
  },
  {
    option: "`limits.archiveBytes`, most",
    kind: "limit",
    value: 256 * MIB,
    unit: "bytes",
    documented: ["README.md", HTTP_LIMITS],
    source: [HTTP, "MAX_DOWNLOAD_BYTES = 256 * MEBIBYTE"],
    probe: async (value) =>
      await takesAtMost(
        value,
        (archiveBytes) => httpRepository({ url: "https://example.com/", limits: { archiveBytes } }),
        "CONFIG_INVALID",
      ),
  },
  {
    option: "`limits.treeFiles`",
    kind: "default",
    value: 4096,
    unit: "files",
    documented: ["README.md", HTTP_LIMITS],
    source: [HTTP, "treeFiles: 4096"],
    probe: async (value) => {
      const paths = (count: number) => Array.from({ length: count }, (_, n) => `one/${n}`);
      expect(await listedTree(paths(value), 0)).toBe("listed");
      expect(await listedTree(paths(value + 1), 0)).toBe("LIMIT_EXCEEDED");
    },
  },
  {
    option: "`limits.treeBytes`",
    kind: "default",
    value: 64 * MIB,
    unit: "bytes",
    documented: ["README.md", HTTP_LIMITS],
    source: [HTTP, "treeBytes: 64 * MEBIBYTE"],
    probe: async (value) => {
      expect(await listedTree(["one/x"], value)).toBe("listed");
      expect(await listedTree(["one/x"], value + 1)).toBe("LIMIT_EXCEEDED");
    },
  },
  {
    option: "depth of a skill in a tree",
    kind: "limit",
    value: 6,
    unit: "directories",
    documented: ["README.md", "up to six directories deep"],
    source: ["src/skills/tree-skills.ts", "MAX_DEPTH = 6"],
    probe: async (value) => {
      const found = async (depth: number) => {
        const opener = treeOf([`${"d/".repeat(depth)}SKILL.md`], skillMarkdown("one"));
        const pages = { "/x.zip": { body: "PK\x03\x04" } };
        return await served(pages, async (it) => (await it.list()).skills.length, "/x.zip", {
          openArchive: opener,
        });
      };
      expect([await found(value), await found(value + 1)]).toEqual([1, 0]);
    },
  },
  {
    option: "`limits.indexBytes`",
    kind: "default",
    value: 4 * MIB,
    unit: "bytes",
    documented: ["README.md", HTTP_LIMITS],
    source: [HTTP, "indexBytes: 4 * MEBIBYTE"],
    probe: async (value) =>
      expect([await announced("/", value), await announced("/", value + 1)]).toEqual([undefined, value]),
  },
  {
    option: "`limits.entries`",
    kind: "default",
    value: 2000,
    unit: "skills",
    documented: ["README.md", HTTP_LIMITS],
    source: [HTTP, "entries: 2000"],
    probe: async (value) => {
      const codes = async (count: number) => {
        // Entries without files are broken skills, which cost no download.
        const skills = Array.from({ length: count }, (_, n) => ({
          name: `s${n}`,
          description: "x",
          files: [],
        }));
        const body = JSON.stringify({ skills });
        return await served(
          { "/.well-known/skills/index.json": { body, headers: { "content-type": "application/json" } } },
          async (repository) => {
            const { broken, diagnostics } = await repository.list();
            return [broken.length, diagnostics.length];
          },
        );
      };
      expect([await codes(value), await codes(value + 1)]).toEqual([
        [value, 0],
        [value, 1],
      ]);
    },
  },
  {
    option: "`timeoutMs`",
    kind: "default",
    value: 2 * MINUTE,
    unit: "ms",
    documented: ["README.md", "| `timeoutMs` | 120,000 |"],
    source: [HTTP, "options.timeoutMs ?? 120_000"],
    probe: async (value) =>
      expect(
        await delaysOf(() =>
          served({}, async (repository) => await repository.list().catch(() => undefined)),
        ),
      ).toContain(value),
  },
  {
    option: "redirects",
    kind: "limit",
    value: 5,
    unit: "redirects",
    documented: ["README.md", "**Redirects**: five"],
    source: ["src/transfer/downloads.ts", "MAX_REDIRECTS = 5"],
    probe: async (value) => {
      const followed = async (count: number) => {
        const pages: Record<string, Page> = {
          [`/${count}`]: { body: skillMarkdown("one"), headers: { "content-type": "text/markdown" } },
        };
        for (let n = 0; n < count; n++) pages[`/${n}`] = { status: 302, headers: { location: `/${n + 1}` } };
        return await served(pages, async (repository) => (await repository.list()).skills.length, "/0");
      };
      expect(await followed(value)).toBe(1);
      await expect(followed(value + 1)).rejects.toMatchObject({
        message: expect.stringContaining(`more than ${value} times`),
      });
    },
  },
]);

/** Lists a tree of files, each with so many bytes, that an opener without own limits gives. */
async function listedTree(paths: readonly string[], bytes: number): Promise<unknown> {
  const openArchive = treeOf(paths, new Uint8Array(bytes));
  const pages = { "/x.zip": { body: "PK\x03\x04" } };
  const list = async (repository: Repository): Promise<unknown> =>
    await repository.list().then(
      () => "listed",
      (error: { code?: unknown }) => error.code,
    );
  return await served(pages, list, "/x.zip", { openArchive });
}

function treeOf(paths: readonly string[], content: string | Uint8Array): ArchiveOpener {
  async function* contents() {
    for (const path of paths) yield { path, content };
  }
  return async () => ({ layout: "tree", diagnostics: [], contents });
}

type Repository = ReturnType<typeof httpRepository>;

async function served<T>(
  pages: Record<string, Page>,
  work: (repository: Repository) => Promise<T>,
  path = "/",
  more: Partial<HttpRepositoryOptions> = {},
): Promise<T> {
  const server = await webServer(pages);
  const repository = httpRepository({
    url: `${server.origin}${path}`,
    allowHttp: true,
    allowPrivate: true,
    openArchive,
    ...more,
  });
  try {
    return await work(repository);
  } finally {
    await repository.close();
    await server.close();
  }
}

/** The limit that refuses a response with so many announced bytes; `undefined` if its body is read. */
async function announced(path: string, bytes: number): Promise<unknown> {
  const page: Page = (_request, response) => {
    response.writeHead(200, { "content-type": "application/octet-stream", "content-length": String(bytes) });
    response.flushHeaders();
    response.destroy();
  };
  const index = "/.well-known/agent-skills/index.json";
  const failure = await served(
    { [path]: page, [index]: page },
    (repository) => repository.list().then(undefined, (error: unknown) => error),
    path,
  );
  return (failure as { details?: { limit?: number } }).details?.limit;
}
