import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";
export const SERVERS_SCHEMA = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json";
/** A valid manifest. */
export const MANIFEST = { $schema: SCHEMA, name: "example" };
export const ROOT = `\${PLUGIN_ROOT}`;
export const DATA = `\${PLUGIN_DATA}`;

export interface PluginFolder extends AsyncDisposable {
  /** Of the plugin, without symlinks. */
  readonly root: string;
  /** A folder beside it. */
  readonly beside: string;
}

/** Text or bytes, anything else as JSON, or a symlink. */
export type Content = unknown | { readonly link: string };

/** Creates a plugin. A path that begins with `../beside/` is outside of it; a name that ends in `.mjs` is executable. */
export async function pluginFolder(files: Readonly<Record<string, Content>>): Promise<PluginFolder> {
  const parent = await realpath(await mkdtemp(join(tmpdir(), "skillwright-plugins-")));
  const [root, beside] = [join(parent, "plugin"), join(parent, "beside")];
  await Promise.all([mkdir(root), mkdir(beside)]);
  for (const [path, content] of Object.entries(files)) {
    const place = join(root, path);
    await mkdir(dirname(place), { recursive: true });
    if (isLink(content)) await symlink(content.link, place);
    else await writeFile(place, isRaw(content) ? content : JSON.stringify(content));
    if (path.endsWith(".mjs")) await chmod(place, 0o755);
  }
  return { root, beside, [Symbol.asyncDispose]: async () => await rm(parent, { recursive: true }) };
}

/** `mcp.json` with these servers. */
export function servers(mcpServers: unknown): object {
  return { $schema: SERVERS_SCHEMA, mcpServers };
}

export function skillText(name: string): string {
  return `---\nname: ${name}\ndescription: Does ${name}.\n---\n\nDo it.\n`;
}

function isLink(content: Content): content is { readonly link: string } {
  return typeof content === "object" && content !== null && "link" in content;
}

function isRaw(content: Content): content is string | Uint8Array {
  return typeof content === "string" || content instanceof Uint8Array;
}
