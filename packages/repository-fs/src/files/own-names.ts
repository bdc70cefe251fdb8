/** Every name that this package makes beside skills, artifacts and content begins so; nothing else may. */
export const OWN_PREFIX = ".skillwright-";

/** Something in the making, of the process that the rest of the name tells; never read by anybody else. */
export const MAKING_PREFIX = `${OWN_PREFIX}making-`;
/** Something on its way out. */
export const TRASH_PREFIX = `${OWN_PREFIX}trash-`;
/** A whole skill that stands for the folder of the name that follows, until it is there. */
export const SWAP_PREFIX = `${OWN_PREFIX}swap-`;
export const LOCK_NAME = `${OWN_PREFIX}lock`;
/** The folder of deleted skills that can be restored. */
export const DELETED_NAME = `${OWN_PREFIX}deleted`;
