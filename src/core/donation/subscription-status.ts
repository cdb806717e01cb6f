/**
 * Status of a recurring donation's subscription, as reported by the payment provider.
 * - active: renews on schedule
 * - retrying: the last renewal failed and will be retried
 * - suspended: the provider has stopped retrying
 * - cancelled: ended
 */
export type SubscriptionStatus = 'active' | 'retrying' | 'suspended' | 'cancelled';
