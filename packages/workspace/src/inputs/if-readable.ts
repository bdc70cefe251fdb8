/** Returns what was found, or `undefined`. A file that cannot be read is reported like a missing one, because the reason would tell about the host. */
export async function ifReadable<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look;
  } catch {
    return undefined;
  }
}
