import type { DonationRequest } from '../contract/donation-request.ts';
import type { FormDefinition } from '../contract/form-definition.ts';
import type { DonateResponse, Outcome } from '../contract/outcome.ts';
import { frequencyValue } from '../model/frequency-value.ts';
import { majorUnits } from '../model/money.ts';
import type { GiftRow } from './database.ts';
import type { Charge } from './payment/gateway.ts';
import type { ChosenProject, RecordableGift } from './recorder/recorder.ts';

/** What the journal keeps of a gift as it was accepted: never the payment token, and all of the form's definition that is needed later. */
interface KeptGift extends Pick<DonationRequest, 'gift' | 'donor' | 'form' | 'customFields' | 'consents' | 'tracking'> {
  readonly payment: Omit<DonationRequest['payment'], 'token'>;
  readonly decimals: number;
  /** In the order of the gift's parts. */
  readonly projects: readonly ChosenProject[];
}

/** @param request one that the definition allows. */
export function keep({ gift, donor, customFields, consents, tracking, form, payment: { provider, method } }: DonationRequest, definition: FormDefinition): string {
  const kept: KeptGift = {
    gift, donor, customFields, consents, tracking, form,
    payment: { provider, method },
    decimals: definition.currencies.find(({ code }) => code === gift.currency)!.decimals,
    projects: gift.projects.map((part) => {
      const { id, code, name } = definition.projects.find((project) => project.id === part.id)!;
      return { id, code, name };
    }),
  };
  return JSON.stringify(kept);
}

export function toCharge(row: GiftRow, token: string): Charge {
  const { gift: { total, currency, frequency } } = read(row);
  return { reference: row.reference, total, currency, frequency, token };
}

export function toRecordable(row: GiftRow): RecordableGift {
  const { gift, donor, customFields = [], consents = [], tracking = {}, payment, decimals, projects } = read(row);
  return {
    reference: row.reference, paymentId: row.payment_id ?? '', paymentMethod: payment.method, givenAt: new Date(row.created_at), gift, donor, customFields, consents, tracking,
    projects: projects.map((project, index) => ({ ...project, amount: majorUnits(gift.projects[index]!.amount, decimals) })),
    total: majorUnits(gift.total, decimals), costs: majorUnits(gift.costs, decimals),
  };
}

export function toOutcome(row: GiftRow): Outcome {
  const { gift: { amount, costs, total, currency, frequency } } = read(row);
  const known = { reference: row.reference, gift: { amount, costs, total, currency, frequency } };
  if (row.state === 'charging' || row.payment_id === null && row.state === 'held') return { ...known, state: 'checking' };
  if (row.state === 'declined') return { ...known, state: 'declined', ...(row.decline_reason && { reason: row.decline_reason }) };
  return { ...known, state: 'succeeded', response: toResponse(row) };
}

/** The amounts of the split sum to the gift; covered costs are not in it. */
function toResponse(row: GiftRow): DonateResponse {
  const { gift } = read(row), { total, paymentId, projects } = toRecordable(row);
  const frequency = frequencyValue(gift.frequency);
  return {
    success: true,
    message: null,
    transactionId: paymentId,
    amount: Number(total),
    ...(frequency !== undefined && { frequency }),
    ...(gift.segment !== undefined && { segment: gift.segment }),
    giftId: row.platform_id,
    projectSplit: projects.map(({ id, name, code, amount }) => ({ projectId: id, projectName: name, ...(code !== undefined && { projectCode: code }), amount })),
  };
}

function read(row: GiftRow): KeptGift {
  return JSON.parse(row.gift) as KeptGift;
}
