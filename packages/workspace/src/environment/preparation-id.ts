/** The id of the workspace in which the environment with this key is prepared, and of the lease for that. */
export function preparationId(key: string): string {
  return `environment-${key.slice(0, 24)}`;
}

/** Tells them from the workspaces of sessions. */
export function isPreparationId(id: string): boolean {
  return /^environment-[0-9a-f]{24}$/.test(id);
}
