/** For how long each follower follows. */
export const SECONDS = 3;
