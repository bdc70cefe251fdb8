import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { crc32, gzipSync } from "node:zlib";
import { vi } from "vitest";

/** A package of a test, in the form in which an index of its kind offers it. */
export interface TestPackage {
  readonly name: string;
  readonly version: string;
  readonly fileName: string;
  readonly bytes: Buffer;
}

export interface PackageIndex extends AsyncDisposable {
  /** Address for pip. */
  readonly python: string;
  /** Address for npm. */
  readonly node: string;
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
  /** Values of the `authorization` header, each once. */
  readonly credentials: ReadonlySet<string>;
}

/** A `packageIndex` that the configuration of this machine's pip and npm names until the test ends. */
export async function configuredIndex(...given: Parameters<typeof packageIndex>): Promise<PackageIndex> {
  const index = await packageIndex(...given);
  for (const name of [
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "http_proxy",
    "https_proxy",
    "PIP_PROXY",
    "PIP_FIND_LINKS",
    "UV_DEFAULT_INDEX",
    "UV_INDEX",
    "UV_INDEX_URL",
    "UV_EXTRA_INDEX_URL",
  ])
    vi.stubEnv(name, "");
  vi.stubEnv("PIP_INDEX_URL", index.python);
  // On a busy machine the index answers late; a repeated request would count twice.
  vi.stubEnv("PIP_DEFAULT_TIMEOUT", "600");
  vi.stubEnv("NPM_CONFIG_REGISTRY", index.node);
  return index;
}

/** An index for pip and npm on this machine's loopback address. Requests for which `isSilent` is true get no answer. */
export async function packageIndex(
  packages: readonly TestPackage[],
  isSilent: (url: string) => boolean | Promise<boolean> = () => false,
): Promise<PackageIndex> {
  const asked: string[] = [];
  const credentials = new Set<string>();
  const server = createServer(async ({ url = "/", headers }, response) => {
    asked.push(url);
    if (await isSilent(url)) return;
    if (headers.authorization) credentials.add(headers.authorization);
    const [kind = "", name = "", file] = url.slice(1).split("/");
    const own = packages.filter((one) => one.name === decodeURIComponent(name));
    const found = own.find(({ fileName }) => fileName === file);
    if (found) response.end(found.bytes);
    else if (own.length === 0) response.writeHead(404).end();
    else if (kind === "node") response.end(JSON.stringify(document(name, own, `${origin()}/node/${name}`)));
    else response.setHeader("content-type", "text/html").end(linksTo(own));
  });
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    python: `${origin()}/simple/`,
    node: `${origin()}/node/`,
    asked,
    credentials,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A wheel with one module and a program of the package's name, which prints what the module says. */
export function wheel(name: string, version: string, says: string): TestPackage {
  const info = `${name}-${version}.dist-info`;
  const files = {
    [`${name}/__init__.py`]: `TEXT = ${JSON.stringify(says)}\ndef main():\n    print(TEXT)\n`,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`,
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    [`${info}/entry_points.txt`]: `[console_scripts]\n${name} = ${name}:main\n`,
    [`${info}/RECORD`]: "",
  };
  return { name, version, fileName: `${name}-${version}-py3-none-any.whl`, bytes: zipOf(files) };
}

/** A line of a requirements file. */
export function requirement({ name, version, bytes }: TestPackage): string {
  return `${name}==${version} --hash=sha256:${sha256(bytes)}\n`;
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** `pyproject.toml` and `uv.lock` of a skill that needs these packages, as uv writes them. */
export function uvProject(packages: readonly TestPackage[]): Record<string, string> {
  const names = packages.map(({ name }) => JSON.stringify(name)).join(", ");
  const dependencies = packages.map(({ name }) => `    { name = "${name}" },\n`).join("");
  const root = `[[package]]\nname = "demo"\nversion = "0.1.0"\nsource = { virtual = "." }\ndependencies = [\n${dependencies}]\n`;
  return {
    "pyproject.toml": `[project]\nname = "demo"\nversion = "0.1.0"\nrequires-python = ">=3.8"\ndependencies = [${names}]\n`,
    "uv.lock": `version = 1\nrevision = 3\nrequires-python = ">=3.8"\n\n${packages.map((one) => uvPackage(one)).join("\n")}\n${root}`,
  };
}

/** The lockfile that uv writes beside a script. */
export function uvScriptLock(packages: readonly TestPackage[]): string {
  const requirements = packages.map(({ name }) => `    { name = "${name}" },\n`).join("");
  const locked = packages.map((one) => uvPackage(one)).join("\n");
  return `version = 1\nrevision = 3\nrequires-python = ">=3.8"\n\n[manifest]\nrequirements = [\n${requirements}]\n\n${locked}`;
}

/** A `[[package]]` of a lockfile of uv. */
export function uvPackage(one: TestPackage, dependencies: readonly string[] = []): string {
  const url = `https://packages.invalid/${one.fileName}`;
  return [
    `[[package]]\nname = "${one.name}"\nversion = "${one.version}"`,
    'source = { registry = "https://packages.invalid/simple" }',
    ...(dependencies.length > 0 ? [`dependencies = [\n    ${dependencies.join(",\n    ")},\n]`] : []),
    `wheels = [\n    { url = "${url}", hash = "sha256:${sha256(one.bytes)}", size = ${one.bytes.length} },\n]\n`,
  ].join("\n");
}

/** An npm package with one module and a program. Its install script would leave a file. */
export function nodePackage(name: string, version: string, says: string): TestPackage {
  const manifest = {
    name,
    version,
    main: "index.js",
    bin: "cli.js",
    scripts: { install: "touch installed" },
  };
  const files = {
    "package/package.json": JSON.stringify(manifest),
    "package/index.js": `exports.text = ${JSON.stringify(says)};\n`,
    "package/cli.js": '#!/usr/bin/env node\nconsole.log(require("./index.js").text);\n',
  };
  return { name, version, fileName: `${name}-${version}.tgz`, bytes: gzipSync(tarOf(files)) };
}

/** `package.json` and `package-lock.json` of a skill that needs these packages. */
export function nodeProject(packages: readonly TestPackage[]): Record<string, string> {
  const dependencies = Object.fromEntries(packages.map(({ name, version }) => [name, version]));
  const locked = packages.map(({ name, version, bytes }) => [
    `node_modules/${name}`,
    { version, integrity: integrity(bytes), bin: { [name]: "cli.js" }, hasInstallScript: true },
  ]);
  const root = { name: "demo", version: "1.0.0", dependencies };
  return {
    "package.json": JSON.stringify({ ...root, scripts: { postinstall: "exit 1" } }),
    "package-lock.json": JSON.stringify({
      ...{ name: "demo", version: "1.0.0", lockfileVersion: 3, requires: true },
      packages: { "": root, ...Object.fromEntries(locked) },
    }),
  };
}

function linksTo(packages: readonly TestPackage[]): string {
  const links = packages.map(({ fileName }) => `<a href="${fileName}">${fileName}</a>`).join("\n");
  return `<!DOCTYPE html><html><body>${links}</body></html>`;
}

function document(name: string, packages: readonly TestPackage[], base: string) {
  const versions = packages.map(({ version, fileName, bytes }) => {
    const dist = { tarball: `${base}/${fileName}`, integrity: integrity(bytes) };
    return [version, { name, version, bin: { [name]: "cli.js" }, dist }];
  });
  return { name, "dist-tags": { latest: packages[0]?.version }, versions: Object.fromEntries(versions) };
}

function integrity(bytes: Buffer): string {
  return `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
}

/** A zip archive with stored files. */
function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path);
    const content = Buffer.from(text);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const entry = Buffer.concat([Buffer.from("PK\u0003\u0004"), common, name, content]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0003"), common, rest, name]));
    local.push(entry);
    offset += entry.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(central.length, 4);
  end.writeUInt16LE(central.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, Buffer.from("PK\u0005\u0006"), end]);
}

function tarOf(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([path, text]) => {
    const content = Buffer.from(text);
    const header = Buffer.alloc(512);
    header.write(path, 0);
    header.write("0000755\0", 100);
    header.write("0000000\0", 108);
    header.write("0000000\0", 116);
    header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write("00000000000\0", 136);
    header.write("        ", 148);
    header.write("0", 156);
    header.write("ustar\u000000", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
