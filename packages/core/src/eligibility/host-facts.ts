/** What is so where commands run, as far as somebody looked. Nothing here changes while a question is answered. */
export interface HostFacts {
  /** Operating systems that commands can run on, as Node names them (`linux`, `darwin`, `win32`). */
  readonly systems: readonly string[];
  /** Where programs are looked for when that is not this machine, such as `the image node:22`; and how to have others there. */
  readonly programsIn?: { readonly place: string; readonly remedy: string } | undefined;
  /** `undefined` where it cannot be known, as for a container that is not made yet: then it counts as there. */
  hasProgram(name: string): boolean | undefined;
  /** A variable of the host's environment. Only those on `SkillSettings.passVariables` are asked for. */
  variable(name: string): string | undefined;
}
