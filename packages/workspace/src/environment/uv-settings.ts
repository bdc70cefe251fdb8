import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Secret } from "@skillwright/core";
import { tomlLibrary } from "#late";
import { type Fields, fieldsIn, textsIn } from "../fields.js";
import { CERTIFICATES, type InstallerHost, type InstallerSettings, secretAddress } from "./installer-host.js";

type Variables = InstallerSettings["variables"];

/** Variables of uv about indexes, which are passed on. */
const PASSED =
  /^UV_(DEFAULT_INDEX|INDEX|INDEX_URL|EXTRA_INDEX_URL|INSECURE_HOST|HTTP_TIMEOUT|INDEX_\w+_(USERNAME|PASSWORD))$/;
/** Variables of pip, what uv calls them, and the variables of uv that take precedence. */
const OF_PIP = [
  ["PIP_INDEX_URL", "UV_DEFAULT_INDEX", ["UV_DEFAULT_INDEX", "UV_INDEX_URL"]],
  ["PIP_EXTRA_INDEX_URL", "UV_INDEX", ["UV_INDEX", "UV_EXTRA_INDEX_URL"]],
  ["PIP_TRUSTED_HOST", "UV_INSECURE_HOST", ["UV_INSECURE_HOST"]],
  ["PIP_DEFAULT_TIMEOUT", "UV_HTTP_TIMEOUT", ["UV_HTTP_TIMEOUT"]],
] as const;

/** uv's own configuration, its files before its variables; where it names no index, those of pip. */
export async function uvSettings(host: InstallerHost, pip: InstallerSettings): Promise<Variables> {
  const own: Variables = { ...(await fileSettings(host)), ...variables(host) };
  const ofPip = OF_PIP.flatMap(([name, uvName, instead]) => {
    const value = pip.variables[name];
    return value === undefined || instead.some((one) => one in own) ? [] : [[uvName, value] as const];
  });
  return {
    // As pip, which takes a package from any index that has it; the hashes decide.
    UV_INDEX_STRATEGY: "unsafe-best-match",
    ...(CERTIFICATES in pip.files ? { SSL_CERT_FILE: CERTIFICATES } : {}),
    ...Object.fromEntries(ofPip),
    ...own,
  };
}

function variables({ env }: InstallerHost): Variables {
  const found = Object.entries(env).flatMap(([name, value]) =>
    value && PASSED.test(name)
      ? [[name, /_(USERNAME|PASSWORD)$/.test(name) ? new Secret(value) : secretAddress(value)] as const]
      : [],
  );
  return Object.fromEntries(found);
}

/** The indexes of `uv.toml`: of the machine, then of the user. */
async function fileSettings({ env, home }: InstallerHost): Promise<Variables> {
  const { UV_CONFIG_FILE: own, XDG_CONFIG_HOME: configuration = join(home, ".config") } = env;
  const files = own ? [own] : ["/etc/uv/uv.toml", join(configuration, "uv", "uv.toml")];
  return Object.assign({}, ...(await Promise.all(files.map(indexesOf))));
}

async function indexesOf(file: string): Promise<Variables> {
  // A file of settings that is missing or cannot be read sets nothing.
  const fields = parsed(await readFile(file, "utf8").catch(() => ""));
  const indexes = fieldsIn(fields["index"]).filter(({ url }) => typeof url === "string");
  const first = indexes.find((index) => index["default"] === true)?.["url"] ?? fields["index-url"];
  const more = [
    ...indexes.filter((index) => index["default"] !== true).map(addressOf),
    ...textsIn(fields["extra-index-url"]),
  ];
  return {
    ...(typeof first === "string" && { UV_DEFAULT_INDEX: secretAddress(first) }),
    ...(more.length > 0 && { UV_INDEX: secretAddress(more.join(" ")) }),
  };
}

/** With its name, by which variables give its credentials. */
function addressOf({ name, url }: Fields): string {
  return typeof name === "string" ? `${name}=${url}` : String(url);
}

function parsed(text: string): Fields {
  try {
    return tomlLibrary().parse(text);
  } catch {
    return {};
  }
}
