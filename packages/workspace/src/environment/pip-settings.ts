import { readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  CERTIFICATES,
  certificateFile,
  type InstallerHost,
  type InstallerSettings,
  secretAddress,
} from "./installer-host.js";

/** Settings that are passed on as variables. */
const PASSED = [
  "index-url",
  "extra-index-url",
  "trusted-host",
  "proxy",
  "timeout",
  "default-timeout",
  "retries",
];

/** pip's own configuration: its files, then its variables, which take precedence. */
export async function pipSettings({ env, home }: InstallerHost): Promise<InstallerSettings> {
  const settings = new Map<string, string>();
  for (const file of files(env, home))
    for (const [key, value] of await fileSettings(file)) settings.set(key, value);
  for (const [name, value] of Object.entries(env))
    if (name.startsWith("PIP_") && value)
      settings.set(name.slice(4).toLowerCase().replaceAll("_", "-"), value);
  const cert = settings.get("cert") ?? env["REQUESTS_CA_BUNDLE"] ?? env["SSL_CERT_FILE"];
  const certificates = await certificateFile(cert);
  const passed = PASSED.flatMap((key) => {
    const value = settings.get(key);
    return value === undefined
      ? []
      : [[`PIP_${key.toUpperCase().replaceAll("-", "_")}`, secretAddress(value)] as const];
  });
  const folders = (settings.get("find-links") ?? "")
    .split(/\s+/)
    .map((one) => (one.startsWith("file://") ? fileURLToPath(one) : one));
  return {
    variables: {
      PIP_CONFIG_FILE: "/dev/null",
      PIP_DISABLE_PIP_VERSION_CHECK: "1",
      PIP_NO_CACHE_DIR: "1",
      ...(CERTIFICATES in certificates ? { PIP_CERT: CERTIFICATES } : {}),
      ...Object.fromEntries(passed),
    },
    files: certificates,
    wheelFolders: folders.filter(isAbsolute),
    offline: /^(1|true|yes|on)$/i.test(settings.get("no-index") ?? ""),
  };
}

function files(env: InstallerHost["env"], home: string): readonly string[] {
  const { PIP_CONFIG_FILE: own, XDG_CONFIG_HOME: configuration = join(home, ".config") } = env;
  const places = ["/etc/xdg/pip/pip.conf", "/etc/pip.conf", join(home, ".pip", "pip.conf")];
  return [...places, join(configuration, "pip", "pip.conf"), ...(own ? [own] : [])];
}

/** The sections that apply to `pip install`; the later one takes precedence. */
async function fileSettings(file: string): Promise<ReadonlyMap<string, string>> {
  const sections = new Map<string, Map<string, string>>();
  // A file of settings that is missing or cannot be read sets nothing.
  const text = await readFile(file, "utf8").catch(() => "");
  let section = "";
  let key: string | undefined;
  for (const line of text.split("\n")) {
    const [, title] = /^\[(.*)\]\s*$/.exec(line) ?? [];
    const [, name, value = ""] = /^([A-Za-z][\w-]*)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
    const values = sections.get(title ?? section) ?? new Map<string, string>();
    if (/^\s*([#;]|$)/.test(line)) continue;
    if (title !== undefined) [section, key] = [title, undefined];
    else if (name !== undefined) {
      key = name.toLowerCase().replaceAll("_", "-");
      values.set(key, value);
    }
    // An indented line continues the value.
    else if (key !== undefined) values.set(key, `${values.get(key) ?? ""} ${line.trim()}`.trim());
    sections.set(section, values);
  }
  return new Map([...(sections.get("global") ?? []), ...(sections.get("install") ?? [])]);
}
