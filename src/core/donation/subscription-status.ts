/**
 * Status of a recurring donation's subscription, as the payment provider reports it.
 * - active: renews on schedule
 * - retrying: the last renewal failed and will be retried
 * - suspended: the provider has stopped retrying
 * - canceled: ended
 */
export type SubscriptionStatus = 'active' | 'retrying' | 'suspended' | 'canceled';
