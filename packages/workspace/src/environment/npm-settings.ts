import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Secret } from "@skillwright/core";
import {
  CERTIFICATES,
  certificateFile,
  type InstallerHost,
  type InstallerSettings,
} from "./installer-host.js";

/** Settings about registries. Everything else of the user's file does not apply to a skill. */
const PASSED =
  /^(registry|@[^:]+:registry|\/\/.+:(_authToken|_auth|username|_password)|strict-ssl|proxy|https-proxy|noproxy)$/;

/** npm's own configuration: its files, then its variables. Values are passed as secrets, which the file names. */
export async function npmSettings({ env, home }: InstallerHost): Promise<InstallerSettings> {
  const settings = new Map<string, string>();
  const user = env["NPM_CONFIG_USERCONFIG"] ?? env["npm_config_userconfig"] ?? join(home, ".npmrc");
  for (const file of ["/etc/npmrc", "/usr/etc/npmrc", user])
    for (const [key, value] of await fileSettings(file, env)) settings.set(key, value);
  for (const [name, value] of Object.entries(env)) {
    const [, key] = /^npm_config_(.+)$/i.exec(name) ?? [];
    if (key !== undefined && value)
      settings.set(/^[\w]+$/.test(key) ? key.toLowerCase().replaceAll("_", "-") : key, value);
  }
  const certificates = await certificateFile(settings.get("cafile") ?? env["NODE_EXTRA_CA_CERTS"]);
  const passed = [...settings].filter(([key]) => PASSED.test(key));
  const lines = passed.map(([key], at) => `${key}=\${SKILLWRIGHT_NPM_${at}}`);
  if (CERTIFICATES in certificates) lines.push(`cafile=${CERTIFICATES}`);
  return {
    variables: Object.fromEntries(
      passed.map(([, value], at) => [`SKILLWRIGHT_NPM_${at}`, secretValue(value)]),
    ),
    files: { ".npmrc": lines.map((line) => `${line}\n`).join(""), ...certificates },
    wheelFolders: [],
    offline: false,
  };
}

function secretValue(value: string): string | Secret {
  return /^(true|false)$/.test(value) || /^https?:\/\/[^@]*$/.test(value) ? value : new Secret(value);
}

async function fileSettings(file: string, env: InstallerHost["env"]): Promise<ReadonlyMap<string, string>> {
  // A file of settings that is missing or cannot be read sets nothing.
  const text = await readFile(file, "utf8").catch(() => "");
  return new Map(
    text.split("\n").flatMap((line) => {
      const [, key, value] = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      if (key === undefined || value === undefined) return [];
      const plain = value.replace(/^(["'])(.*)\1$/, "$2");
      return [[key, plain.replaceAll(/\$\{(\w+)\}/g, (whole, name) => env[name] ?? whole)] as const];
    }),
  );
}
