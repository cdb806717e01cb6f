export const TRIBUTE_KINDS = ['honor', 'memory'] as const;
export const MAX_TRIBUTE_NAME_LENGTH = 200;
