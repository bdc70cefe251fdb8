type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the file's content with OpenClaw's names in `skills` replaced by the names of this client: `allowBundled`,
 * `load.extraDirs`, and `apiKey` of an entry. A name whose equivalent is present, too, stays as it is and is refused as
 * an unknown field.
 */
export function withOwnNames(given: unknown): unknown {
  if (!isFields(given) || !isFields(given["skills"])) return given;
  const skills = withExtraFolders(renamed(given["skills"], "allowBundled", "allow_bundled"));
  const { entries } = skills;
  if (!isFields(entries)) return { ...given, skills };
  const own = Object.entries(entries).map(([key, entry]) => [key, ownEntry(entry)]);
  return { ...given, skills: { ...skills, entries: Object.fromEntries(own) } };
}

function ownEntry(entry: unknown): unknown {
  if (!isFields(entry)) return entry;
  const { api_key, ...rest } = renamed(entry, "apiKey", "api_key");
  return api_key === undefined ? rest : { ...rest, api_key: ownReference(api_key) };
}

/** A reference of OpenClaw to a variable of the environment is `{ source: "env", provider, id }`. */
function ownReference(value: unknown): unknown {
  return isFields(value) && value["source"] === "env" && typeof value["id"] === "string"
    ? { from: value["id"] }
    : value;
}

/** Each folder is a repository with its path as its name, after those that are named. */
function withExtraFolders(skills: Fields): Fields {
  const { load, repositories = {}, ...rest } = skills;
  if (!isFields(load) || !isFields(repositories)) return skills;
  const { extraDirs, ...others } = load;
  if (!Array.isArray(extraDirs) || !extraDirs.every((folder) => typeof folder === "string")) return skills;
  const extra = Object.fromEntries(extraDirs.map((folder) => [folder, folder]));
  return {
    ...rest,
    ...(Object.keys(others).length > 0 && { load: others }),
    repositories: { ...repositories, ...extra },
  };
}

function renamed(fields: Fields, name: string, own: string): Fields {
  if (!Object.hasOwn(fields, name) || Object.hasOwn(fields, own)) return fields;
  const { [name]: value, ...rest } = fields;
  return { ...rest, [own]: value };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
