/** The command of `@skillwright/cli` that repairs a workspace below that root, for messages; to be pasted into a shell as it is. */
export function repairCommand(root: string, workspaceId: string): string {
  const word = /^[\w./@:+-]+$/.test(root) ? root : `'${root.replaceAll("'", "'\\''")}'`;
  return `skillwright workspaces repair ${workspaceId} --root ${word}`;
}
