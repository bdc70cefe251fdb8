import {
  type CallOptions,
  isSkillDocument,
  readText,
  type SessionState,
  SKILL_STATE_KEYS,
  type Skill,
  type SkillCatalog,
  SkillError,
} from "@skillwright/core";
import { instructions } from "./instructions.js";

const MAX_DOCUMENT_BYTES = 64 * 1024;
const MAX_BYTES = 256 * 1024;

export interface LoadedTexts {
  readonly bodies: ReadonlyMap<string, string>;
  readonly documents: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/**
 * Bodies of these skills, and the documents selected in the state: at most 64 KiB of one, 256 KiB in total, none
 * partially. A skill or document that cannot be read is left out; the injector reports a missing body.
 */
export async function loadedTexts(
  catalog: SkillCatalog,
  state: SessionState,
  names: readonly string[],
  options: CallOptions = {},
): Promise<LoadedTexts> {
  const bodies = new Map<string, string>();
  const documents = new Map<string, ReadonlyMap<string, string>>();
  let room = MAX_BYTES;
  for (const name of names) {
    const skill = await catalog.load(name, options).catch(missing);
    if (!skill) continue;
    bodies.set(name, instructions(skill));
    const texts = new Map<string, string>();
    for (const { path, size } of chosenDocuments(skill, state)) {
      if (size > Math.min(MAX_DOCUMENT_BYTES, room)) continue;
      const text = await readText(await catalog.open(name, path, options), MAX_DOCUMENT_BYTES).catch(missing);
      if (text === undefined) continue;
      texts.set(path, text);
      room -= size;
    }
    documents.set(name, texts);
  }
  return { bodies, documents };
}

/** The state contains `"*"`, or a JSON list of paths as text. */
function chosenDocuments({ name, manifest }: Skill, state: SessionState) {
  const chosen = state[SKILL_STATE_KEYS.documents(name)];
  const all = manifest.files.filter(({ path }) => isSkillDocument(path));
  if (chosen === "*") return all;
  if (typeof chosen !== "string") return [];
  try {
    const paths: unknown = JSON.parse(chosen);
    return all.filter(({ path }) => Array.isArray(paths) && paths.includes(path));
  } catch {
    return [];
  }
}

function missing(error: unknown): undefined {
  // An abort ends the turn; an error of one skill does not.
  if (!SkillError.is(error) || error.code === "ABORTED") throw error;
  return undefined;
}
