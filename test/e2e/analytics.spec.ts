import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import {
  expect,
  fillCard,
  fillDonor,
  findForm,
  findSubmitButton,
  readReference,
  test,
  type World,
} from './world.ts';

/** Returns the Google Analytics 4 snippet of docs/campaigns/analytics.md. */
async function readSnippet({ endpoint }: World): Promise<string> {
  const [, block = ''] = /## Google Analytics 4\n.*?```html\n(.*?)```/s.exec(
    await readFile('docs/campaigns/analytics.md', 'utf8'),
  )!;
  return block.replace('https://give.example.org', endpoint);
}

/**
 * Replaces Meta's script and records its calls. Google's script does not load either; its input is
 * in `dataLayer`.
 */
const FAKE_META_SCRIPT =
  '<script>window.metaCalls = []; window.fbq = (...args) => { metaCalls.push(args); };</script>';

/** Returns the URL of a page with a form. */
function addAnalyticsPage(world: World, before: string, formId = 'main'): string {
  const path = `/measured-${world.pages.size}`;
  world.pages.set(
    path,
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Give</title>${FAKE_META_SCRIPT}${before}
<script type="module" src="${world.endpoint}/donation-form.js"></script><body><donation-form endpoint="${world.endpoint}" form-id="${formId}"></donation-form>`,
  );
  return world.page + path;
}

/** Marks the form as live. All of the sandbox's forms are test forms, because it charges no money. */
async function serveFormAsLive(page: Page, { endpoint }: World): Promise<void> {
  await page.context().route(
    (url) => url.origin === endpoint && url.pathname === '/form',
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        json: { ...((await response.json()) as object), isTest: false },
      });
    },
  );
}

type CallArguments = readonly unknown[];
const readCalls = (
  page: Page,
): Promise<{ readonly google: CallArguments[]; readonly meta: CallArguments[] }> =>
  page.evaluate(() => {
    const { dataLayer, metaCalls: meta } = window as unknown as {
      dataLayer: ArrayLike<unknown>[];
      metaCalls: unknown[][];
    };
    return {
      google: dataLayer.filter((call) => call[0] === 'event').map((call) => Array.from(call)),
      meta,
    };
  });
const listEventNames = async (page: Page): Promise<unknown[]> =>
  (await readCalls(page)).google.map(([, name]) => name);
const grantConsent = (page: Page, ...purposes: string[]): Promise<void> =>
  page.evaluate((granted) => {
    (window as unknown as { gtag: (...args: unknown[]) => void }).gtag(
      'consent',
      'update',
      Object.fromEntries(granted.map((purpose) => [purpose, 'granted'])),
    );
  }, purposes);

test('reports the funnel and the donation once each to the tools with consent, also after a reload or in another tab', async ({
  page,
  world,
}) => {
  await page
    .context()
    .route('https://www.googletagmanager.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    );
  await serveFormAsLive(page, world);
  const url = addAnalyticsPage(world, await readSnippet(world));
  await page.goto(`${url}?segmentcode=MAIL26`);
  await findForm(page).getByRole('radio', { name: 'Monthly' }).check();
  await findSubmitButton(page).click();
  await fillDonor(page);
  expect(await readCalls(page)).toEqual({ google: [], meta: [] });
  await grantConsent(page, 'analytics_storage');
  await expect
    .poll(async () => (await listEventNames(page)).toSorted())
    .toEqual(['add_to_cart', 'begin_checkout', 'donation_form_error', 'view_item']);
  await fillCard(page);
  await findSubmitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  const reference = await readReference(page);
  expect((await readCalls(page)).google.slice(4)).toMatchObject([
    ['event', 'add_payment_info', { currency: 'USD', value: 50, frequency: 'monthly' }],
    [
      'event',
      'purchase',
      {
        transaction_id: reference,
        currency: 'USD',
        value: 50,
        items: [{ item_id: '1', price: 50, quantity: 1 }],
        frequency: 'monthly',
        segment: 'MAIL26',
        project: 'GENERAL',
      },
    ],
  ]);
  await grantConsent(page, 'ad_storage');
  expect((await readCalls(page)).meta).toEqual([]);
  await grantConsent(page, 'ad_user_data');
  await expect
    .poll(async () => (await readCalls(page)).meta)
    .toEqual([
      [
        'track',
        'Donate',
        {
          currency: 'USD',
          value: 50,
          content_ids: ['1'],
          frequency: 'monthly',
          segment: 'MAIL26',
          project: 'GENERAL',
        },
        { eventID: reference },
      ],
    ]);

  /**
   * Dispatches success events for the same and another donation.
   * @returns the donations that each tool was notified of.
   */
  const dispatchSuccessAgain = async (other: Page): Promise<unknown[]> => {
    await grantConsent(other, 'analytics_storage', 'ad_storage', 'ad_user_data');
    await other.evaluate((known) => {
      for (const name of [known, 'OTHER-GIFT']) {
        document.querySelector('donation-form')!.dispatchEvent(
          Object.assign(new Event('donation-form-success', { bubbles: true, composed: true }), {
            isTest: false,
            reference: name,
            gift: { amount: 5_000, total: 5_000, currency: 'USD', decimals: 2, frequency: 'once' },
            response: { projectSplit: [] },
          }),
        );
      }
    }, reference);
    const { google, meta } = await readCalls(other);
    return [
      ...google
        .filter(([, name]) => name === 'purchase')
        .map(([, , parameters]) => (parameters as { transaction_id: string }).transaction_id),
      ...meta.map(([, , , id]) => (id as { eventID: string }).eventID),
    ];
  };
  await page.goto(url);
  expect(await dispatchSuccessAgain(page)).toEqual(['OTHER-GIFT', 'OTHER-GIFT']);
  const tab = await page.context().newPage();
  await tab.goto(url);
  expect(await dispatchSuccessAgain(tab)).toEqual([]);
});

test('sends no personal data to analytics tools or their storage, and nothing about test donations', async ({
  page,
  world,
}) => {
  const before = `<script>
    window.dataLayer = [];
    window.ServiceDonorsForms = { consent: async () => true, settings: { donorInfo: { city: 'canary city' }, giftInfo: { comments: 'canary comment' }, customFieldPreset: [{ id: '12', value: 'canary preset' }] } };
  </script><script type="module" src="${world.endpoint}/analytics.js" data-tools="dataLayer, fbq" data-value="total"></script>`;
  const query = [
    'fname',
    'lname',
    'email',
    'phone',
    'address1',
    'address2',
    'city',
    'state',
    'postal',
    'comment',
    'utm_source',
    'utm_campaign',
    'gclid',
    'anything',
  ]
    .map((name) => `${name}=canary-${name}${name === 'email' ? '@example.org' : ''}`)
    .join('&');
  const donateAndReadCalls = async (
    formId: 'main' | 'full',
  ): Promise<{ google: { event?: string }[]; meta: CallArguments[]; all: string }> => {
    await page.goto(
      `${addAnalyticsPage(world, before, formId)}?segmentcode=canary@example.org&${query}`,
    );
    await page.getByLabel('Email', { exact: true }).fill('canary-typed@example.org');
    if (formId === 'full') {
      await findForm(page).getByRole('radio', { name: 'In honor of' }).check();
      await page.getByLabel('Their name').fill('canary tribute');
      await page.getByLabel('Country').selectOption({ label: 'Germany' });
      for (const [label, text] of [
        ['Address', 'canary street'],
        ['City', 'canary town'],
        ['Postal code', '10115'],
      ] as const)
        await page.getByLabel(label, { exact: true }).fill(text);
      await page.getByLabel(/How did you hear/).selectOption({ index: 1 });
      await page.getByLabel('I agree that Lanternwell stores my details').check();
    }
    await fillCard(page);
    await findSubmitButton(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    return page.evaluate(() => {
      const { dataLayer: google, metaCalls: meta } = window as unknown as {
        dataLayer: object[];
        metaCalls: unknown[][];
      };
      return { google, meta, all: JSON.stringify([google, meta, Object.entries(localStorage)]) };
    });
  };
  const testResult = await donateAndReadCalls('main');
  expect([testResult.google, testResult.meta, testResult.all.includes('canary')]).toEqual([
    [],
    [],
    false,
  ]);

  await serveFormAsLive(page, world);
  const { google, meta, all } = await donateAndReadCalls('full');
  expect(google.flatMap(({ event }) => event ?? [])).toEqual([
    'view_item',
    'add_to_cart',
    'begin_checkout',
    'add_payment_info',
    'purchase',
  ]);
  expect(google.at(-1)).toMatchObject({
    ecommerce: { transaction_id: await readReference(page), currency: 'USD' },
    donation: { frequency: 'once' },
  });
  expect(meta).toMatchObject([['track', 'Donate', { currency: 'USD' }, {}]]);
  expect(all).not.toContain('canary');
});

test('both snippets for Google Tag Manager fill its data layer', async ({ page, world }) => {
  const [, section = ''] = /## Google Tag Manager\n(.*?)\n## /s.exec(
    await readFile('docs/campaigns/analytics.md', 'utf8'),
  )!;
  const snippets = [...section.matchAll(/```html\n(.*?)```/gs)].map(([, snippet]) => snippet!);
  expect(snippets).toHaveLength(2);
  await serveFormAsLive(page, world);
  for (const snippet of snippets) {
    const settings = '<script>window.dataLayer = []; ServiceDonorsForms = { consent: () => true };';
    const code = snippet.replace('https://give.example.org', world.endpoint);
    await page.goto(addAnalyticsPage(world, `${settings}</script>${code}`));
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { dataLayer: unknown[] }).dataLayer))
      .toContainEqual(
        expect.objectContaining({
          event: 'view_item',
          ecommerce: expect.objectContaining({ currency: 'USD' }),
          donation: expect.objectContaining({ frequency: 'once' }),
        }),
      );
  }
});
