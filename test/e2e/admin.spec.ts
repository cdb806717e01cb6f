import { readFile } from 'node:fs/promises';
import { findViolations, findViolationsInBothSchemes } from './find-violations.ts';
import { expect, fillCard, fillDonor, findForm, findSubmitButton, test, World } from './world.ts';

/** A payment gateway that charges ten dollars less than requested. */
const GATEWAY = `export function createGateway() {
  const taken = new Map();
  return {
    createPayment: async ({ reference }) => ({ paymentId: 'paper_' + reference, status: 'unconfirmed' }),
    chargePayment: async ({ paymentId }, { total, currency }) => { taken.set(paymentId, { paymentId, status: 'succeeded', total: total - 1000, currency }); return taken.get(paymentId); },
    retrievePayment: async ({ paymentId }) => taken.get(paymentId) ?? { paymentId, status: 'unconfirmed' },
    cancelPayment: async ({ paymentId }) => taken.get(paymentId) ?? { paymentId, status: 'failed' },
  };
}`;

const HOSTILE_NAME = '<img src=x onerror=alert(1)>';

/** Page that a campaigner may not see. */
const FORBIDDEN_PATH = '/donations?campaigner';

const RECEIPTS = {
  receiptSender: 'us',
  receipts: { issuer: { name: 'Lanternwell, Inc.', address: ['1 Harbor Road'] } },
  mail: { host: '127.0.0.1', port: 9, from: 'giving@lanternwell.example' },
};

/** Makes a donation and returns its reference. @param amount minor units. */
async function createDonation(world: World, amount = 5_000): Promise<string> {
  const formResponse = await fetch(`${world.endpoint}/form`);
  const definition = (await formResponse.json()) as { id: string; projects: [{ id: string }] };
  const response = await fetch(`${world.endpoint}/donations`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': crypto.randomUUID(),
      Origin: world.page,
    },
    body: JSON.stringify({
      version: 1,
      definition: formResponse.headers.get('ETag'),
      gift: {
        amount,
        currency: 'USD',
        frequency: 'once',
        coverCosts: false,
        coveredFees: 0,
        total: amount,
        projects: [{ id: definition.projects[0].id, amount }],
      },
      donor: { firstName: HOSTILE_NAME, lastName: 'Souza', email: 'ana@example.org' },
      payment: { provider: 'paper', method: 0, token: 'paper' },
      form: { id: definition.id, page: `${world.page}/`, language: 'en' },
    }),
  });
  return ((await response.json()) as { reference: string }).reference;
}

test('a donation that needs review is found and resolved on the admin page, in both color schemes, on a phone, without JavaScript', async ({
  browser,
  page: phone,
}) => {
  const world = await World.open(
    () => [{ provider: 'module', name: 'paper', module: 'gateway.mjs', methods: ['card'] }],
    { files: { 'gateway.mjs': GATEWAY } },
  );
  const reference = await createDonation(world);
  await phone.setViewportSize({ width: 360, height: 740 });
  const isWiderThanWindow = () =>
    phone.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  phone.on('dialog', () => {
    throw new Error("the donor's name ran as a script");
  });
  await phone.goto(world.admin);
  expect([await findViolationsInBothSchemes(phone), await isWiderThanWindow()]).toEqual([
    [],
    false,
  ]);
  await world.signIn(phone);
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('1 item needs review');
  const review = phone.locator('#needs-review');
  await expect(review.getByText(`${HOSTILE_NAME} Souza`)).toBeVisible();
  expect([await findViolationsInBothSchemes(phone), await isWiderThanWindow()]).toEqual([
    [],
    false,
  ]);
  await review.getByRole('link', { name: reference }).click();
  await expect(phone.getByText('Reason: the payment provider charged 40.00 USD')).toBeVisible();
  expect([await findViolationsInBothSchemes(phone), await isWiderThanWindow()]).toEqual([
    [],
    false,
  ]);
  expect(phone.url()).toBe(`${world.admin}/donations/${reference}`);
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await world.signIn(page, `/donations/${reference}`);
  await expect(page.getByRole('button', { name: /^Paid|^Refunded/ })).toHaveText([
    'Paid: notify the platform',
    'Paid, and entered on the platform',
    'Refunded or not charged',
  ]);
  const option = page.locator('form.option', { hasText: 'reports the agreed amount of 50.00 USD' });
  await option.getByLabel('Note').fill('Ten dollars were a fee');
  await option.getByRole('button').click();
  await expect(page.getByRole('status')).toHaveText(
    'Saved: “Confirmed as paid”. New status of the payment: Received.',
  );
  await expect(page.getByText('Miriam Okafor decided: confirmed as paid.')).toBeVisible();
  await expect(page.getByText('Ten dollars were a fee')).toBeVisible();
  await expect.poll(() => world.listActivities()).toEqual([expect.stringContaining(reference)]);
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing needs review');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.goto(`${world.admin}/donations/${reference}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to the admin pages');
  await world.close();
});

test('the preview of a message is as high as the message, on phones and wide screens', async ({
  page,
}) => {
  const world = await World.open();
  await world.signIn(page, '/mail');
  const frame = page.locator('iframe');
  const measureRest = () =>
    frame.evaluate((element: HTMLIFrameElement) => {
      const { offsetHeight } = element.contentDocument!.documentElement;
      return offsetHeight > 100 ? element.clientHeight - offsetHeight : Infinity;
    });
  for (const width of [1_280, 360]) {
    await page.setViewportSize({ width, height: 740 });
    await expect.poll(measureRest).toBe(0);
    expect(await findViolations(page)).toEqual([]);
  }
  await world.close();
});

test('while an organization is paused, open forms keep their input, new forms show the fallback, and both work after it resumes', async ({
  page,
  context,
  world,
}) => {
  await page.goto(world.page);
  await expect(findSubmitButton(page)).toHaveText(/Give \$50/);
  await fillDonor(page);
  await fillCard(page);
  const admin = await context.newPage();
  await world.signIn(admin);
  await expect(admin.getByRole('button', { name: 'Pause Lanternwell' })).toBeHidden();
  await admin.getByText('Pause Lanternwell…').click();
  await expect(admin.getByText('Hide all forms of Lanternwell and reject')).toBeVisible();
  await admin.getByLabel('Note').fill('card testers since nine');
  await admin.getByRole('button', { name: 'Pause Lanternwell now' }).click();
  await expect(admin.getByText('Lanternwell is not accepting donations.')).toBeVisible();

  await findSubmitButton(page).click();
  await expect(findForm(page).locator('#notice')).toContainText(
    "You haven't been charged. Lanternwell isn't accepting donations right now. " +
      'Please try again later.',
  );
  await expect(page.getByLabel('First name')).toHaveValue('Ana');
  const late = await context.newPage();
  await late.goto(world.page);
  await expect(findForm(late)).toContainText("We couldn't load the donation form.");

  await admin.getByRole('button', { name: 'Resume Lanternwell' }).click();
  await expect(admin.getByRole('status')).toHaveText(
    'lanternwell is no longer paused. Within 5 seconds, all servers will accept donations to it again.',
  );
  await late.getByRole('button', { name: 'Try again' }).click();
  await expect(findSubmitButton(late)).toHaveText(/Give \$50/);
  await fillCard(page);
  await findSubmitButton(page).click();
  await expect(findForm(page).getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
});

test('a donation is found by name and month, and its page says what came of it, without JavaScript', async ({
  browser,
}) => {
  const world = await World.open(
    () => [{ provider: 'module', name: 'paper', module: 'gateway.mjs', methods: ['card'] }],
    { files: { 'gateway.mjs': GATEWAY.replace('total: total - 1000', 'total') } },
  );
  const reference = await createDonation(world);
  await expect.poll(() => world.listActivities()).toEqual([expect.stringContaining(reference)]);
  for (const [width, colorScheme] of [
    [1_280, 'light'],
    [390, 'dark'],
  ] as const) {
    const viewport = { width, height: 800 };
    const page = await (
      await browser.newContext({ colorScheme, viewport, javaScriptEnabled: width === 1_280 })
    ).newPage();
    const expectAccessible = async (): Promise<void> => {
      const isWider = () => document.documentElement.scrollWidth > innerWidth;
      if (width === 1_280)
        expect([await findViolations(page), await page.evaluate(isWider)]).toEqual([[], false]);
    };
    await world.signIn(page);
    await expect(page.locator('#income')).toContainText('1 donation: 1 one-time, 0 recurring');
    await page.locator('#income').getByText('Show the numbers').click();
    await expect(page.locator('#income').getByRole('row')).toHaveCount(2);
    await expectAccessible();
    await page.getByRole('link', { name: 'Donations', exact: true }).click();
    const month = new Date().toLocaleDateString('en-US', {
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    });
    await page.getByLabel('Period').selectOption(month);
    await page.getByLabel('Name, email, reference').fill('SOUZA');
    await page.getByRole('button', { name: 'Show' }).click();
    await expect(page.getByRole('heading', { level: 2 })).toHaveText('1 donation');
    expect(page.url()).not.toMatch(/souza/i);
    await expectAccessible();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export as CSV' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toContain(reference);
    await page.getByRole('table').getByRole('link', { name: 'Souza' }).click();
    await expect(page.locator('#story')).toContainText('Recorded on the platform as gift');
    await expectAccessible();
    await page.goBack();
    await expect(page.getByLabel('Name, email, reference')).toHaveValue('SOUZA');
    await page.context().close();
  }
  await world.close();
});

test('no admin page violates a rule of axe, or scrolls sideways on a phone of 240 px, or of 390 px with double text size', async ({
  page,
}) => {
  await using world = await World.open(
    () => [{ provider: 'module', name: 'paper', module: 'gateway.mjs', methods: ['card'] }],
    {
      files: {
        'gateway.mjs': GATEWAY.replace('total - 1000', 'total % 5000 ? total - 1000 : total'),
      },
      organization: RECEIPTS,
    },
  );
  const references = [await createDonation(world), await createDonation(world, 123_456)];
  await world.signIn(page);
  const paths = [
    '/',
    '/donations',
    ...references.map((reference) => `/donations/${reference}`),
    '/receipts',
    '/mail',
    '/staff',
    '/audit-log',
    '/account',
    '/builder',
    '/sign-in',
    FORBIDDEN_PATH,
  ];
  await expect
    .poll(async () => (await page.goto(`${world.admin}/receipts`))!.text())
    .toContain('WEB-');
  const findOverflow = (fontSize: string): Promise<string[]> =>
    page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
      for (const details of document.querySelectorAll('details')) details.open = true;
      if (document.documentElement.scrollWidth <= innerWidth) return [];
      return [...document.querySelectorAll('body *')]
        .filter((element) => element.getBoundingClientRect().right > innerWidth)
        .map((element) => element.outerHTML.slice(0, 80));
    }, fontSize);
  const problems: Record<string, string[]> = {};
  // Most tests use the light colors.
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const path of paths) {
    if (path === '/sign-in') await page.context().clearCookies();
    if (path === FORBIDDEN_PATH) await world.signIn(page, path, 'campaigner');
    else await page.goto(world.admin + path);
    const violations = await findViolations(page);
    if (violations.length > 0) problems[path] = violations;
    for (const [width, fontSize] of [
      [240, '100%'],
      [390, '200%'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      const overflow = await findOverflow(fontSize);
      if (overflow.length > 0) problems[`${path} at ${width} px`] = overflow;
    }
  }
  expect(problems).toEqual({});
});
