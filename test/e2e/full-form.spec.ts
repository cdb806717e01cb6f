import { recordShifts } from './record-shifts.ts';
import {
  addFormPage,
  expect,
  fillCard,
  fillDonor,
  findForm,
  findSubmitButton,
  readReference,
  test,
} from './world.ts';

test('the platform records a donation that uses every section of the form', async ({
  page,
  world,
}) => {
  await page.goto(addFormPage(world, { 'form-id': 'full' }));
  await page.getByLabel('Support more than one project').check();
  for (const name of ['Village wells', 'Taps at schools'])
    await findForm(page).locator('[part=project]').getByLabel(name, { exact: true }).check();
  await page.getByLabel('Amount for Village wells').fill('12.50');
  await page.getByRole('radio', { name: 'In memory of' }).check();
  await page.getByLabel('Their name').fill('Eva Souza');
  await page.getByLabel("I'm giving on behalf of an organization").check();
  await page.getByLabel('Organization', { exact: true }).fill('Well Ltd');
  await page.getByLabel('Email', { exact: true }).fill('ana@example.org');
  await page.getByLabel('Country').selectOption({ label: 'Germany' });
  await expect(page.getByLabel('State or province')).toHaveCount(0);
  await page.getByLabel('Address', { exact: true }).fill('Hauptstraße 1');
  await page.getByLabel('Postal code').fill('10115');
  await page.getByLabel('City').fill('Berlin');
  await page.getByLabel(/How did you hear/).selectOption({ index: 1 });
  await page.getByLabel('I agree that Lanternwell stores my details').check();
  await expect(findSubmitButton(page)).toHaveText('Give $50');
  await fillCard(page);
  await findSubmitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  await expect(findForm(page).locator('.parts li')).toHaveText([
    'Village wells $12.50',
    'Taps at schools $37.50',
  ]);
  expect(await world.listCharges()).toMatchObject([{ amount: 5_000 }]);
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

test("success-url opens the site's own thank-you page after onSuccess has finished", async ({
  page,
  world,
}) => {
  world.pages.set('/thanks', '<!doctype html><title>Thanks</title><h1>Our own thank-you</h1>');
  await page.goto(
    addFormPage(
      world,
      { 'success-url': '/thanks' },
      '<script>window.ServiceDonorsForms = { settings: { onSuccess: async (response) => { ' +
        'await new Promise((resolve) => setTimeout(resolve, 300)); ' +
        'sessionStorage.setItem("response", response.transactionId); } } };</script>',
    ),
  );
  for (const [label, text] of [
    ['First name', 'Ana'],
    ['Last name', 'Souza'],
    ['Email', 'ana@example.org'],
  ] as const)
    await page.getByLabel(label).fill(text);
  await fillCard(page);
  await findSubmitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Our own thank-you' })).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem('response'))).toMatch(/^pi_/);
});

test('a bank transfer is pending on the platform, and success-url does not hide its instructions', async ({
  page,
  world,
}) => {
  let opened = false;
  await page.route('**/thanks', (route) => {
    opened = true;
    return route.fulfill({ contentType: 'text/html', body: '<h1>Our own thank-you</h1>' });
  });
  await page.goto(
    addFormPage(
      world,
      { 'success-url': '/thanks' },
      '<script>window.ServiceDonorsForms = { settings: { onSuccess: () => { called = true } } }; called = false</script>',
    ),
  );
  await fillDonor(page);
  await page.getByRole('radio', { name: 'Bank transfer or check' }).check();
  await expect(page.getByLabel(/cover the transaction fees/)).toHaveCount(0);
  await findSubmitButton(page).click();
  const instructions = page.getByRole('heading', { name: 'One last step: send your donation' });
  await expect(instructions).toBeVisible();
  const reference = await readReference(page);
  await expect.poll(() => world.getGiftStatus(reference)).toBe(8);
  // Longer than the form waits before it opens the page.
  await page.waitForTimeout(2_500);
  await expect(instructions).toBeVisible();
  expect([opened, await page.evaluate('called')]).toEqual([false, false]);
});

test('nothing on the page moves while the form loads with every section', async ({
  page,
  world,
}) => {
  const readShifts = await recordShifts(page);
  for (const attributes of [{}, { language: 'de' }]) {
    await page.goto(
      addFormPage(
        world,
        { 'form-id': 'full', ...attributes },
        '<style>donation-form:not(:defined) { display: block; min-height: 80rem }</style>',
      ),
    );
    await expect(findSubmitButton(page)).toBeVisible();
    await page.waitForTimeout(800);
    expect(await readShifts()).toEqual([]);
  }
});
