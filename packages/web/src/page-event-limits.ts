/**
 * The `eventLimits` of an agent whose runs a person watches on the page: 64 MiB of each command's output, at whatever speed. The page
 * draws only what is in view.
 */
export const PAGE_EVENT_LIMITS = { bytes: 64 * 1024 * 1024, bytesPerSecond: 64 * 1024 * 1024 } as const;
