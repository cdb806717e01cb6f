/**
 * What the payment processor says of what renews a gift.
 * active: renewed when its time comes · retrying: the last renewal failed, and is tried again ·
 * suspended: not tried again by itself · cancelled: ended.
 */
export type RecurringState = 'active' | 'retrying' | 'suspended' | 'cancelled';
