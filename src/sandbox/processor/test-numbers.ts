import type { Behavior, Source } from './records.ts';

/** Behavior of each test card. Every other valid number is declined. */
const TEST_CARDS: Readonly<Record<string, Behavior>> = {
  '4242424242424242': 'succeed',
  '4000000000000002': 'decline',
  '4000000000009995': 'insufficient-funds',
  '4000000000000069': 'expired-card',
  '4000002760003184': 'authenticate',
  '4000000000000119': 'lose-reply',
  '4000000000000259': 'dispute',
  '4000000000000341': 'fail-renewals',
  '4000000000000077': 'slow',
};

/** Account whose debits fail; debits of every other account succeed. */
const CLOSED_ACCOUNT = '000111111113';

export function toCardSource(number: string): Source {
  return { method: 'card', lastFour: number.slice(-4), behavior: TEST_CARDS[number] ?? 'decline' };
}

export function toBankSource(account: string): Source {
  return {
    method: 'bank',
    lastFour: account.slice(-4),
    behavior: account === CLOSED_ACCOUNT ? 'account-closed' : 'succeed',
  };
}

export interface ChargeResult {
  readonly state: 'succeeded' | 'declined' | 'pending' | 'action';
  readonly declineCode: string | null;
}

const DECLINE_BEHAVIORS: readonly Behavior[] = ['decline', 'insufficient-funds', 'expired-card'];

/** Returns the result of a charge. A bank debit is always pending first. */
export function simulateCharge({ method, behavior }: Source, isRenewal: boolean): ChargeResult {
  if (method === 'bank') return { state: 'pending', declineCode: null };
  if (DECLINE_BEHAVIORS.includes(behavior)) return { state: 'declined', declineCode: behavior };
  if (behavior === 'fail-renewals' && isRenewal)
    return { state: 'declined', declineCode: 'decline' };
  return {
    state: behavior === 'authenticate' && !isRenewal ? 'action' : 'succeeded',
    declineCode: null,
  };
}
