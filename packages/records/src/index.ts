export { beginsWith } from "./history-mark.js";
export { readLog } from "./read-log.js";
export { recentValues } from "./recent-values.js";
export { type RecordRegistryOptions, recordRegistry } from "./record-registry.js";
export { recordSessions } from "./record-sessions.js";
export { recordTrust } from "./record-trust.js";
export { recordTurns } from "./record-turns.js";
export {
  type RecordValue,
  type RecordValueChange,
  type RecordValues,
  recordValues,
} from "./record-values.js";
export type { HistoryMark, SessionChange, SessionRecord, Sessions } from "./sessions.js";
export { storeClock } from "./store-clock.js";
export type { TurnEvent, TurnKey, TurnLease, TurnRecord, Turns } from "./turns.js";
