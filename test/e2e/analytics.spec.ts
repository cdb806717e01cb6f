import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import {
  expect,
  fillCard,
  fillDonor,
  form,
  giveButton,
  referenceOf,
  test,
  type World,
} from './world.ts';

/** What docs/analytics.md puts into a page for Google Analytics 4. */
async function documented({ endpoint }: World): Promise<string> {
  const [, block = ''] = /### Google Analytics 4\n\n```html\n(.*?)```/s.exec(
    await readFile('docs/analytics.md', 'utf8'),
  )!;
  return block.replace('https://give.example.org', endpoint);
}

/**
 * Stands in for Meta's script, and remembers what it is told. Google's is not loaded either: what
 * it would read stands in `dataLayer`.
 */
const FBQ =
  '<script>window.metaTold = []; window.fbq = (...words) => { metaTold.push(words); };</script>';

/** The address of a page with a form. */
function open(world: World, before: string, formId = 'main'): string {
  const path = `/measured-${world.pages.size}`;
  world.pages.set(
    path,
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Give</title>${FBQ}${before}
<script type="module" src="${world.endpoint}/donation-form.js"></script><body><donation-form endpoint="${world.endpoint}" form-id="${formId}"></donation-form>`,
  );
  return world.page + path;
}

/**
 * The sandbox moves no money, so all its forms are tests: here the endpoint's answer says
 * otherwise.
 */
async function pretendReal(page: Page, { endpoint }: World): Promise<void> {
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

type Words = readonly unknown[];
const told = (page: Page): Promise<{ readonly google: Words[]; readonly meta: Words[] }> =>
  page.evaluate(() => {
    const { dataLayer, metaTold: meta } = window as unknown as {
      dataLayer: ArrayLike<unknown>[];
      metaTold: unknown[][];
    };
    return {
      google: dataLayer.filter((words) => words[0] === 'event').map((words) => Array.from(words)),
      meta,
    };
  });
const eventsOf = async (page: Page): Promise<unknown[]> =>
  (await told(page)).google.map(([, name]) => name);
const grant = (page: Page, ...purposes: string[]): Promise<void> =>
  page.evaluate((granted) => {
    (window as unknown as { gtag: (...words: unknown[]) => void }).gtag(
      'consent',
      'update',
      Object.fromEntries(granted.map((purpose) => [purpose, 'granted'])),
    );
  }, purposes);

test('the way to a gift and the gift are told once each, when the visitor agrees, and to whom; not again after a reload or in another tab', async ({
  page,
  world,
}) => {
  await page
    .context()
    .route('https://www.googletagmanager.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    );
  await pretendReal(page, world);
  const address = open(world, await documented(world));
  await page.goto(`${address}?segmentcode=MAIL26`);
  await form(page).getByRole('radio', { name: 'Monthly' }).check();
  await giveButton(page).click();
  await fillDonor(page);
  expect(await told(page)).toEqual({ google: [], meta: [] });
  await grant(page, 'analytics_storage');
  await expect
    .poll(async () => (await eventsOf(page)).toSorted())
    .toEqual(['add_to_cart', 'begin_checkout', 'donation_form_error', 'view_item']);
  await fillCard(page);
  await giveButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  const reference = await referenceOf(page);
  expect((await told(page)).google.slice(4)).toMatchObject([
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
  await grant(page, 'ad_storage');
  expect((await told(page)).meta).toEqual([]);
  await grant(page, 'ad_user_data');
  await expect
    .poll(async () => (await told(page)).meta)
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

  /** Lets a page hear of that gift again, and of another one. @returns who is told of which. */
  const hearAgain = async (other: Page): Promise<unknown[]> => {
    await grant(other, 'analytics_storage', 'ad_storage', 'ad_user_data');
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
    const { google, meta } = await told(other);
    return [
      ...google
        .filter(([, name]) => name === 'purchase')
        .map(([, , parameters]) => (parameters as { transaction_id: string }).transaction_id),
      ...meta.map(([, , , id]) => (id as { eventID: string }).eventID),
    ];
  };
  await page.goto(address);
  expect(await hearAgain(page)).toEqual(['OTHER-GIFT', 'OTHER-GIFT']);
  const tab = await page.context().newPage();
  await tab.goto(address);
  expect(await hearAgain(tab)).toEqual([]);
});

test('nothing of who gives, and of a gift that is a test nothing at all, comes to a tool or into a store, whatever stands in the form and in the address', async ({
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
  const give = async (
    formId: 'main' | 'whole',
  ): Promise<{ google: { event?: string }[]; meta: Words[]; all: string }> => {
    await page.goto(`${open(world, before, formId)}?segmentcode=canary@example.org&${query}`);
    await page.getByLabel('E-mail', { exact: true }).fill('canary-typed@example.org');
    if (formId === 'whole') {
      await form(page).getByRole('radio', { name: 'In honour' }).check();
      await page.getByLabel('Whose name').fill('canary tribute');
      await page.getByLabel('Country').selectOption({ label: 'Germany' });
      for (const [label, text] of [
        ['Address', 'canary street'],
        ['City', 'canary town'],
        ['Postal code', '10115'],
      ] as const)
        await page.getByLabel(label, { exact: true }).fill(text);
      await page.getByLabel(/How did you hear/).selectOption({ index: 1 });
      await page.getByLabel('I agree that Lanternwell keeps my details').check();
    }
    await fillCard(page);
    await giveButton(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    return page.evaluate(() => {
      const { dataLayer: google, metaTold: meta } = window as unknown as {
        dataLayer: object[];
        metaTold: unknown[][];
      };
      return { google, meta, all: JSON.stringify([google, meta, Object.entries(localStorage)]) };
    });
  };
  const ofTest = await give('main');
  expect([ofTest.google, ofTest.meta, ofTest.all.includes('canary')]).toEqual([[], [], false]);

  await pretendReal(page, world);
  const { google, meta, all } = await give('whole');
  expect(google.flatMap(({ event }) => event ?? [])).toEqual([
    'view_item',
    'add_to_cart',
    'begin_checkout',
    'add_payment_info',
    'purchase',
  ]);
  expect(google.at(-1)).toMatchObject({
    ecommerce: { transaction_id: await referenceOf(page), currency: 'USD' },
    donation: { frequency: 'once' },
  });
  expect(meta).toMatchObject([['track', 'Donate', { currency: 'USD' }, {}]]);
  expect(all).not.toContain('canary');
});
