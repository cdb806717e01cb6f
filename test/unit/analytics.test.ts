import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trackDonations } from '../../src/donation-form/analytics/analytics.ts';
import { ConsentMode, type ConsentType } from '../../src/donation-form/analytics/consent.ts';
import { recordEvent } from '../../src/donation-form/analytics/dedupe.ts';
import { GA4, META } from '../../src/donation-form/analytics/destinations.ts';
import { toEventParams, toPurchaseParams } from '../../src/donation-form/analytics/event-params.ts';
import { DonationFormSuccessEvent } from '../../src/donation-form/events/accepted-events.ts';
import {
  DonationFormChangeEvent,
  DonationFormSubmitEvent,
} from '../../src/donation-form/events/submission-events.ts';

/** Returns the arguments object that `gtag` pushes to `dataLayer`. */
function toGtagArguments(...args: unknown[]): unknown {
  return Object.assign({}, args);
}

/** Returns the consent for these types after reading the data layer. */
function isAllowed(
  layer: readonly unknown[],
  ...purposes: readonly ConsentType[]
): boolean | undefined {
  const mode = new ConsentMode();
  mode.readCommands(layer);
  return mode.isGranted(purposes);
}

const createConsent = (command: 'default' | 'update', states: object): unknown =>
  toGtagArguments('consent', command, states);
const granted = createConsent('update', { analytics_storage: 'granted' });

test('uses the last consent command, prefers an update to a default, and returns undefined without any', () => {
  const denied = createConsent('default', { analytics_storage: 'denied', wait_for_update: 500 });
  for (const [expected, ...layer] of [
    [undefined, { event: 'gtm.js' }, null, 'x', toGtagArguments('config', 'G-1'), ['consent']],
    [false, denied],
    [true, denied, granted],
    [true, granted, denied],
    [false, denied, granted, createConsent('update', { analytics_storage: 'denied' })],
    [true, createConsent('default', { analytics_storage: 'granted' })],
  ])
    assert.equal(isAllowed(layer, 'analytics_storage'), expected, JSON.stringify(layer));
  assert.equal(isAllowed([granted], 'ad_storage'), undefined);
  const adStorage = createConsent('update', { ad_storage: 'granted' });
  assert.equal(isAllowed([adStorage], 'ad_storage', 'ad_user_data'), false, 'needs all purposes');
});

test("treats a regional default as denied if it denies consent, since the visitor's region is unknown", () => {
  const everywhere = createConsent('default', { analytics_storage: 'granted' });
  const inEurope = createConsent('default', { analytics_storage: 'denied', region: ['AT', 'BE'] });
  const inAmerica = createConsent('default', { analytics_storage: 'granted', region: ['US'] });
  for (const [expected, ...layer] of [
    [false, everywhere, inEurope],
    [false, inEurope, everywhere],
    [undefined, inAmerica],
    [true, inEurope, granted],
  ])
    assert.equal(isAllowed(layer, 'analytics_storage'), expected, JSON.stringify(layer));
});

test('remembers consent after a tag manager removes old entries from dataLayer', () => {
  const mode = new ConsentMode();
  const layer = [granted, { event: 'a' }];
  mode.readCommands(layer);
  layer.splice(0, 2, { event: 'b' });
  mode.readCommands(layer);
  assert.equal(mode.isGranted(['analytics_storage']), true);
  layer.push(createConsent('update', { analytics_storage: 'denied' }));
  mode.readCommands(layer);
  assert.equal(mode.isGranted(['analytics_storage']), false);
});

test('remembers up to 100 sent events for 90 days, survives invalid storage, and falls back to memory', () => {
  const stored = new Map<string, string>();
  const createStorage = () =>
    ({
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => {
        stored.set(name, value);
      },
    }) as Storage;
  const listSentEvents = (): [string, number][] =>
    JSON.parse(stored.get('donation-form-sent')!) as [string, number][];
  const now = Date.now();
  stored.set('donation-form-sent', '{"junk":');
  assert.deepEqual(
    [recordEvent('a', createStorage, now), recordEvent('a', createStorage, now)],
    [true, false],
  );
  stored.set(
    'donation-form-sent',
    JSON.stringify([['of another tab', now], ['old', now - 90 * 86_400_000], 7]),
  );
  assert.deepEqual(
    [recordEvent('of another tab', createStorage, now), recordEvent('old', createStorage, now)],
    [false, true],
  );
  for (let index = 0; index < 120; index += 1) recordEvent(`many ${index}`, createStorage, now);
  assert.deepEqual([listSentEvents().length, listSentEvents().at(-1)], [100, ['many 119', now]]);
  const throwSecurityError = () => {
    throw new DOMException('no', 'SecurityError');
  };
  assert.deepEqual(
    [recordEvent('b', throwSecurityError), recordEvent('b', throwSecurityError)],
    [true, false],
  );
});

const event = new DonationFormSuccessEvent(
  '7K4M9-QXD2P',
  {
    amount: 5_000,
    coveredFees: 181,
    total: 5_181,
    currency: 'USD',
    decimals: 2,
    frequency: 'monthly',
  },
  {
    success: true,
    message: 'canary',
    transactionId: 'canary',
    amount: 51.81,
    frequency: 2,
    segment: 'MAIL26',
    giftId: 7,
    projectSplit: [
      { projectId: '2', projectName: 'Village wells', projectCode: 'WATER', amount: '20.00' },
      { projectId: '3', projectName: 'River watch', amount: '30.00' },
    ],
  },
  false,
);

test('reports a purchase with reference, value, frequency, segment, and projects, and nothing else', () => {
  const { ecommerce, donation } = toPurchaseParams(event, 'gift');
  const item = { item_category: 'donation', item_variant: 'monthly', quantity: 1 };
  assert.deepEqual(ecommerce, {
    transaction_id: '7K4M9-QXD2P',
    currency: 'USD',
    value: 50,
    items: [
      { item_id: '2', item_name: 'Village wells', price: 20, ...item },
      { item_id: '3', item_name: 'River watch', price: 30, ...item },
    ],
  });
  assert.deepEqual(donation, { frequency: 'monthly', project: 'WATER,3', segment: 'MAIL26' });
  assert.equal(toPurchaseParams(event, 'total').ecommerce.value, 51.81);
  const readSegment = (segment: string): string | undefined =>
    toPurchaseParams(
      new DonationFormSuccessEvent(
        event.reference,
        event.gift,
        { ...event.response, segment },
        false,
      ),
      'gift',
    ).donation.segment;
  assert.deepEqual(
    ['ana@example.org', 'ana%40example.org', 'ana%252540example.org', '40% off'].map(readSegment),
    [undefined, undefined, undefined, '40% off'],
  );
  const shown = {
    ...toEventParams(
      {
        amount: 3_000,
        coveredFees: 0,
        total: 3_000,
        currency: 'JPY',
        decimals: 0,
        frequency: 'once',
        projectId: '2',
      },
      'gift',
    ).ecommerce,
  };
  assert.deepEqual(shown, {
    transaction_id: undefined,
    currency: 'JPY',
    value: 3_000,
    items: [
      { item_id: '2', price: 3_000, item_category: 'donation', item_variant: 'once', quantity: 1 },
    ],
  });
});

test('logs test donations to the console instead of reporting them', (context) => {
  const info = context.mock.method(console, 'info', () => undefined);
  const page = new EventTarget();
  const dataLayer: unknown[] = [];
  Object.assign(globalThis, { window: { dataLayer }, document: page });
  context.after(() => {
    for (const name of ['window', 'document']) Reflect.deleteProperty(globalThis, name);
  });
  let hasConsent = false;
  const stop = trackDonations({ consent: () => hasConsent });
  const { reference, gift, response } = event;
  const dispatchSuccess = (): boolean =>
    page.dispatchEvent(new DonationFormSuccessEvent(reference, gift, response, true));
  dispatchSuccess();
  assert.equal(info.mock.callCount(), 0);
  hasConsent = true;
  page.dispatchEvent(new DonationFormSubmitEvent(gift, true));
  dispatchSuccess();
  stop();
  assert.deepEqual(dataLayer, []);
  const purchase = ['purchase', toPurchaseParams(event, 'gift')];
  const steps = ['view_item', 'add_to_cart', 'begin_checkout', 'add_payment_info'];
  assert.deepEqual(
    info.mock.calls.map((call) => call.arguments),
    [purchase, ...steps.map((step) => [step, toEventParams(gift, 'gift')]), purchase].map(
      (logged) => ['donation-form: Not sent in test mode:', ...logged],
    ),
  );
});

test('reports nothing after it stops, not even a change that the donor has just made', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const page = new EventTarget();
  const reported: unknown[] = [];
  const gtag = (...[, name]: unknown[]): unknown => reported.push(name);
  Object.assign(globalThis, { window: { gtag }, document: page });
  context.after(() => {
    for (const name of ['window', 'document']) Reflect.deleteProperty(globalThis, name);
  });
  const change = new DonationFormChangeEvent(
    { amount: 5_000, total: 5_000, currency: 'USD', decimals: 2, frequency: 'once' },
    false,
  );
  const stopFirst = trackDonations({ consent: () => true });
  page.dispatchEvent(change);
  context.mock.timers.tick(1_000);
  assert.deepEqual(reported.splice(0), ['view_item', 'add_to_cart']);
  stopFirst();
  const stop = trackDonations({ consent: () => true });
  page.dispatchEvent(change);
  stop();
  context.mock.timers.tick(1_000);
  assert.deepEqual(reported, []);
});

test('ignores page elements with the name of an analytics tool', () => {
  const layer: unknown[] = [];
  const element = {} as never;
  GA4.connect({ gtag: element, dataLayer: layer })!('view_item', {
    ecommerce: {},
    donation: {},
  });
  assert.deepEqual(
    [layer.length, GA4.connect({ gtag: element }), META.connect({ fbq: element })],
    [2, undefined, undefined],
  );
});

test('rejects an invalid option with the value found and the values expected', () => {
  assert.throws(
    () => trackDonations({ tools: ['ga4' as 'gtag'] }),
    new TypeError("donation-form: tools is 'ga4'; expected gtag,dataLayer,fbq."),
  );
  assert.throws(
    () => trackDonations({ value: 'net' as 'gift' }),
    new TypeError("donation-form: value is 'net'; expected gift,total."),
  );
});
