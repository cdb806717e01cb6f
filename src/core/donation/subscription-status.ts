/** Subscription status, as the payment provider reports it. `suspended`: it no longer retries. */
export type SubscriptionStatus = 'active' | 'retrying' | 'suspended' | 'canceled';
