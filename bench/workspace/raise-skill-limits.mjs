import { core } from "./house.mjs";

/** No option raises the limits of a skill, so the one record that every package reads is changed, only in this process. */
export function raiseSkillLimits(files) {
  Object.assign(core.SKILL_LIMITS, { files, bytes: 64 * 1024 * 1024 });
}
