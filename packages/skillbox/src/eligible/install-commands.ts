import type { JsonObject, JsonValue, OpenClawFields } from "@skillwright/core";

/**
 * The install commands that the skill declares for its programs on that system, one line each, for a person to read and
 * decide. None of them is ever run. A package name with shell metacharacters is left out.
 * @param system System name as in Node. Entries for other systems are left out.
 */
export function installCommands(
  { install }: Pick<OpenClawFields, "install">,
  system: string,
): readonly string[] {
  const lines = install.flatMap((entry) => (isMap(entry) && isFor(system, entry) ? commandOf(entry) : []));
  return [...new Set(lines)];
}

/** The command for each kind of entry, with the fields that hold the package name. */
const COMMANDS: Readonly<Record<string, readonly [command: string, ...fields: string[]]>> = {
  brew: ["brew install", "formula", "package"],
  node: ["npm install --global", "package"],
  npm: ["npm install --global", "package"],
  go: ["go install", "module", "package"],
  uv: ["uv tool install", "package"],
  pip: ["pip install --user", "package"],
  apt: ["apt-get install", "package"],
  cargo: ["cargo install", "package"],
};

const HARMLESS = /^[A-Za-z0-9@][A-Za-z0-9@._/+:=~^-]{0,200}$/;

function commandOf(entry: JsonObject): string[] {
  const kind = entry["kind"];
  if (kind === "download") {
    const url = entry["url"];
    return typeof url === "string" && /^https:\/\/[\w.~:/?%@+=&-]+$/.test(url) ? [`download ${url}`] : [];
  }
  const [command, ...fields] = (typeof kind === "string" &&
    Object.hasOwn(COMMANDS, kind) &&
    COMMANDS[kind]) || [""];
  const name = fields.map((field) => entry[field]).find((value) => typeof value === "string");
  if (typeof name !== "string" || !HARMLESS.test(name)) return [];
  return [`${command} ${kind === "go" && !name.includes("@") ? `${name}@latest` : name}`];
}

function isFor(system: string, { os }: JsonObject): boolean {
  const systems = os === undefined || os === null ? [] : Array.isArray(os) ? os : [os];
  return systems.length === 0 || systems.includes(system);
}

function isMap(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
