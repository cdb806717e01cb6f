import type { SandboxStore } from '../data/store.ts';
import type { V1Windows } from '../donation-v1/windows.ts';
import type { HourlyLimit } from '../fundraising/rate-limit.ts';
import type { Clock } from '../lib/clock.ts';
import type { Faults } from '../lib/faults.ts';
import type { Till } from '../processor/till.ts';
import type { Webhooks } from '../webhooks/subscriptions.ts';

/** What the console shows and changes. */
export interface PageOptions {
  readonly store: SandboxStore;
  readonly webhooks: Webhooks;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly limit: HourlyLimit;
  readonly windows: V1Windows;
  readonly till: Till;
}
