/**
 * A body with `{baseDir}` and `${CLAUDE_SKILL_DIR}`, by which other clients mean the skill's own directory, replaced by
 * `.`: commands of a skill run in its directory, and its files are named relative to it. `${baseDir}` and `{{baseDir}}`
 * are somebody's templates and stay.
 */
export function withSkillDirectory(body: string): string {
  return body.replace(/(?<![${])\{baseDir\}(?!\})|\$\{CLAUDE_SKILL_DIR\}/g, ".");
}
