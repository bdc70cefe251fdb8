/** How a contestant reports errors in a file: as data (`yes`), `logged`, `thrown`, or `no`; by kind of call. */
export function diagnosticsOf({ diagnostics }, kind) {
  return typeof diagnostics === "string" ? diagnostics : diagnostics[kind];
}
