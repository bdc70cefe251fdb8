import { createHash } from "node:crypto";
import { createMcpHandler, McpServer, type StandardSchemaV1 } from "@modelcontextprotocol/server";
import type { SkillSeed } from "@skillwright/contracts";
import { parseSkill } from "@skillwright/core";
import { served } from "./served.js";

/** What a server of the test answers, whatever the protocol and the extension say about it. */
export interface Answers {
  page(cursor: string | undefined): unknown;
  read(uri: string): unknown;
}

/** A server on the low level of the official SDK, over HTTP. `answers` may change while it runs. */
export async function hostileServer(answers: Answers) {
  const state = { answers, requests: [] as string[], authorization: null as string | null };
  const handler = createMcpHandler(() => {
    const mcp = new McpServer({ name: "test", version: "1" });
    mcp.server.registerCapabilities({
      resources: {},
      extensions: { "io.modelcontextprotocol/skills": {} },
    });
    mcp.server.setRequestHandler("skills/list", { params: anything }, async (params) => {
      const { cursor } = Object(params) as { cursor?: string };
      state.requests.push(`list ${cursor ?? ""}`.trim());
      return (await state.answers.page(cursor)) as never;
    });
    mcp.server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
      state.requests.push(`read ${uri}`);
      return (await state.answers.read(uri)) as never;
    });
    return mcp;
  });
  const web = await served(async (request) => {
    state.authorization = request.headers.get("authorization");
    return await handler.fetch(request);
  });
  return {
    url: `${web.origin}/mcp`,
    state,
    async close() {
      await handler.close();
      await web.close();
    },
  };
}

/** Honest answers for these skills, which the server offers at their paths, usable or not. */
export function honestAnswers(seed: SkillSeed): Answers {
  const files = new Map<string, Buffer>();
  const skills = Object.entries(seed).map(([path, all]) => {
    const inside = Object.entries(seed).flatMap(([other, inner]) =>
      other === path || other.startsWith(`${path}/`)
        ? Object.entries(inner).map(
            ([file, content]) => [`${other}/${file}`.slice(path.length + 1), content] as const,
          )
        : [],
    );
    const resources = inside.map(([file, content]) => {
      const bytes = Buffer.from(
        typeof content === "string" || content instanceof Uint8Array ? content : content.content,
      );
      const uri = addressOf(path, file);
      files.set(uri, bytes);
      return fileEntry(uri, bytes);
    });
    const { skill } = parseSkill(String(all["SKILL.md"]), { directoryName: "" });
    return { uri: addressOf(path, "SKILL.md"), frontmatter: skill?.frontmatter ?? {}, resources };
  });
  return {
    page: () => ({ ...CACHE, skills }),
    read: (uri) => content(uri, files.get(uri) ?? Buffer.alloc(0)),
  };
}

export const CACHE = { ttlMs: 0, cacheScope: "private" } as const;

export function content(uri: string, bytes: Uint8Array) {
  return { ...CACHE, contents: [{ uri, blob: Buffer.from(bytes).toString("base64") }] };
}

export function fileEntry(uri: string, bytes: Uint8Array) {
  return {
    uri,
    digest: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
    size: bytes.byteLength,
  };
}

export function addressOf(path: string, file: string): string {
  return `skill://${[...path.split("/"), ...file.split("/")].map(encodeURIComponent).join("/")}`;
}

const anything: StandardSchemaV1 = {
  "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) },
};
