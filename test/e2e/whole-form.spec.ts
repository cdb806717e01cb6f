import { card, expect, fillCard, form, giveButton, pageWith, referenceOf, test } from './world.ts';

test('a gift with every part of the form arrives at the platform as it was given', async ({
  page,
  world,
}) => {
  await page.goto(pageWith(world, { 'form-id': 'whole' }));
  await page.getByLabel('Divide my gift over several projects').check();
  for (const name of ['Village wells', 'Taps at schools'])
    await form(page).locator('[part=purpose]').getByLabel(name, { exact: true }).check();
  await page.getByLabel('Part for Village wells').fill('12.50');
  await page.getByRole('radio', { name: 'In memory' }).check();
  await page.getByLabel('Whose name').fill('Eva Souza');
  await page.getByLabel('I give for an organisation').check();
  await page.getByLabel('Organisation', { exact: true }).fill('Well Ltd');
  await page.getByLabel('E-mail', { exact: true }).fill('ana@example.org');
  await page.getByLabel('Country').selectOption({ label: 'Germany' });
  await expect(page.getByLabel('State or province')).toHaveCount(0);
  await page.getByLabel('Address', { exact: true }).fill('Hauptstraße 1');
  await page.getByLabel('Postal code').fill('10115');
  await page.getByLabel('City').fill('Berlin');
  await page.getByLabel(/How did you hear/).selectOption({ index: 1 });
  await page.getByLabel('I agree that Lanternwell keeps my details').check();
  await expect(giveButton(page)).toHaveText('Give $50');
  await fillCard(page);
  await giveButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  await expect(form(page).locator('.parts li')).toHaveText([
    'Village wells $12.50',
    'Taps at schools $37.50',
  ]);
  const reference = await referenceOf(page);
  expect(await world.charges(reference)).toMatchObject([{ state: 'succeeded', amount: 5_000 }]);
  await page.goto(world.sandbox);
  for (const shown of [
    'Well Ltd',
    'Village wells',
    '12.50',
    'Taps at schools',
    '37.50',
    'Eva Souza',
  ])
    await expect(page.locator('main, body').first()).toContainText(shown);
});

test('in Arabic, right to left, a gift is given from the first label to the thank-you', async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(pageWith(world, { language: 'ar' }));
  await expect(form(page).locator('form')).toHaveCSS('direction', 'rtl');
  await page.locator('[name=customAmount]').fill('٧٥');
  await expect(giveButton(page)).toContainText('75');
  for (const [name, text] of [
    ['firstName', 'آنا'],
    ['lastName', 'سوزا'],
    ['email', 'ana@example.org'],
  ] as const)
    await page.locator(`[name=${name}]`).fill(text);
  await expect(card(page).locator('html')).toHaveAttribute('lang', 'ar');
  await card(page).locator('[name=number]').fill('4242 4242 4242 4242');
  await card(page).locator('[name=expiry]').fill('12 / 30');
  await card(page).locator('[name=cvc]').fill('123');
  await giveButton(page).click();
  await expect(form(page).locator('h2')).toContainText('آنا');
  expect(await world.charges(await referenceOf(page))).toMatchObject([
    { state: 'succeeded', amount: 7_500 },
  ]);
});

test("thanks-url leads to the site's own thank-you, when the page has heard of the gift", async ({
  page,
  world,
}) => {
  world.pages.set('/thanks', '<!doctype html><title>Thanks</title><h1>Our own thank-you</h1>');
  await page.goto(
    pageWith(
      world,
      { 'thanks-url': '/thanks' },
      '<script>window.ServiceDonorsForms = { settings: { onSuccess: async (response) => { await new Promise((resolve) => setTimeout(resolve, 300)); sessionStorage.setItem("heard", response.transactionId); } } };</script>',
    ),
  );
  for (const [label, text] of [
    ['First name', 'Ana'],
    ['Last name', 'Souza'],
    ['E-mail', 'ana@example.org'],
  ] as const)
    await page.getByLabel(label).fill(text);
  await fillCard(page);
  await giveButton(page).click();
  await expect(page.getByRole('heading', { name: 'Our own thank-you' })).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem('heard'))).toMatch(/^pay_/);
});

test('nothing on the page moves while the form loads, plain or with all its parts', async ({
  page,
  world,
}) => {
  for (const attributes of [
    {},
    { 'form-id': 'whole' },
    { 'form-id': 'whole', language: 'de' },
  ] as const) {
    await page.goto(
      pageWith(
        world,
        attributes,
        '<style>donation-form:not(:defined) { display: block; min-height: 80rem }</style>',
      ),
    );
    await page.evaluate(() => {
      Object.assign(window, { shifts: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
          Object.assign(window, {
            shifts: (window as unknown as { shifts: number }).shifts + entry.value,
          });
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await expect(giveButton(page)).toBeVisible();
    await page.waitForTimeout(800);
    expect(await page.evaluate(() => (window as unknown as { shifts: number }).shifts)).toBe(0);
  }
});
