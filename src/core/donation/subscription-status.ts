/**
 * Status of a recurring donation's subscription, as the payment provider reports it.
 * - active: the subscription renews on schedule
 * - retrying: the last renewal failed, and the provider will retry it
 * - suspended: the provider has stopped retrying
 * - canceled: the subscription has ended
 */
export type SubscriptionStatus = 'active' | 'retrying' | 'suspended' | 'canceled';
