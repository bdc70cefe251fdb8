import { yaml } from "#yaml";
import { positionAt } from "./skill-file-diagnostic.js";

/** A YAML feature beyond plain block style, with its position in the source. */
export interface YamlFeature {
  readonly code: string;
  readonly what: string;
  readonly line: number;
  readonly column: number;
}

/** The first use of each feature that partial YAML parsers do not support. Empty for a source that does not parse. */
export function yamlFeatures(source: string): readonly YamlFeature[] {
  const found = new Map<string, YamlFeature>();
  const note = (code: string, what: string, offset: number) => {
    if (!found.has(code)) found.set(code, { code, what, ...positionAt(source, offset) });
  };
  for (const event of eventsOf(source)) {
    if (event.type === yaml().EVENT_ID.POP || event.type === yaml().EVENT_ID.DOCUMENT) continue;
    if (event.anchorStart >= 0) note("yaml.anchor", "an anchor or alias", event.anchorStart);
    if (event.type === yaml().EVENT_ID.ALIAS) continue;
    if (event.tagStart >= 0) note("yaml.tag", "a tag", event.tagStart);
    if (event.type !== yaml().EVENT_ID.SCALAR && event.style === yaml().COLLECTION_STYLE.FLOW)
      note("yaml.flow-style", "a list or map in brackets", event.start);
  }
  const dashes = source.indexOf("---");
  if (dashes >= 0) note("yaml.dashes", "three dashes inside a value", dashes);
  return [...found.values()];
}

function eventsOf(source: string) {
  try {
    return yaml().parseEvents(source, {});
  } catch {
    return [];
  }
}
