/** Skills switched off by name, in any source. */
export interface SkillSwitches {
  isOff(name: string): boolean;
  /** Returns `false` where nothing changed. */
  turn(name: string, on: boolean): boolean;
  /** Changes with every switch. */
  readonly revision: number;
}

/** @param outer Skills switched off there are off here too. */
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
