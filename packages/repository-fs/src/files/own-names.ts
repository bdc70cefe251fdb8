/** Prefix of every name that this package creates for itself; other names must not use it. */
export const OWN_PREFIX = ".skillwright-";

/**
 * Prefix of unfinished data. The rest of the name identifies the process that creates it; no other process reads it.
 */
export const MAKING_PREFIX = `${OWN_PREFIX}making-`;
/** Prefix of data that is being removed. */
export const TRASH_PREFIX = `${OWN_PREFIX}trash-`;
/** Prefix of a complete skill that replaces the directory with the name that follows, until that is in place. */
export const SWAP_PREFIX = `${OWN_PREFIX}swap-`;
export const LOCK_NAME = `${OWN_PREFIX}lock`;
/** The directory of earlier contents of skills, by skill and version. */
export const HISTORY_NAME = `${OWN_PREFIX}history`;
/** The directory in which earlier releases kept deleted skills. */
export const DELETED_NAME = `${OWN_PREFIX}deleted`;
