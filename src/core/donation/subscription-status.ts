/**
 * Status of a recurring donation's subscription, as reported by the payment processor.
 * - active: renews on schedule
 * - retrying: the last renewal failed and will be retried
 * - suspended: the processor has stopped retrying
 * - cancelled: ended
 */
export type SubscriptionStatus = 'active' | 'retrying' | 'suspended' | 'cancelled';
