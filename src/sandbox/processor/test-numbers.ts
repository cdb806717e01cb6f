import type { Behaviour, Source } from './records.ts';

/** The test cards, and what comes of each. Every other valid number is declined. */
const TEST_CARDS: Readonly<Record<string, Behaviour>> = {
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

/** The account whose debits fail; debits of every other one succeed. */
const CLOSED_ACCOUNT = '000111111113';

export function cardSource(number: string): Source {
  return { method: 'card', lastFour: number.slice(-4), behaviour: TEST_CARDS[number] ?? 'decline' };
}

export function bankSource(account: string): Source {
  return {
    method: 'bank',
    lastFour: account.slice(-4),
    behaviour: account === CLOSED_ACCOUNT ? 'account-closed' : 'succeed',
  };
}

export interface ChargeResult {
  readonly state: 'succeeded' | 'declined' | 'pending' | 'action';
  readonly declineCode: string | null;
}

const DECLINED: readonly Behaviour[] = ['decline', 'insufficient-funds', 'expired-card'];

/** What a charge comes to. A bank debit is under way first, whatever becomes of it. */
export function charge({ method, behaviour }: Source, isRenewal: boolean): ChargeResult {
  if (method === 'bank') return { state: 'pending', declineCode: null };
  if (DECLINED.includes(behaviour)) return { state: 'declined', declineCode: behaviour };
  if (behaviour === 'fail-renewals' && isRenewal)
    return { state: 'declined', declineCode: 'decline' };
  return {
    state: behaviour === 'authenticate' && !isRenewal ? 'action' : 'succeeded',
    declineCode: null,
  };
}
