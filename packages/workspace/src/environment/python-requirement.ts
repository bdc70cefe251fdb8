import type { NeededPackage } from "./environment-need.js";

const REQUIREMENT =
  /^\s*([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*\(?([^;()]*)\)?\s*(?:;.*)?$/s;
const SPECIFIER = /^\s*(===|==|~=|!=|<=|>=|<|>)\s*([\w.*+!-]+)\s*$/;

/**
 * The requirements (PEP 508) that no locked package meets by name and release number. Extras and markers do not count;
 * a requirement with an address is never met.
 */
export function unmetRequirements(
  requirements: readonly string[],
  packages: readonly NeededPackage[],
): readonly string[] {
  return requirements.filter((requirement) => {
    const [, name, specifiers = ""] = REQUIREMENT.exec(requirement) ?? [];
    return (
      name === undefined ||
      !packages.some((one) => comparableName(one.name) === comparableName(name) && meets(one, specifiers))
    );
  });
}

/** Names of Python packages are equal in this form. */
export function comparableName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}

function meets({ version }: NeededPackage, specifiers: string): boolean {
  return specifiers
    .split(",")
    .filter((one) => one.trim() !== "")
    .every((one) => {
      const [, sign = "", wanted = ""] = SPECIFIER.exec(one) ?? [];
      const own = release(version);
      const other = release(wanted);
      const order = compared(own, other);
      const starts = (length: number) => compared(own.slice(0, length), other.slice(0, length)) === 0;
      const equal = wanted.endsWith(".*") ? starts(other.length) : order === 0;
      switch (sign) {
        case "==":
        case "===":
          return equal;
        case "!=":
          return !equal;
        case "~=":
          return order >= 0 && starts(other.length - 1);
        case ">=":
          return order >= 0;
        case "<=":
          return order <= 0;
        case ">":
          return order > 0;
        case "<":
          return order < 0;
        default:
          return false;
      }
    });
}

function release(version: string): readonly number[] {
  const [numbers = ""] = /^\d+(\.\d+)*/.exec(version.replace(/^\d+!/, "")) ?? [];
  return numbers.split(".").map(Number);
}

function compared(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
