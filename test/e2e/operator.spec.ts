import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import {
  expect,
  fillCard,
  fillDonor,
  form,
  giveButton,
  OPERATOR_KEY,
  test,
  World,
} from './world.ts';

/** A processor that takes ten dollars less than it was asked for. */
const GATEWAY = `export function createGateway() {
  const taken = new Map();
  return {
    create: async ({ reference }) => ({ paymentId: 'paper_' + reference, state: 'open' }),
    confirm: async ({ paymentId }, { total, currency }) => { taken.set(paymentId, { paymentId, state: 'succeeded', total: total - 1000, currency }); return taken.get(paymentId); },
    retrieve: async ({ paymentId }) => taken.get(paymentId) ?? { paymentId, state: 'open' },
    cancel: async ({ paymentId }) => taken.get(paymentId) ?? { paymentId, state: 'canceled' },
  };
}`;

const HOSTILE = '<img src=x onerror=alert(1)>';

/** @returns the gift's reference. */
async function give(world: World): Promise<string> {
  const answer = await fetch(`${world.endpoint}/form`);
  const definition = (await answer.json()) as { id: string; projects: [{ id: string }] };
  const response = await fetch(`${world.endpoint}/donations`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': crypto.randomUUID(),
      Origin: world.page,
    },
    body: JSON.stringify({
      version: 1,
      definition: answer.headers.get('ETag'),
      gift: {
        amount: 5_000,
        currency: 'USD',
        frequency: 'once',
        coverCosts: false,
        costs: 0,
        total: 5_000,
        projects: [{ id: definition.projects[0].id, amount: 5_000 }],
      },
      donor: { firstName: HOSTILE, lastName: 'Souza', email: 'ana@example.org' },
      payment: { provider: 'paper', method: 0, token: 'paper' },
      form: { id: definition.id, page: `${world.page}/`, language: 'en' },
    }),
  });
  return ((await response.json()) as { reference: string }).reference;
}

async function logIn(page: Page, world: World, path = '/'): Promise<void> {
  await page.goto(world.operator + path);
  await page.getByLabel('Your name').fill('Miriam Okafor');
  await page.getByLabel('The operator’s key').fill(OPERATOR_KEY);
  await page.getByRole('button', { name: 'Log in' }).click();
}

async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(await readFile('node_modules/axe-core/axe.min.js', 'utf8'));
  return page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as {
        axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      }
    ).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
  });
}

test("a held gift is found, understood and settled on the operator's page, in light and dark, on a phone, and whatever a donor is called", async ({
  browser,
}) => {
  const world = await World.open(
    () => [{ provider: 'module', name: 'paper', module: 'gateway.mjs', methods: ['card'] }],
    { files: { 'gateway.mjs': GATEWAY } },
  );
  const reference = await give(world);
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await (
      await browser.newContext({ colorScheme, viewport: { width: 360, height: 740 } })
    ).newPage();
    const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    page.on('dialog', () => {
      throw new Error("a donor's name ran as a script");
    });
    await page.goto(world.operator);
    expect([await accessibilityProblems(page), await isWide()]).toEqual([[], false]);
    await logIn(page, world);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('One thing needs you');
    await expect(page.getByText(`${HOSTILE} Souza`)).toBeVisible();
    expect([await accessibilityProblems(page), await isWide()]).toEqual([[], false]);
    await page.getByRole('link', { name: reference }).click();
    await expect(page.getByText('Why: the processor says 4000 USD')).toBeVisible();
    expect([await accessibilityProblems(page), await isWide()]).toEqual([[], false]);
    expect(page.url()).toBe(`${world.operator}/gifts/${reference}`);
    await page.context().close();
  }
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await logIn(page, world, `/gifts/${reference}`);
  await expect(page.getByRole('button', { name: /It was paid|No money/ })).toHaveText([
    'It was paid: tell the platform',
    'It was paid, and I have entered it at the platform',
    'No money is kept',
  ]);
  const way = page.locator('form.way', { hasText: 'is told of 50.00 USD' });
  await way.getByLabel('Note').fill('Ten dollars were a fee');
  await way.getByRole('button').click();
  await expect(page.getByRole('status')).toHaveText(
    'Kept: “Said to be paid”. Now the payment is charged.',
  );
  await expect(page.getByText('Miriam Okafor,')).toBeVisible();
  await expect(page.getByText('Ten dollars were a fee')).toBeVisible();
  await expect.poll(() => world.activities()).toEqual([expect.stringContaining(reference)]);
  await page.getByRole('link', { name: 'Donations' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing needs you');
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.goto(`${world.operator}/gifts/${reference}`);
  await expect(page.getByLabel('The operator’s key')).toBeVisible();
  await world.close();
});

test('a paused organisation: a donor who was filling in the form reads so and loses nothing, another sees what the page offers instead, and both can give after it', async ({
  page,
  context,
  world,
}) => {
  await page.goto(world.page);
  await expect(giveButton(page)).toHaveText(/Give \$50/);
  await fillDonor(page);
  await fillCard(page);
  const operator = await context.newPage();
  await logIn(operator, world);
  await operator.getByLabel('Note').fill('card testers since nine');
  await operator.getByRole('button', { name: 'Pause Lanternwell' }).click();
  await expect(operator.getByText('Lanternwell takes no gifts.')).toBeVisible();

  await giveButton(page).click();
  await expect(form(page).locator('#notice')).toContainText(
    'Lanternwell takes no gifts right now. Nothing was charged, and everything you typed is still here. Please try again later.',
  );
  await expect(page.getByLabel('First name')).toHaveValue('Ana');
  const late = await context.newPage();
  await late.goto(world.page);
  await expect(form(late)).toContainText('The donation form cannot be shown right now.');

  await operator.getByRole('button', { name: 'Resume Lanternwell' }).click();
  await expect(operator.getByRole('status')).toHaveText(
    'lanternwell takes gifts again, within 5 seconds on all servers.',
  );
  await late.getByRole('button', { name: 'Try again' }).click();
  await expect(giveButton(late)).toHaveText(/Give \$50/);
  await fillCard(page);
  await giveButton(page).click();
  await expect(form(page).getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
});
