import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConsentMode, type Purpose } from '../../src/donation-form/analytics/consent-mode.ts';
import { measureGifts } from '../../src/donation-form/analytics/analytics.ts';
import { isFirst } from '../../src/donation-form/analytics/dedupe.ts';
import { ofGiven, ofShown } from '../../src/donation-form/analytics/event-params.ts';
import { GA4, META } from '../../src/donation-form/analytics/destinations.ts';
import { DonationFormSuccessEvent } from '../../src/donation-form/events/submission-events.ts';

/** What `gtag` puts into `dataLayer`: its arguments. */
function gtag(...words: unknown[]): unknown {
  return Object.assign({}, words);
}

/** What a page that has said this lets happen. */
function allowed(layer: readonly unknown[], ...purposes: readonly Purpose[]): boolean | undefined {
  const mode = new ConsentMode();
  mode.read(layer);
  return mode.allows(purposes);
}

test('consent is what the last command said, an update more than a default, and nothing where nothing was said', () => {
  const denied = gtag('consent', 'default', { analytics_storage: 'denied', wait_for_update: 500 });
  const granted = gtag('consent', 'update', { analytics_storage: 'granted' });
  assert.equal(
    allowed(
      [{ event: 'gtm.js' }, null, 'x', gtag('config', 'G-1'), ['consent']],
      'analytics_storage',
    ),
    undefined,
  );
  assert.equal(allowed([denied], 'analytics_storage'), false);
  assert.equal(allowed([denied, granted], 'analytics_storage'), true);
  assert.equal(allowed([granted, denied], 'analytics_storage'), true, 'a default after an update');
  assert.equal(
    allowed(
      [denied, granted, gtag('consent', 'update', { analytics_storage: 'denied' })],
      'analytics_storage',
    ),
    false,
  );
  assert.equal(
    allowed([gtag('consent', 'default', { analytics_storage: 'granted' })], 'analytics_storage'),
    true,
  );
  assert.equal(allowed([granted], 'ad_storage'), undefined);
  assert.equal(
    allowed([gtag('consent', 'update', { ad_storage: 'granted' })], 'ad_storage', 'ad_user_data'),
    false,
    'one of two is not all',
  );
});

test('a default for some regions counts where it denies: the page does not know where its visitor is', () => {
  const everywhere = gtag('consent', 'default', { analytics_storage: 'granted' });
  const inEurope = gtag('consent', 'default', {
    analytics_storage: 'denied',
    region: ['AT', 'BE'],
  });
  for (const layer of [
    [everywhere, inEurope],
    [inEurope, everywhere],
  ])
    assert.equal(allowed(layer, 'analytics_storage'), false);
  assert.equal(
    allowed(
      [gtag('consent', 'default', { analytics_storage: 'granted', region: ['US'] })],
      'analytics_storage',
    ),
    undefined,
  );
  assert.equal(
    allowed(
      [inEurope, gtag('consent', 'update', { analytics_storage: 'granted' })],
      'analytics_storage',
    ),
    true,
  );
});

test('consent is remembered when a tag manager takes old entries out of dataLayer', () => {
  const mode = new ConsentMode();
  const layer = [gtag('consent', 'update', { analytics_storage: 'granted' }), { event: 'a' }];
  mode.read(layer);
  layer.splice(0, 2, { event: 'b' });
  mode.read(layer);
  assert.equal(mode.allows(['analytics_storage']), true);
  layer.push(gtag('consent', 'update', { analytics_storage: 'denied' }));
  mode.read(layer);
  assert.equal(mode.allows(['analytics_storage']), false);
});

test('what was sent is remembered for 90 days over pages, 100 at most, whatever stands in the store; a browser that refuses it remembers for the page', () => {
  const kept = new Map<string, string>();
  const storage = () =>
    ({
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => {
        kept.set(name, value);
      },
    }) as Storage;
  const sent = (): [string, number][] =>
    JSON.parse(kept.get('donation-form-sent')!) as [string, number][];
  const now = Date.now();
  kept.set('donation-form-sent', '{"junk":');
  assert.deepEqual([isFirst('a', storage, now), isFirst('a', storage, now)], [true, false]);
  kept.set(
    'donation-form-sent',
    JSON.stringify([['of another tab', now], ['old', now - 90 * 86_400_000], 7]),
  );
  assert.deepEqual(
    [isFirst('of another tab', storage, now), isFirst('old', storage, now)],
    [false, true],
  );
  for (let index = 0; index < 120; index += 1) isFirst(`many ${index}`, storage, now);
  assert.deepEqual([sent().length, sent().at(-1)], [100, ['many 119', now]]);
  const refused = () => {
    throw new DOMException('no', 'SecurityError');
  };
  assert.deepEqual([isFirst('b', refused), isFirst('b', refused)], [true, false]);
});

const event = new DonationFormSuccessEvent(
  '7K4M9-QXD2P',
  { amount: 5_000, costs: 181, total: 5_181, currency: 'USD', decimals: 2, frequency: 'monthly' },
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

test('a purchase has its reference, its worth by choice, frequency, segment and projects, and nothing else of what the page is told', () => {
  const { ecommerce, donation } = ofGiven(event, 'gift');
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
  assert.equal(ofGiven(event, 'total').ecommerce.value, 51.81);
  const told = (segment: string): string | undefined =>
    ofGiven(
      new DonationFormSuccessEvent(
        event.reference,
        event.gift,
        { ...event.response, segment },
        false,
      ),
      'gift',
    ).donation.segment;
  assert.deepEqual(
    ['ana@example.org', 'ana%40example.org', 'ana%252540example.org', '40% off'].map(told),
    [undefined, undefined, undefined, '40% off'],
  );
  const shown = {
    ...ofShown(
      {
        amount: 3_000,
        costs: 0,
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

test('an element of the page that has the name of a tool is none', () => {
  const layer: unknown[] = [];
  const element = {} as never;
  GA4.find({ gtag: element, dataLayer: layer })!('view_item', { ecommerce: {}, donation: {} });
  assert.deepEqual(
    [layer.length, GA4.find({ gtag: element }), META.find({ fbq: element })],
    [2, undefined, undefined],
  );
});

test('an option that is none is refused with what was found and what to expect', () => {
  assert.throws(
    () => measureGifts({ tools: ['ga4' as 'gtag'] }),
    new TypeError("donation-form: tools is 'ga4'; expected gtag,dataLayer,fbq."),
  );
  assert.throws(
    () => measureGifts({ value: 'net' as 'gift' }),
    new TypeError("donation-form: value is 'net'; expected gift,total."),
  );
});
