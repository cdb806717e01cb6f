import { expect } from 'playwright/test';
import { fillCard, fillDonor, form, giveButton, referenceOf, test } from './world.ts';

test('a donor whose card was declined twice solves a proof of work unseen, and the third card is charged once', async ({
  page,
  world,
}) => {
  const heard: string[] = [];
  page.on('response', (response) => {
    if (/\/(donations|challenge)/.test(response.url()) && response.request().method() !== 'OPTIONS')
      heard.push(
        `${response.request().method()} ${new URL(response.url()).pathname} ${response.status()}`,
      );
  });
  await page.goto(world.page);
  await fillDonor(page);
  for (let tries = 0; tries < 2; tries += 1) {
    await fillCard(page, '4000 0000 0000 0002');
    await giveButton(page).click();
    await expect(form(page).locator('#notice')).toContainText('Your bank declined this card.');
  }
  await expect.poll(() => heard.filter((line) => line === 'GET /challenge 200').length).toBe(1);
  await fillCard(page);
  await giveButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  expect(heard).toEqual([
    'GET /challenge 204',
    'POST /donations 402',
    'GET /challenge 204',
    'POST /donations 402',
    'GET /challenge 200',
    'POST /donations 200',
  ]);
  expect(await world.charges(await referenceOf(page))).toMatchObject([{ state: 'succeeded' }]);
});

test('a donor of whom a proof is asked only when the gift is sent gives by one press', async ({
  page,
  context,
  world,
}) => {
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url() === `${world.endpoint}/donations` && response.request().method() === 'POST')
      statuses.push(response.status());
  });
  const isAsked = page.waitForResponse(`${world.endpoint}/challenge?form=main`);
  await page.goto(world.page);
  await isAsked;
  // Meanwhile somebody else at the same address has two cards declined.
  const other = await context.newPage();
  await other.goto(world.page);
  await fillDonor(other);
  for (let tries = 0; tries < 2; tries += 1) {
    await fillCard(other, '4000 0000 0000 0002');
    await giveButton(other).click();
    await expect(form(other).locator('#notice')).toContainText('Your bank declined this card.');
  }
  await fillDonor(page);
  await fillCard(page);
  await giveButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  expect(statuses).toEqual([403, 200]);
  expect(await world.charges(await referenceOf(page))).toMatchObject([{ state: 'succeeded' }]);
});
