/** The id of the workspace in which the environment with this key is prepared, and of the lease for that. */
export function preparationId(key: string): string {
  return `environment-${key.slice(0, 24)}`;
}

/** True for an id of `preparationId`, which no workspace of a session has. */
export function isPreparationId(id: string): boolean {
  return /^environment-[0-9a-f]{24}$/.test(id);
}
