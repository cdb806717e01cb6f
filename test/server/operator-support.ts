import assert from 'node:assert/strict';
import type { GiftReport } from '../../src/server/operator/gift-report.ts';
import { CARDS, type FakeStripe } from '../fake-stripe/index.ts';
import { openStripeDesk, type StripeDesk } from './payments-support.ts';
import { newKey, type Desk, type DeskOptions } from './support.ts';

export const OPERATOR_KEY = 'canary-operator-key';

/** What the operator's command asks. @param order what is to be done. */
export function askOperator(desk: Pick<Desk, 'operator'>, path: string, order?: object): Promise<Response> {
  return Promise.resolve(desk.operator(new Request(`http://127.0.0.1:4103${path}`, {
    headers: { Authorization: `Bearer ${OPERATOR_KEY}` }, ...(order && { method: 'POST', body: JSON.stringify(order) }),
  })));
}

export async function reportOf(desk: Pick<Desk, 'operator'>, reference: string): Promise<GiftReport> {
  return await (await askOperator(desk, `/api/gifts/${reference}`)).json() as GiftReport;
}

/** @returns the answer's status and message, or the gift's new report. */
export async function resolveGift(desk: Pick<Desk, 'operator'>, reference: string, order: object): Promise<{ status: number; message?: string; report?: GiftReport }> {
  const response = await askOperator(desk, `/api/gifts/${reference}/resolve`, { by: 'Ana', ...order });
  return { status: response.status, ...await response.json() as object };
}

export function openOperatorDesk(options: DeskOptions = {}, running?: FakeStripe): Promise<StripeDesk> {
  return openStripeDesk({ key: OPERATOR_KEY, ...options }, running);
}

/** A gift that the processor charged after the donor was told that nothing was. @returns its reference and the key that its donor asks with. */
export async function heldGift(desk: StripeDesk, gift: object = {}): Promise<{ reference: string; key: string }> {
  const key = newKey(), { reference } = await desk.give(CARDS.authenticated, gift, key), row = await desk.journal.byReference(reference);
  await desk.journal.declined(reference, 'not-confirmed');
  desk.fake.authenticate(row!.payment_id!.startsWith('pi_') ? row!.payment_id! : desk.fake.paymentIntents().at(-1)!.id, true);
  await desk.tell();
  assert.equal((await desk.journal.byReference(reference))?.state, 'held');
  return { reference, key };
}

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail('it did not come true within 20 s');
}
