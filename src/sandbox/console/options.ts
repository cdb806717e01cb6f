import type { Mailbox } from '../data/mailbox.ts';
import type { SandboxStore } from '../data/store.ts';
import type { V1RateLimits } from '../donation-v1/rate-limits.ts';
import type { HourlyRateLimit } from '../fundraising/rate-limit.ts';
import type { Clock } from '../lib/clock.ts';
import type { Faults } from '../lib/faults.ts';
import type { StripeEmulator } from '../stripe/emulator.ts';
import type { WebhookSubscriptions } from '../webhooks/subscriptions.ts';

/** Parts of the sandbox that the console displays and modifies. */
export interface ConsoleOptions {
  readonly store: SandboxStore;
  readonly webhooks: WebhookSubscriptions;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly hourlyRateLimit: HourlyRateLimit;
  readonly v1RateLimits: V1RateLimits;
  readonly stripe: StripeEmulator;
  readonly mailbox: Mailbox;
}
