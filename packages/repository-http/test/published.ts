import { createHash } from "node:crypto";
import { writeArchive } from "@skillwright/archive";
import type { SkillSeed } from "@skillwright/contracts";
import { readBytes, type UploadFile } from "@skillwright/core";
import type { Page } from "./web-server.js";

export const SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
export const INDEX = "/.well-known/agent-skills/index.json";
export const OLD_INDEX = "/.well-known/skills/index.json";

type Seed = SkillSeed[string];
type Pages = Record<string, Page>;

export function digestOf(bytes: string | Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** A page with an ETag, as a well-configured server sends it. */
export function tagged(body: string | Uint8Array, type: string): Page {
  return { body, headers: { "content-type": type, etag: `"${digestOf(body).slice(7, 27)}"` } };
}

export async function archived(files: Seed, format: "zip" | "tar.gz", folder?: string): Promise<Uint8Array> {
  const layout = folder === undefined ? ({ layout: "bare" } as const) : wrapped(folder);
  return await readBytes(writeArchive(uploadFiles(files), { format, ...layout }), 1e8);
}

/** Each skill as an archive, or as its SKILL.md where that is its only file, with an index of version 0.2.0. */
export async function publishedIndex(seed: SkillSeed): Promise<Pages> {
  const pages: Record<string, Page> = {};
  const skills: unknown[] = [];
  for (const [name, files] of Object.entries(folded(seed))) {
    const only = Object.keys(files).length === 1 ? files["SKILL.md"] : undefined;
    const isMarkdown = typeof only === "string";
    const bytes = isMarkdown ? only : await archived(files, "tar.gz");
    const url = isMarkdown ? `${name}/SKILL.md` : `${name}.tar.gz`;
    const type = isMarkdown ? "skill-md" : "archive";
    pages[`/.well-known/agent-skills/${url}`] = bytes;
    skills.push({ name, type, description: "Told by the index.", url, digest: digestOf(bytes) });
  }
  const index = JSON.stringify({ $schema: SCHEMA, skills, extra: true });
  return { ...pages, [INDEX]: tagged(index, "application/json") };
}

/** Each skill file by file, with an index of version 0.1. */
export function publishedFiles(seed: SkillSeed): Pages {
  const pages: Record<string, Page> = {};
  const skills: unknown[] = [];
  for (const [name, files] of Object.entries(folded(seed))) {
    skills.push({ name, description: "Told by the index.", files: Object.keys(files) });
    for (const [path, file] of Object.entries(files)) {
      const encoded = path.split("/").map(encodeURIComponent).join("/");
      pages[`/.well-known/skills/${name}/${encoded}`] = tagged(contentOf(file), "text/plain");
    }
  }
  return { ...pages, [OLD_INDEX]: tagged(JSON.stringify({ skills }), "application/json") };
}

/** Makes nested skills part of the files of the skill around them. */
export function folded(seed: SkillSeed): SkillSeed {
  const outer: Record<string, Record<string, Seed[string]>> = {};
  for (const path of Object.keys(seed).sort()) {
    const parent = Object.keys(outer).find((one) => path.startsWith(`${one}/`));
    const start = parent === undefined ? "" : `${path.slice(parent.length + 1)}/`;
    const files = outer[parent ?? path] ?? {};
    outer[parent ?? path] = files;
    for (const [file, content] of Object.entries(seed[path] ?? {})) files[start + file] = content;
  }
  return outer;
}

function wrapped(directoryName: string): { readonly layout: "wrapped"; readonly directoryName: string } {
  return { layout: "wrapped", directoryName };
}

function uploadFiles(files: Seed): UploadFile[] {
  return Object.entries(files).map(([path, file]) => ({
    path,
    content: contentOf(file),
    executable: typeof file === "object" && "executable" in file && file.executable === true,
  }));
}

export function contentOf(file: Seed[string]): string | Uint8Array {
  return typeof file === "string" || file instanceof Uint8Array ? file : file.content;
}
