/**
 * Returns the configuration with Aster's names in JSON replaced by the names here. In the top level, `modelConfig` and
 * `sandbox`, an empty text and null, as Go writes what was not set, are left out.
 */
export function withOwnFields(config: unknown): unknown {
  if (!isFields(config)) return config;
  const whole = ownFields(config);
  for (const part of ["modelConfig", "sandbox"])
    if (isFields(whole[part])) whole[part] = ownFields(whole[part]);
  return whole;
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ["template_id", "templateId"],
  ["model_config", "modelConfig"],
  ["skills_package", "skillsPackage"],
  ["api_key", "apiKey"],
  ["base_url", "baseURL"],
  ["work_dir", "workDir"],
]);

type Fields = Readonly<Record<string, unknown>>;

function ownFields(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== "" && value !== null)
      .map(([name, value]) => {
        const own = NAMES.get(name) ?? name;
        return [Object.hasOwn(fields, own) ? name : own, value];
      }),
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
