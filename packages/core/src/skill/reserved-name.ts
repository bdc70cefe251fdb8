/** True for names that Windows keeps for devices, with or without an extension: `con`, `NUL.txt`, `com1`. */
export function isReservedName(name: string): boolean {
  return /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?:\..*)?$/i.test(name);
}
