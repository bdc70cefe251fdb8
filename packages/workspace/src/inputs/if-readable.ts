/** What a look at a host's file finds. A caller is not told why a file of the host cannot be read: that is told as a missing one is. */
export async function ifReadable<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look;
  } catch {
    return undefined;
  }
}
