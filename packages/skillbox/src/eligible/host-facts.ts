/**
 * Facts about the place where commands run, as far as they were determined. They do not change during one evaluation.
 */
export interface HostFacts {
  /** Operating systems that commands can run on, as Node names them (`linux`, `darwin`, `win32`). */
  readonly systems: readonly string[];
  /**
   * Where programs are looked up when that is not this machine, such as `the image node:22`, and how to install others
   * there.
   */
  readonly programsIn?: { readonly place: string; readonly remedy: string } | undefined;
  /**
   * Returns `undefined` where it cannot be known, as for a container that does not exist yet; the program then counts
   * as present.
   */
  hasProgram(name: string): boolean | undefined;
  /** Reads a variable of the host's environment. Only called for names in `SkillSettings.passVariables`. */
  variable(name: string): string | undefined;
}
