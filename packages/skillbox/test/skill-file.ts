/** A single-file skill for `memoryRepository`. */
export function skillFile(name: string, description = `Does ${name} things`, body = `Body of ${name}`) {
  return { "SKILL.md": `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n` };
}

/** Such skills by name. */
export function skillFiles(...names: string[]) {
  return Object.fromEntries(names.map((name) => [name, skillFile(name)]));
}
