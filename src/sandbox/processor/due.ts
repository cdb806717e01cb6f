import type { Ledger } from './ledger.ts';
import type { Payments } from './payments.ts';
import type { Reversals } from './reversals.ts';

interface DueWork {
  readonly ledger: Ledger;
  readonly payments: Payments;
  readonly reversals: Reversals;
  readonly change: (work: () => void) => void;
  readonly now: () => Date;
}

const MOST_RENEWALS = 60;

/**
 * Lets everything happen that the clock has come to, in the order of its time: settlements,
 * disputes, renewals. In one go, a subscription
 * is charged a number of times at most; what is left comes with the next one.
 */
export function doWhatIsDue({ ledger, payments, reversals, change, now }: DueWork): void {
  const charged = new Map<string, number>();
  const until = now().toISOString();
  for (;;) {
    const due = ledger.firstDue(
      until,
      [...charged].filter(([, times]) => times >= MOST_RENEWALS).map(([id]) => id),
    );
    if (!due) return;
    const at = new Date(due.at);
    change(() => {
      if (due.kind === 'payment') {
        const payment = ledger.payment(due.id)!;
        if (payment.state === 'pending') payments.settle(payment, at);
        else reversals.dispute(payment, at);
      } else {
        payments.renew(ledger.subscription(due.id)!, at);
        charged.set(due.id, (charged.get(due.id) ?? 0) + 1);
      }
    });
  }
}
