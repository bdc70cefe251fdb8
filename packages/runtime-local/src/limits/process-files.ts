import { readdirSync, readFileSync } from "node:fs";

export interface ListedFile {
  /** A path that leads to the file itself. */
  readonly path: string;
}

/** The processes of a PID namespace, as directories below `/proc`. @param inside One of them. */
export function processesIn(inside: number): readonly string[] {
  const processes = `/proc/${inside}/root/proc`;
  const names = ifThere(() => readdirSync(processes)) ?? [];
  return names.filter((name) => /^\d+$/.test(name)).map((name) => `${processes}/${name}`);
}

/** The threads of a process, each of which may have descriptors of its own, also where the first has ended. */
export function threadsOf(process: string): readonly string[] {
  return (ifThere(() => readdirSync(`${process}/task`)) ?? []).map((name) => `${process}/task/${name}`);
}

/** The open files of a process or a thread; `undefined` where they cannot be listed. */
export function listDescriptors(
  owner: string,
): readonly (ListedFile & { readonly info: string })[] | undefined {
  return ifThere(() => readdirSync(`${owner}/fd`))?.map((name) => ({
    path: `${owner}/fd/${name}`,
    info: `${owner}/fdinfo/${name}`,
  }));
}

/** The number of descriptors that wait in a socket to be received. */
export function descriptorsWithin(info: string): number {
  return Number(/^scm_fds:\s*(\d+)/m.exec(ifThere(() => readFileSync(info, "latin1")) ?? "")?.[1] ?? 0);
}

/** Removed files that a process has mapped, except those of memory file systems. */
export function removedMappings(process: string): readonly ListedFile[] {
  for (const thread of threadsOf(process)) {
    // A thread that has ended has no mappings; all others have the same ones.
    const maps = ifThere(() => readFileSync(`${thread}/maps`, "latin1"));
    if (maps)
      return [...maps.matchAll(REMOVED)].map(([, start, end]) => ({
        path: `${process}/map_files/${start}-${end}`,
      }));
  }
  return [];
}

const REMOVED =
  /^0*([0-9a-f]+)-0*([0-9a-f]+) \S+ \S+ \S+ [1-9]\d* +(?!\/(?:memfd:|SYSV|anon_hugepage|tmp\/|dev\/|\[)).* \(deleted\)$/gm;

/** Processes and their files may vanish during the check. */
export function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
