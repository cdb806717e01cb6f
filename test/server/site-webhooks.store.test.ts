import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteWebhookMessage } from '../../src/core/schemas/webhook-event.ts';
import { BANKS, CARDS } from '../fake-stripe/index.ts';
import { until } from '../until.ts';
import { askOperator, OPERATOR_KEY } from './operator-support.ts';
import { openStripeDesk } from './payments-support.ts';
import { give, openReceiver, rowsOf, typesOf } from './site-webhooks-support.ts';
import { openDesk } from './support.ts';

test('a receiver that asks for a rest is left alone, one that is gone is sent nothing, and the operator sees what was given up and sends it again', async () => {
  await using busy = await openReceiver((response) =>
    response.writeHead(429, { 'Retry-After': '120' }).end(),
  );
  await using dead = await openReceiver((response, before) =>
    response.writeHead(before === 0 ? 410 : 200).end(),
  );
  await using desk = await openDesk({ webhooks: [busy.address, dead.address], key: OPERATOR_KEY });
  await give(desk);
  const stateOf = async (url: string) =>
    (await rowsOf(desk))
      .filter((row) => row.url === url)
      .map(({ state, next_run_at: dueAt }) => [state, dueAt > Date.now() + 110_000]);
  await until(async () =>
    (await rowsOf(desk)).every(({ state, attempts }) => state === 'gone' || attempts === 1),
  );
  await give(desk);
  await until(
    async () => (await rowsOf(desk)).filter(({ state }) => state === 'gone').length === 2,
  );
  assert.deepEqual(
    [await stateOf(busy.address.url), busy.received.length, dead.received.length],
    [
      [
        ['waiting', true],
        ['waiting', false],
      ],
      1,
      1,
    ],
  );

  await desk.store.db
    .updateTable('webhook_messages')
    .set({ attempts: 7, next_run_at: 0 })
    .where('url', '=', busy.address.url)
    .execute();
  assert.deepEqual(await (await askOperator(desk, '/site-webhooks/resend', {})).json(), {
    resent: 2,
  });
  await until(async () => busy.received.length === 2 && dead.received.length === 3);
  await until(async () => (await rowsOf(desk)).some(({ state }) => state === 'given-up'));
  const metrics = await (await askOperator(desk, '/metrics')).text();
  assert.match(
    metrics,
    /donation_form_webhook_messages\{organization="lanternwell",state="given-up"\} 1/,
  );
  assert.match(
    metrics,
    /donation_form_webhook_messages\{organization="lanternwell",state="gone"\} 0/,
  );
  assert.ok(
    desk.logged.some((line) => line.includes('which is given up') && line.includes('"level":50')),
  );

  await desk.store.db
    .updateTable('webhook_messages')
    .set({ created_at: Date.now() - 30 * 86_400_000 })
    .execute();
  await desk.siteWebhooks.box.forgetOld();
  assert.deepEqual(await rowsOf(desk), []);
});

test('what was to be told to an address that changes is not lost: the operator sees where it waits, and moves it', async () => {
  await using receiver = await openReceiver();
  await using desk = await openDesk({ webhooks: [receiver.address], key: OPERATOR_KEY });
  const old = 'https://site.example/old';
  const now = Date.now();
  const row = {
    organization: 'lanternwell',
    event: '',
    type: 'gift.succeeded',
    attempts: 8,
    next_run_at: now,
    created_at: now,
  } as const;
  const { reference } = await give(desk);
  await until(() => Promise.resolve(receiver.received.length === 1));
  await desk.store.db
    .insertInto('webhook_messages')
    .values(
      (['given-up', 'waiting'] as const).map((state) => ({
        ...row,
        id: `msg_${state}`,
        event: `gift ${reference}`,
        url: old,
        state,
        last_error: 'status 404',
      })),
    )
    .execute();
  assert.deepEqual(await (await askOperator(desk, '/site-webhooks/resend', {})).json(), {
    resent: 0,
  });
  const { items } = (await (await askOperator(desk, '/site-webhooks')).json()) as {
    items: unknown;
  };
  assert.deepEqual(
    items,
    ['given-up', 'waiting'].map((state) => ({
      organization: 'lanternwell',
      url: old,
      state,
      count: 1,
      oldest: now,
      lastError: 'status 404',
      isConfigured: false,
    })),
  );
  const move = async (to: string): Promise<unknown> =>
    (await askOperator(desk, '/site-webhooks/move', { from: old, to })).json();
  assert.match(
    JSON.stringify(await move('https://site.example/other')),
    /other is no address of .*webhooks.* in the configuration/,
  );
  assert.deepEqual(await move(receiver.address.url), { moved: 2 });
  await until(async () => receiver.received.length === 3 && (await rowsOf(desk)).length === 0);
  assert.deepEqual(
    receiver.received
      .slice(1)
      .map(({ id }) => id)
      .sort(),
    ['msg_given-up', 'msg_waiting'],
  );
});

test('everything that happens to a gift is told by a name of its own: money that comes later, renewals, refunds, disputes, and the end of a recurring gift', async () => {
  await using receiver = await openReceiver();
  await using few = await openReceiver(undefined, ['gift.refunded']);
  await using desk = await openStripeDesk({ webhooks: [receiver.address, few.address] });
  const next = async (...types: string[]): Promise<SiteWebhookMessage['data']> => {
    await until(async () => receiver.received.length >= types.length);
    assert.deepEqual(typesOf(receiver).toSorted(), types.toSorted());
    return receiver.received.splice(0).at(-1)!.message.data;
  };
  const { reference: debit } = await desk.give(BANKS.ach);
  assert.equal((await next('gift.pending')).reference, debit);
  desk.fake.settle(desk.fake.paymentIntents()[0]!.id);
  await desk.tell({ times: 2 });
  assert.deepEqual((await next('gift.succeeded')).total, 5_181);

  const { reference } = await desk.give(CARDS.good, { frequency: 'monthly' });
  const { subscription_id: subscription, payment_id: payment } =
    (await desk.repository.findByReference(reference))!;
  await next('gift.succeeded');
  desk.fake.renew(subscription!);
  await desk.tell();
  assert.deepEqual(
    [
      (({ reference: own, parent, total, frequency }) => [own, parent, total, frequency])(
        await next('gift.renewed'),
      ),
    ],
    [[`${reference}-2`, reference, 5_181, 'monthly']],
  );
  desk.fake.refund(payment!, 1_000);
  await desk.tell({ times: 2 });
  assert.deepEqual(
    [(({ changed, refunded, total }) => [changed, refunded, total])(await next('gift.refunded'))],
    [[1_000, 1_000, 5_181]],
  );
  const { id } = desk.fake.dispute(
    (await desk.repository.outbox.findGiftEvent(`${reference}-2`))!.payment_id!,
  );
  await desk.tell();
  assert.equal((await next('gift.disputed')).reference, `${reference}-2`);
  desk.fake.closeDispute(id, 'lost');
  desk.fake.cancelSubscription(subscription!);
  await desk.tell();
  await next('gift.dispute_lost', 'recurring.ended');
  await until(async () => (await rowsOf(desk)).length === 0);
  assert.deepEqual(typesOf(few), ['gift.refunded']);
});

test('where no process stays alive, a drain sends what is due', async () => {
  await using receiver = await openReceiver();
  await using desk = await openDesk({ isDrained: true, webhooks: [receiver.address] });
  desk.handler.start();
  for (let gift = 0; gift < 3; gift += 1) await give(desk);
  assert.deepEqual([receiver.received.length, (await rowsOf(desk)).length], [0, 3]);
  const { toSend, next } = await desk.handler.drain();
  assert.deepEqual([receiver.received.length, toSend, next], [3, 0, undefined]);
});
