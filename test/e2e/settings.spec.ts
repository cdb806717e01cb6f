import { expect } from 'playwright/test';
import { chromium } from '../browsers.ts';
import { fillCard, fillDonor, findForm, findSubmitButton, test } from './world.ts';

const renderPage = (body: string): string =>
  `<!doctype html><html lang="en"><title>A page</title><body>${body}`;
/** Submits the form and returns the body of the donation request. */
const readSubmittedRequest = async (
  page: import('playwright/test').Page,
): Promise<{ gift: { segment?: string }; tracking?: object }> => {
  const posted = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/donations'),
  );
  await fillDonor(page);
  await fillCard(page);
  await findSubmitButton(page).click();
  return (await posted).postDataJSON() as { gift: { segment?: string }; tracking?: object };
};

test('with consent, a donation two pages after the landing page contains the campaign', async ({
  page,
  world,
}) => {
  world.pages
    .set(
      '/story',
      renderPage(
        `<a href="/next">On</a><script type="module" src="${world.endpoint}/attribution.js" ` +
          'data-consent="granted"></script>',
      ),
    )
    .set('/next', renderPage('<a href="/">Give</a>'));
  await page.goto(
    `${world.page}/story?SRC=MAIL26&utm_source=mail&gclid=c1&email=canary@example.org`,
  );
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem('donation-form-landing')))
    .toBe('?SRC=MAIL26&utm_source=mail&gclid=c1');
  await page.getByRole('link', { name: 'On' }).click();
  await page.getByRole('link', { name: 'Give' }).click();
  const { gift, tracking } = await readSubmittedRequest(page);
  expect([gift.segment, tracking]).toEqual(['MAIL26', { utmSource: 'mail', adClickId: 'c1' }]);
});

test('personal data in a link reaches only the form: no request, referrer, console message, or report', async ({
  page,
  world,
}) => {
  const messages: string[] = [];
  page.on('console', (message) => messages.push(`console ${message.text()}`));
  await page.goto(
    `${world.page}/?fname=canary-name&email=canary@example.org&phone=canary-phone&fund-code=WATTER&amt=75`,
  );
  await expect(findSubmitButton(page)).toHaveText('Give $75');
  page.on('request', (request) =>
    messages.push(
      `${request.method()} ${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`,
    ),
  );
  await expect(page).toHaveURL(`${world.page}/?fund-code=WATTER&amt=75`);
  await expect(findForm(page).getByLabel('First name')).toHaveValue('canary-name');
  await page.evaluate(() => {
    document.body.append(
      Object.assign(document.createElement('img'), { src: '/images/tap.svg?late' }),
    );
  });
  await expect.poll(() => messages.some((text) => text.includes('tap.svg?late'))).toBe(true);
  expect(messages.filter((text) => text.includes('canary'))).toEqual([]);
});

test('no response of the server contains a secret key', async ({ request, world }) => {
  const page = await (await request.get(`${world.endpoint}/links`)).text();
  const script = await (await request.get(`${world.endpoint}/donation-form.js`)).text();
  const chunks = [...new Set(script.match(/donation-form\.[\w-]+\.js/g))];
  expect([page.includes('Campaign links'), chunks.length > 2]).toEqual([true, true]);
  for (const url of [
    ...[
      'form',
      'healthz',
      'links',
      'links/preview/main',
      'pages/campaign-links.js',
      'donation-form.js',
      'attribution.js',
      'nothing',
      ...chunks,
    ].map((name) => `${world.endpoint}/${name}`),
    `${world.admin}/settings-report`,
    `${world.admin}/`,
  ]) {
    const response = await request.get(url);
    expect(`${JSON.stringify(response.headers())} ${await response.text()}`, url).not.toContain(
      'canary',
    );
  }
});

test('rule 59: a page without HTTPS accepts no payment and shows the fallback content', async ({
  world,
  playwright,
}) => {
  const browser = await playwright.chromium.launch({
    ...chromium,
    args: [...(chromium.args ?? []), '--host-resolver-rules=MAP insecure.example 127.0.0.1'],
  });
  const page = await browser.newPage();
  const messages: string[] = [];
  page.on('console', (message) => {
    messages.push(message.text());
  });
  await page.goto(world.page.replace('127.0.0.1', 'insecure.example'));
  await expect(
    findForm(page).getByText("This page isn't secure, so you can't give here."),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: /to give by bank transfer or check/ })).toBeVisible();
  await expect(findForm(page).locator('input')).toHaveCount(0);
  await expect
    .poll(() => messages.join())
    .toMatch(
      /insecure\.example:\d+ does not use HTTPS, which payments require.* \(insecure-page\)/,
    );
  await browser.close();
});

test('a script with a version in its URL, included twice, loads its chunks once and works', async ({
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
  const renderScriptTag = (name: string): string =>
    `<script type="module" src="${world.endpoint}/${name}"></script>`;
  world.pages.set(
    '/twice',
    renderPage(
      `${renderScriptTag('donation-form.js?ver=6.2')}${renderScriptTag('donation-form.js')}<donation-form ` +
        `endpoint="${world.endpoint}"></donation-form>`,
    ),
  );
  await page.goto(`${world.page}/twice`);
  await readSubmittedRequest(page);
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  expect(warned).toEqual([
    expect.stringMatching(
      new RegExp(
        '^donation-form: This page already has version (\\S+), so version \\1 is ignored\\. ' +
          'Remove one of the two script tags\\.$',
      ),
    ),
  ]);
  expect(loaded.filter((name) => name.startsWith('/donation-form.js'))).toEqual([
    '/donation-form.js?ver=6.2',
    '/donation-form.js',
  ]);
  expect(new Set(loaded).size).toBe(loaded.length);
});

test('under Trusted Types, script strings in settings, links, and definitions run nothing', async ({
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
  await expect(findForm(page).getByText('Where the settings came from')).toBeVisible();
  await expect(findForm(page).getByLabel('First name')).toHaveValue(bad);
  await findSubmitButton(page).click();
  await expect(page.getByRole('alert')).toBeVisible();
  expect(await page.evaluate(() => (window as { broken?: number }).broken)).toBeUndefined();
});
