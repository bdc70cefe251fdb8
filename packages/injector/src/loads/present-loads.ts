/**
 * The skills whose text is contained in what was sent to a model, recognised by the tag that `skill_load` and the
 * injector put around it. Pass the results of loading tools and the messages of `putBack`, and nothing written by
 * others.
 */
export function presentLoads(texts: Iterable<string>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const text of texts)
    for (const [, name = ""] of text.matchAll(/<loaded_skill name="([^"\n]*)"/g)) names.add(unescaped(name));
  return names;
}

function unescaped(text: string): string {
  return text.replace(/&(lt|gt|quot|amp);/g, (_whole, entity: string) => ENTITIES[entity] ?? "");
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&" };
