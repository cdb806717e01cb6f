import { expect } from 'playwright/test';
import { chromium } from '../browsers.ts';
import { fillCard, fillDonor, form, giveButton, test } from './world.ts';

const html = (body: string): string =>
  `<!doctype html><html lang="en"><title>A page</title><body>${body}`;
/** The body of the gift that is sent when the button is pressed. */
const givenBy = async (
  page: import('playwright/test').Page,
): Promise<{ gift: { segment?: string }; tracking?: object }> => {
  const posted = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/donations'),
  );
  await fillDonor(page);
  await fillCard(page);
  await giveButton(page).click();
  return (await posted).postDataJSON() as { gift: { segment?: string }; tracking?: object };
};

test('a campaign that a visitor landed with is on the gift two pages later, where the visitor agreed', async ({
  page,
  world,
}) => {
  world.pages
    .set(
      '/story',
      html(
        `<a href="/next">On</a><script type="module" src="${world.endpoint}/attribution.js" data-consent="granted"></script>`,
      ),
    )
    .set('/next', html('<a href="/">Give</a>'));
  await page.goto(
    `${world.page}/story?SRC=MAIL26&utm_source=mail&gclid=c1&email=canary@example.org`,
  );
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem('donation-form-landing')))
    .toBe('?SRC=MAIL26&utm_source=mail&gclid=c1');
  await page.getByRole('link', { name: 'On' }).click();
  await page.getByRole('link', { name: 'Give' }).click();
  const { gift, tracking } = await givenBy(page);
  expect([gift.segment, tracking]).toEqual(['MAIL26', { utmSource: 'mail', adClickId: 'c1' }]);
});

test('without consent nothing of a campaign is kept; a function may say so, and later', async ({
  page,
  world,
}) => {
  const story = (consent: string) =>
    html(
      `<script>window.ServiceDonorsForms = { consent: ${consent} }</script><script type="module" src="${world.endpoint}/attribution.js"></script><p>Done`,
    );
  const kept = () => page.evaluate(() => sessionStorage.getItem('donation-form-landing'));
  for (const [consent, expected] of [
    ['() => false', null],
    ['() => new Promise((resolve) => setTimeout(resolve, 100, true))', '?src=MAIL26'],
    ['undefined', null],
  ] as const) {
    world.pages.set('/story', story(consent));
    await page.goto(`${world.page}/story?src=MAIL26`, { waitUntil: 'networkidle' });
    await expect.poll(kept, { message: consent }).toBe(expected);
  }
});

test('personal data of a link reaches nothing but the form: no request, no referrer, no console, no report', async ({
  page,
  world,
}) => {
  const seen: string[] = [];
  page.on('console', (message) => seen.push(`console ${message.text()}`));
  await page.goto(
    `${world.page}/?fname=canary-name&email=canary@example.org&phone=canary-phone&fund-code=WATTER&amt=75`,
  );
  await expect(giveButton(page)).toHaveText('Give $75');
  page.on('request', (request) =>
    seen.push(
      `${request.method()} ${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`,
    ),
  );
  await expect(page).toHaveURL(`${world.page}/?fund-code=WATTER&amt=75`);
  await expect(form(page).getByLabel('First name')).toHaveValue('canary-name');
  await page.evaluate(() => {
    document.body.append(
      Object.assign(document.createElement('img'), { src: '/images/tap.svg?late' }),
    );
  });
  await expect.poll(() => seen.some((text) => text.includes('tap.svg?late'))).toBe(true);
  expect(seen.filter((text) => text.includes('canary'))).toEqual([]);
});

test('no key of the server stands in anything that it serves', async ({ request, world }) => {
  const page = await (await request.get(`${world.endpoint}/links`)).text();
  const script = await (await request.get(`${world.endpoint}/donation-form.js`)).text();
  const late = [...new Set(script.match(/donation-form\.[\w-]+\.js/g))];
  expect([page.includes('Campaign links'), late.length > 2]).toEqual([true, true]);
  for (const address of [
    ...[
      'form',
      'healthz',
      'links',
      'links/preview/main',
      'pages/campaign-links.js',
      'donation-form.js',
      'attribution.js',
      'nothing',
      ...late,
    ].map((name) => `${world.endpoint}/${name}`),
    `${world.operator}/ignored-settings`,
    `${world.operator}/`,
  ]) {
    const response = await request.get(address);
    expect(`${JSON.stringify(response.headers())} ${await response.text()}`, address).not.toContain(
      'canary',
    );
  }
});

test('what forms ignored is told to the operator, by name, reason and segment', async ({
  page,
  world,
}) => {
  const told = async (): Promise<unknown> =>
    ((await (await fetch(`${world.operator}/ignored-settings`)).json()) as { items: unknown })
      .items;
  const reported = page.waitForResponse(
    (response) =>
      response.url().endsWith('/ignored-settings') && response.request().method() === 'POST',
  );
  await page.goto(`${world.page}/?fund-code=WATTER&amt=1,000&segmentcode=MAIL26`);
  expect((await reported).status()).toBe(204);
  const day = new Date().toISOString().slice(0, 10);
  expect(await told()).toEqual([
    { form: 'main', name: 'amt', reason: 'invalid', segment: 'MAIL26', count: 1, lastDay: day },
    {
      form: 'main',
      name: 'fund-code',
      reason: 'not-offered',
      segment: 'MAIL26',
      count: 1,
      lastDay: day,
    },
  ]);
});

test('rule 59: a page without HTTPS takes no payment, and what stands in the element shows', async ({
  world,
  playwright,
}) => {
  const browser = await playwright.chromium.launch({
    ...chromium,
    args: [...(chromium.args ?? []), '--host-resolver-rules=MAP insecure.example 127.0.0.1'],
  });
  const page = await browser.newPage();
  await page.goto(world.page.replace('127.0.0.1', 'insecure.example'));
  await expect(
    form(page).getByText('This page is not encrypted, so no gift is taken here.'),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: /to give by transfer or cheque/ })).toBeVisible();
  await expect(form(page).locator('input')).toHaveCount(0);
  await browser.close();
});

test('the script with a version behind its address, and twice on a page, loads its late parts once and works', async ({
  page,
  world,
}) => {
  const loaded: string[] = [];
  const warned: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('.js') || request.url().includes('.js?'))
      loaded.push(request.url().slice(world.endpoint.length));
  });
  page.on('console', (message) => {
    if (message.type() === 'warning') warned.push(message.text());
  });
  const tag = (name: string): string =>
    `<script type="module" src="${world.endpoint}/${name}"></script>`;
  world.pages.set(
    '/twice',
    html(
      `${tag('donation-form.js?ver=6.2')}${tag('donation-form.js')}<donation-form endpoint="${world.endpoint}"></donation-form>`,
    ),
  );
  await page.goto(`${world.page}/twice`);
  await givenBy(page);
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  expect(warned).toEqual([
    'donation-form: version 0.1.0 is on this page already, so version 0.1.0 does nothing. Keep one of the two script tags.',
  ]);
  expect(loaded.filter((name) => name.startsWith('/donation-form.js'))).toEqual([
    '/donation-form.js?ver=6.2',
    '/donation-form.js',
  ]);
  expect(new Set(loaded).size).toBe(loaded.length);
});

test('script strings in every text that a page or a link can set run nothing under Trusted Types', async ({
  page,
  world,
}) => {
  const bad = '<img src=x onerror="broken=1"><script>broken=1</script>{{constructor}}${broken=1}';
  await page.route(`${world.endpoint}/form`, async (route) => {
    const response = await route.fetch();
    const definition = (await response.json()) as {
      organization: object;
      currencies: { giftArray: object[] }[];
      projects: { name: string }[];
    };
    const [usd] = definition.currencies;
    await route.fulfill({
      response,
      json: {
        ...definition,
        organization: { name: bad, contact: bad },
        currencies: [
          {
            ...usd,
            giftArray: usd!.giftArray.map((option) => ({
              ...option,
              description: bad,
              displayValue: bad,
            })),
          },
        ],
        projects: definition.projects.map((project) => ({ ...project, name: bad })),
      },
    });
  });
  await page.addInitScript((text) => {
    Object.defineProperty(window, 'ServiceDonorsForms', {
      value: Object.freeze({
        settings: {
          donorInfo: { firstName: text, lastName: text, email: text },
          giftInfo: {
            comments: text,
            segmentOverrideCode: text.slice(0, 90),
            giftArrays: [{ value: '25', description: text, displayValue: text }],
          },
          customFieldPreset: [{ id: text, value: text }],
        },
      }),
      writable: false,
    });
  }, bad);
  await page.goto(
    `${world.page}/?firstname=${encodeURIComponent(bad)}&comment=${encodeURIComponent(bad)}&fund-code=${encodeURIComponent(bad)}&donation-form-debug`,
  );
  await expect(form(page).getByText('Where the settings came from')).toBeVisible();
  await expect(form(page).getByLabel('First name')).toHaveValue(bad);
  await giveButton(page).click();
  await expect(page.getByRole('alert')).toBeVisible();
  expect(await page.evaluate(() => (window as { broken?: number }).broken)).toBeUndefined();
});
