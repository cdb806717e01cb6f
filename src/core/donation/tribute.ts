/** Somebody in whose honour or memory a gift is given. */
export const TRIBUTE_KINDS = ['honor', 'memory'] as const;
export const TRIBUTE_NAME_LENGTH = 200;
