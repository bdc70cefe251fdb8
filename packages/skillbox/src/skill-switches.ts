/** Skills that were switched off by name, in whatever source. */
export interface SkillSwitches {
  isOff(name: string): boolean;
  /** `false` where it was so already. */
  turn(name: string, on: boolean): boolean;
  /** Another number after every change. */
  readonly revision: number;
}

/** @param outer What is off there is off here too. */
export function skillSwitches(disabled: readonly string[], outer?: SkillSwitches): SkillSwitches {
  const off = new Set(disabled);
  let revision = 0;

  return {
    isOff: (name) => off.has(name) || outer?.isOff(name) === true,
    turn(name, on) {
      if (off.has(name) !== on) return false;
      if (on) off.delete(name);
      else off.add(name);
      revision++;
      return true;
    },
    get revision() {
      return revision + (outer?.revision ?? 0);
    },
  };
}
