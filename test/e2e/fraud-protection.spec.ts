import { expect } from 'playwright/test';
import { fillCard, fillDonor, findForm, findSubmitButton, test } from './world.ts';

test('after two declined cards, solves a proof of work in the background and charges the third card once', async ({
  page,
  world,
}) => {
  const responses: string[] = [];
  page.on('response', (response) => {
    if (/\/(donations|challenge)/.test(response.url()) && response.request().method() !== 'OPTIONS')
      responses.push(
        `${response.request().method()} ${new URL(response.url()).pathname} ${response.status()}`,
      );
  });
  await page.goto(world.page);
  await fillDonor(page);
  for (let attempts = 0; attempts < 2; attempts += 1) {
    await fillCard(page, '4000 0000 0000 0002');
    await findSubmitButton(page).click();
    await expect(findForm(page).locator('#notice')).toContainText('The payment was declined.');
  }
  await expect.poll(() => responses.filter((line) => line === 'GET /challenge 200').length).toBe(1);
  await fillCard(page);
  await findSubmitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  expect(responses).toEqual([
    'GET /challenge 204',
    'POST /donations 402',
    'GET /challenge 204',
    'POST /donations 402',
    'GET /challenge 200',
    'POST /donations 200',
  ]);
  expect(await world.listCharges()).toHaveLength(1);
});
