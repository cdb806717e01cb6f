import { expect, type Page, type Request } from 'playwright/test';
import {
  fillCard,
  fillDonor,
  findForm,
  findSubmitButton,
  PLATFORM_KEY,
  readReference,
  SECRET_KEY,
  test,
  type World,
} from './world.ts';

// Animations run, as for most donors.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const LINK = '/?amt=75&Frequency=monthly&FName=Ana&segmentcode=MAIL26&fund-code=WATER';

const isDonation = (request: Request): boolean =>
  request.method() === 'POST' && request.url().endsWith('/donations');

/** Makes the payment processor stop responding when the page submits a donation. */
async function freezeSandboxAtDonation(page: Page, world: World): Promise<void> {
  await page.route(
    `${world.endpoint}/donations`,
    (route) => {
      world.freezeSandbox();
      return route.continue();
    },
    { times: 1 },
  );
}

test('a donation gets from a campaign link to the platform, and the page receives the success event', async ({
  page,
  world,
}) => {
  await page.goto(world.page + LINK);
  await expect(findSubmitButton(page)).toHaveText('Give $75 a month');
  await expect(page.getByLabel('First name')).toHaveValue('Ana');
  await expect(findForm(page).locator('.fixed-project')).toHaveText(
    'Your donation supports Village wells',
  );
  await page.getByLabel('Last name').fill('Souza');
  await page.getByLabel('Email').fill('ana@example.org');
  await page.getByLabel('cover the transaction fees').check();
  await expect(findSubmitButton(page)).toHaveText('Give $77.55 a month');
  await fillCard(page);
  await findSubmitButton(page).click();

  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeFocused();
  await expect(findForm(page).locator('.total')).toHaveText('$75 a month');
  const reference = await readReference(page);
  expect(await world.listCharges()).toMatchObject([{ amount: 7_755 }]);
  expect(await world.listActivities()).toEqual([
    `Ana Souza gave 77.55 USD monthly to Village wells (${reference})`,
  ]);

  await page.getByText('Event log').click();
  await expect(page.locator('#settings li')).toContainText([
    'amount: "75" from the URL (amt)',
    'projectOverride: "WATER"',
    'firstName: "Ana" from the URL (FName)',
    'frequency: "monthly" from the URL (Frequency)',
    'segment: "MAIL26"',
  ]);
  const log = page.locator('#log li');
  await expect(log.locator('strong')).toHaveText([
    'onSuccess(response)',
    'donation-form-success',
    'donation-form-submit',
    'onLoad()',
    'donation-form-load',
  ]);
  const response = JSON.parse((await log.first().locator('pre').textContent()) ?? '') as Record<
    string,
    unknown
  >;
  expect(response).toEqual({
    success: true,
    message: null,
    transactionId: expect.stringMatching(/^pi_/),
    amount: 77.55,
    frequency: 12,
    segment: 'MAIL26',
    // The response waits a second for it; a busy platform takes longer.
    giftId: response.giftId === null ? null : 1,
    projectSplit: [
      { projectId: '2', projectName: 'Village wells', projectCode: 'WATER', amount: '75.00' },
    ],
  });
});

test(
  'no secret key reaches the browser, and the card number reaches neither page nor endpoint',
  { tag: '@chromium' },
  async ({ page, world }) => {
    const received: Promise<string>[] = [];
    const sent: string[] = [];
    page.on('response', (response) =>
      received.push(
        response.text().then(
          (text) => text + JSON.stringify(response.headers()),
          () => '',
        ),
      ),
    );
    page.on('request', (request) => {
      if (!request.url().startsWith(world.sandbox))
        sent.push(request.url() + JSON.stringify(request.headers()) + (request.postData() ?? ''));
    });
    await page.goto(world.page);
    await fillDonor(page);
    await fillCard(page);
    await findSubmitButton(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
    // The build removes spaces from templates.
    await expect(findForm(page).locator('.reference')).toContainText(
      /Reference \w{5}-\w{5}\s*Copy\s*Questions\? Email/,
    );
    const everything = (await Promise.all(received)).join('');
    expect(everything).toContain('"transactionId"');
    for (const key of [PLATFORM_KEY, SECRET_KEY]) expect(everything).not.toContain(key);
    expect(sent.join('')).toContain('"token"');
    expect(sent.join('').replaceAll(' ', '')).not.toContain('4242424242424242');
  },
);

test(
  'after a server crash, submitting again charges once',
  { tag: '@chromium' },
  async ({ page, world }) => {
    await world.spawnEndpoint();
    await page.goto(`${world.page}/?amount=60`);
    await fillDonor(page);
    await fillCard(page);
    await freezeSandboxAtDonation(page, world);
    await findSubmitButton(page).click();
    await expect.poll(() => world.pendingCalls).toBe(1);
    await expect(findSubmitButton(page)).toHaveText('Sending your donation…');
    await world.killEndpoint();
    await expect(findForm(page).locator('#notice')).toContainText(
      "We couldn't reach Lanternwell, but your details are still here.",
    );
    await expect(page.getByLabel('Email')).toHaveValue('ana@example.org');
    await expect(findSubmitButton(page)).toHaveText('Try again · $60');

    const failed = page.waitForEvent('requestfailed', isDonation);
    await findSubmitButton(page).click();
    world.thawSandbox();
    await failed;
    await expect(findForm(page).locator('#notice')).toContainText("We couldn't reach Lanternwell");
    await world.spawnEndpoint();
    await findSubmitButton(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
    expect(await world.listCharges()).toMatchObject([{ amount: 6_000 }]);
    expect(await world.listActivities()).toHaveLength(1);
  },
);

test('after a reload during the donation, the page shows the outcome and receives one success event', async ({
  page,
  world,
}) => {
  await page.goto(world.page);
  await fillDonor(page);
  await fillCard(page);
  await freezeSandboxAtDonation(page, world);
  await findSubmitButton(page).click();
  await expect.poll(() => world.pendingCalls).toBe(1);
  await page.reload();
  await expect(page.getByRole('heading', { name: "We're confirming your payment" })).toBeFocused();
  world.thawSandbox();
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible({ timeout: 20_000 });
  await expect(page.locator('#log strong')).toHaveText([
    'onSuccess(response)',
    'donation-form-success',
    'donation-form-error',
    'onLoad()',
    'donation-form-load',
  ]);
  expect(await world.listCharges()).toHaveLength(1);
  await page.reload();
  await expect(findSubmitButton(page)).toHaveText('Give $50');
  await expect(page.locator('#log strong')).toHaveText(['onLoad()', 'donation-form-load']);
});

test('the page has a strict Content-Security-Policy', { tag: '@chromium' }, async ({ world }) => {
  const policy = (await fetch(world.page)).headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*/);
});

test(
  'the tests detect Content-Security-Policy violations',
  { tag: '@chromium' },
  async ({ page, world, violations }) => {
    await page.goto(world.page);
    await page.evaluate(() => {
      document.body.setAttribute('style', 'color: red');
    });
    await expect.poll(() => violations.length).toBe(2);
    violations.length = 0;
  },
);

test(
  'the fallback link remains if the script is blocked',
  { tag: '@chromium' },
  async ({ page, world }) => {
    await page.route('**/donation-form.js', (route) => route.abort());
    await page.goto(world.page);
    await expect(
      page.getByRole('link', { name: /to give by bank transfer or check/ }),
    ).toBeVisible();
  },
);

test('clicking or tapping anywhere on the custom amount focuses its field', async ({
  browser,
  world,
}) => {
  const page = await browser.newPage({ hasTouch: true });
  await page.goto(world.page);
  // The part that handles the click, and renders the summary, loads after the first paint.
  await expect(findForm(page).locator('.summary')).not.toBeEmpty();
  for (const press of ['click', 'tap'] as const) {
    for (const [x, y] of [
      [6, 6],
      [30, 20],
      [60, 38],
    ] as const) {
      await page.getByRole('radio', { name: /^\$50 / }).check();
      await expect(findSubmitButton(page)).toHaveText('Give $50');
      await findForm(page).locator('.custom-amount')[press]({ position: { x, y } });
      await expect(
        findForm(page).locator('[name=customAmount]'),
        `${press} at ${x}, ${y}`,
      ).toBeFocused();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('33.5');
      await expect(findSubmitButton(page)).toHaveText('Give $33.50');
    }
  }
  await page.close();
});
