/** How long each follower reads output. */
export const SECONDS = 3;
