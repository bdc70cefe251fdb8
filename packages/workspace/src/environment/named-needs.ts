import { type Skill, skillFields } from "@skillwright/core";
import { type Fields, fieldsIn } from "../fields.js";

/** What a skill's header names and no file of it locks. It is never installed. */
export interface NamedNeed {
  /** A program, or the installer of OpenClaw's entry. */
  readonly kind: "program" | "node" | "uv" | "pip" | "brew" | "go" | "apt" | "cargo" | "download";
  readonly name: string;
  /** The field of SKILL.md. */
  readonly declaredIn: string;
  /** Programs that come with it; empty where the header names none. */
  readonly programs: readonly string[];
  /** What a person can do. */
  readonly remedy: string;
}

/** What `compatibility` names as programs, and the entries of OpenClaw's `install`, each once. */
export function namedNeeds({ frontmatter }: Pick<Skill, "frontmatter">): readonly NamedNeed[] {
  const { compatibility = "", openclaw } = skillFields(frontmatter);
  const declaredIn = `metadata.${openclaw?.key}.install`;
  const entries = fieldsIn(openclaw?.install).flatMap((entry) => installed(entry, declaredIn));
  const provided = new Set(entries.flatMap(({ programs }) => programs));
  return unique([...programsIn(compatibility).filter(({ name }) => !provided.has(name)), ...entries]);
}

/** Words that mean a program in any sentence, and the name of that program. Other names count only in backquotes. */
const SPOKEN_OF: ReadonlyMap<string, string> = new Map([
  ...`bash cargo curl docker ffmpeg ffprobe gh git jq kubectl magick node npm npx pandoc pdftotext perl pip pnpm podman psql
      python3 qpdf rsync ruby soffice sqlite3 tesseract tmux uv uvx wget yarn yq yt-dlp`
    .split(/\s+/)
    .map((name) => [name, name] as const),
  ["python", "python3"],
  ["node.js", "node"],
  ["nodejs", "node"],
  ["libreoffice", "soffice"],
  ["imagemagick", "magick"],
  ["ripgrep", "rg"],
]);

function programsIn(compatibility: string): readonly NamedNeed[] {
  const marked = [...compatibility.matchAll(/`([A-Za-z][\w.+-]{0,40})`/g)].map(([, name = ""]) => name);
  const words = compatibility.match(/[A-Za-z][\w.+-]*/g) ?? [];
  const spoken = words.flatMap((word) => SPOKEN_OF.get(word.toLowerCase().replace(/[.+-]+$/, "")) ?? []);
  return [...spoken, ...marked.filter((name) => !SPOKEN_OF.has(name.toLowerCase()))].map((name) => ({
    kind: "program",
    name,
    declaredIn: "compatibility",
    programs: [name],
    remedy: `Install ${name} where commands run, such as in the image of the runtime.`,
  }));
}

interface EntryKind {
  readonly kind: NamedNeed["kind"];
  /** The fields of an entry that may name what is installed. */
  readonly fields: readonly string[];
  readonly remedy: (name: string) => string;
}

const NPM: EntryKind = {
  kind: "node",
  fields: ["package"],
  remedy: (name) => `Lock it: run \`npm install ${name}\` in the skill and keep its package-lock.json.`,
};

/** The kinds of OpenClaw's entries. */
const KINDS: Readonly<Record<string, EntryKind>> = {
  node: NPM,
  npm: NPM,
  uv: { kind: "uv", fields: ["package"], remedy: lockPython },
  pip: { kind: "pip", fields: ["package"], remedy: lockPython },
  brew: outside("brew", ["formula", "package"], "brew install"),
  go: outside("go", ["module", "package"], "go install"),
  apt: outside("apt", ["package"], "apt-get install"),
  cargo: outside("cargo", ["package"], "cargo install"),
  download: {
    kind: "download",
    fields: ["url"],
    remedy: (name) => `Download ${name} yourself, check it, and install it where commands run.`,
  },
};

function lockPython(name: string): string {
  return `Lock it: name ${name} in a pyproject.toml of the skill, and run \`uv lock\`.`;
}

function outside(kind: NamedNeed["kind"], fields: readonly string[], command: string): EntryKind {
  return {
    kind,
    fields,
    remedy: (name) => `Run \`${command} ${name}\` yourself where commands run.`,
  };
}

/** Without characters that mean something to a shell, since a person may run the remedy. */
const HARMLESS = /^[A-Za-z0-9@][A-Za-z0-9@._/+:=~^-]{0,200}$/;
const ADDRESS = /^https?:\/\/[A-Za-z0-9@._/+:=~^?&%-]{1,200}$/;

/** Nothing for an entry without a name that can be shown. */
function installed(entry: Fields, declaredIn: string): readonly NamedNeed[] {
  const known =
    typeof entry["kind"] === "string" && Object.hasOwn(KINDS, entry["kind"]) && KINDS[entry["kind"]];
  if (!known) return [];
  const name = known.fields.map((field) => entry[field]).find((value) => typeof value === "string");
  const fitting = known.kind === "download" ? ADDRESS : HARMLESS;
  if (typeof name !== "string" || !fitting.test(name)) return [];
  return [
    { kind: known.kind, name, declaredIn, programs: textsOf(entry["bins"]), remedy: known.remedy(name) },
  ];
}

function textsOf(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((one) => typeof one === "string").filter((one) => HARMLESS.test(one));
}

function unique(needs: readonly NamedNeed[]): readonly NamedNeed[] {
  return [...new Map(needs.map((one) => [`${one.kind} ${one.name}`, one])).values()];
}
