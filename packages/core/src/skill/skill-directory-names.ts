/**
 * Replaces `{baseDir}` and `${CLAUDE_SKILL_DIR}`, which other clients use for the skill's own directory, with `.`:
 * commands of a skill run in its directory, and its files are named relative to it. `${baseDir}` and `{{baseDir}}`
 * belong to template languages and are kept.
 */
export function withSkillDirectory(body: string): string {
  return body.replace(/(?<![${])\{baseDir\}(?!\})|\$\{CLAUDE_SKILL_DIR\}/g, ".");
}
