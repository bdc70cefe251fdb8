/**
 * The `eventLimits` of an agent whose runs are watched on the page: it draws only what is in view, so it may have 64 MiB of each
 * command's output, at whatever speed.
 */
export const PAGE_EVENT_LIMITS = { bytes: 64 * 1024 * 1024, bytesPerSecond: 64 * 1024 * 1024 } as const;
