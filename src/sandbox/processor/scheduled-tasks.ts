import type { Ledger } from './ledger.ts';
import type { PaymentService } from './payments.ts';
import type { ReversalService } from './reversals.ts';

interface ScheduledTasksOptions {
  readonly ledger: Ledger;
  readonly payments: PaymentService;
  readonly reversals: ReversalService;
  readonly runTransaction: (callback: () => void) => void;
  readonly now: () => Date;
}

const MAX_RENEWALS_PER_RUN = 60;

/**
 * Runs all tasks scheduled up to now in chronological order: settlements, disputes, and renewals.
 * One run charges a subscription at most {@link MAX_RENEWALS_PER_RUN} times; the next run
 * continues.
 */
export function runScheduledTasks({
  ledger,
  payments,
  reversals,
  runTransaction,
  now,
}: ScheduledTasksOptions): void {
  const renewalCounts = new Map<string, number>();
  const until = now().toISOString();
  for (;;) {
    const task = ledger.findNextTask(
      until,
      [...renewalCounts].filter(([, count]) => count >= MAX_RENEWALS_PER_RUN).map(([id]) => id),
    );
    if (!task) return;
    const at = new Date(task.at);
    runTransaction(() => {
      if (task.kind === 'payment') {
        const payment = ledger.findPayment(task.id)!;
        if (payment.state === 'pending') payments.settle(payment, at);
        else reversals.openDispute(payment, at);
      } else {
        payments.renew(ledger.findSubscription(task.id)!, at);
        renewalCounts.set(task.id, (renewalCounts.get(task.id) ?? 0) + 1);
      }
    });
  }
}
