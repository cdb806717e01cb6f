import type { PayPalContext } from './context.ts';
import type { Payments } from './payments.ts';
import type { Subscriptions } from './subscriptions.ts';

interface DueTask {
  /** ISO 8601. */
  readonly at: string;
  readonly run: () => void;
}

/** Milliseconds until an eCheck clears. */
const CLEARING_TIME = 4 * 86_400_000;
const MAX_TASKS_PER_RUN = 500;

/**
 * Runs due tasks in chronological order: clears eChecks and renews subscriptions.
 * @param runAt function that runs a task as if the current time were the task's due time.
 */
export function runDueTasks(
  context: PayPalContext,
  payments: Payments,
  subscriptions: Subscriptions,
  runAt: (time: string, run: () => void) => void,
): void {
  const until = Date.parse(context.getTime());
  for (let count = 0; count < MAX_TASKS_PER_RUN; count += 1) {
    const [next] = listTasks(context, payments, subscriptions)
      .filter(({ at }) => Date.parse(at) <= until)
      .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
    if (!next) return;
    runAt(next.at, next.run);
  }
}

function listTasks(
  { store }: PayPalContext,
  payments: Payments,
  subscriptions: Subscriptions,
): DueTask[] {
  const eChecks = store
    .listRecords('payment')
    .filter(({ status, statusReason }) => status === 'PENDING' && statusReason === 'ECHECK')
    .map(({ id, createTime }) => ({
      at: toTime(Date.parse(createTime) + CLEARING_TIME),
      run: () => {
        payments.settleECheck(id, 'COMPLETED');
      },
    }));
  const renewals = store.listRecords('subscription').flatMap((subscription) => {
    const { id, status, nextBillingTime } = subscription;
    if (status !== 'ACTIVE' || nextBillingTime === undefined) return [];
    return [
      {
        at: nextBillingTime,
        run: () => {
          subscriptions.billNextPeriod(id);
        },
      },
    ];
  });
  return [...eChecks, ...renewals];
}

const toTime = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
