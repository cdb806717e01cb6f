import { expect, type Page } from 'playwright/test';
import { ScreenReader } from './screen-reader-log.ts';
import {
  fillCard,
  fillDonor,
  findCardFrame,
  findForm,
  findSubmitButton,
  test,
  type World,
} from './world.ts';

// What a screen reader says during ten tasks, in Chromium. The expected texts are the documents in
// docs/evidence/announcements; `--update-snapshots` writes them.

const findThankYou = (page: Page) => page.getByRole('heading', { name: /^Thank you/ });
const findNotice = (page: Page) => findForm(page).locator('#notice');
const findBankDialog = (page: Page) => page.frameLocator('iframe[src*="/authenticate/"]');

async function openForm(page: Page, world: World): Promise<ScreenReader> {
  await page.goto(world.page);
  await expect(findCardFrame(page).getByLabel('Card number')).toBeVisible();
  return ScreenReader.start(page);
}

async function submit(page: Page): Promise<void> {
  await findSubmitButton(page).focus();
  await page.keyboard.press('Enter');
}

function expectTranscript(reader: ScreenReader, title: string): void {
  const name = title.toLowerCase().replaceAll(' ', '-');
  // References are random.
  const transcript = reader.transcript.replaceAll(/\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/g, '7QK4M-2XNRD');
  expect(`# ${title}\n\n${transcript}`).toMatchSnapshot(`${name}.md`);
}

test('give once by card', async ({ page, world }) => {
  const reader = await openForm(page, world);
  await reader.record('Move to the form.', () =>
    findForm(page).getByRole('radio', { name: 'One-time' }).focus(),
  );
  await reader.record('Move to the amounts.', () => page.keyboard.press('Tab'));
  await reader.record('Press the right arrow.', () => page.keyboard.press('ArrowRight'));
  await reader.record('Type the first name.', () => page.getByLabel('First name').fill('Ana'));
  await reader.record('Type the last name.', () => page.getByLabel('Last name').fill('Silva'));
  await reader.record('Type the email.', () => page.getByLabel('Email').fill('ana@example.org'));
  await reader.record('Type the card number, expiration date, and security code.', () =>
    fillCard(page),
  );
  await reader.record('Move to the button.', () => findSubmitButton(page).focus());
  await reader.record('Press Enter.', async () => {
    await page.keyboard.press('Enter');
    await expect(findThankYou(page)).toBeFocused();
  });
  expectTranscript(reader, 'Give once by card');
});

test('correct errors', async ({ page, world }) => {
  const reader = await openForm(page, world);
  await reader.record('Submit the empty form.', async () => {
    await submit(page);
    await expect(findNotice(page)).toBeFocused();
  });
  await reader.record('Press Tab.', () => page.keyboard.press('Tab'));
  await reader.record('Press Enter.', () => page.keyboard.press('Enter'));
  await reader.record('Type the first name.', () => page.keyboard.type('Ana'));
  await reader.record('Move to the last name.', () => page.keyboard.press('Tab'));
  await reader.record('Type it, and move to the email.', async () => {
    await page.keyboard.type('Silva');
    await page.keyboard.press('Tab');
  });
  expectTranscript(reader, 'Correct errors');
});

test('give another amount', async ({ page, world }) => {
  const reader = await openForm(page, world);
  const other = page.getByLabel('Other amount in USD');
  await reader.record('Move to the field for another amount.', () => other.focus());
  await reader.record('Type 1, and press the button.', async () => {
    await page.keyboard.type('1');
    await submit(page);
    await expect(findNotice(page)).toBeFocused();
  });
  await reader.record('Move to the field.', () => other.focus());
  await reader.record('Type 60 instead.', () => other.fill('60'));
  await reader.record('Move to the button.', () => findSubmitButton(page).focus());
  expectTranscript(reader, 'Give another amount');
});

test('give monthly', async ({ page, world }) => {
  const reader = await openForm(page, world);
  await reader.record('Move to the form.', () =>
    findForm(page).getByRole('radio', { name: 'One-time' }).focus(),
  );
  await reader.record('Press the right arrow.', () => page.keyboard.press('ArrowRight'));
  await reader.record('Move to the amounts.', () => page.keyboard.press('Tab'));
  await reader.record('Move to the button.', () => findSubmitButton(page).focus());
  expectTranscript(reader, 'Give monthly');
});

test('cover the fees', async ({ page, world }) => {
  const reader = await openForm(page, world);
  await reader.record('Move to the checkbox.', () =>
    page.getByLabel('cover the transaction fees').focus(),
  );
  await reader.record('Press Space.', () => page.keyboard.press('Space'));
  await reader.record('Move to the button.', () => findSubmitButton(page).focus());
  expectTranscript(reader, 'Cover the fees');
});

test('accept a corrected email', async ({ page, world }) => {
  const reader = await openForm(page, world);
  await reader.record('Type “ana@gmial.com” as the email, and press Tab.', async () => {
    await page.getByLabel('Email').fill('ana@gmial.com');
    await page.keyboard.press('Tab');
    await expect(findForm(page).locator('.suggestion')).toBeVisible();
  });
  await reader.record('Press the suggestion.', async () => {
    await findForm(page).locator('.suggestion button').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Email')).toHaveValue('ana@gmail.com');
  });
  expectTranscript(reader, 'Accept a corrected email');
});

test('try another card after a declined one', async ({ page, world }) => {
  const reader = await openForm(page, world);
  await fillDonor(page);
  await reader.record('Fill in the form with a card that is declined, and submit it.', async () => {
    await fillCard(page, '4000 0000 0000 0002');
    await submit(page);
    await expect(findNotice(page)).toBeFocused();
  });
  await reader.record('Press Tab.', () => page.keyboard.press('Tab'));
  await reader.record('Press Enter.', async () => {
    await page.keyboard.press('Enter');
    await expect(findForm(page).locator('[name="payment.provider"]:checked')).toBeFocused();
  });
  await reader.record('Enter another card, and press the button.', async () => {
    await fillCard(page);
    await submit(page);
    await expect(findThankYou(page)).toBeFocused();
  });
  expectTranscript(reader, 'Try another card after a declined one');
});

test('confirm with the bank', async ({ page, world }) => {
  const reader = await openForm(page, world);
  await fillDonor(page);
  await reader.record('Submit with a card that needs confirmation.', async () => {
    await fillCard(page, '4000 0027 6000 3184');
    await submit(page);
    await expect(findBankDialog(page).getByRole('button', { name: 'Complete' })).toBeVisible();
  });
  await reader.record('Reject the payment in the bank’s dialog.', async () => {
    await findBankDialog(page).getByRole('button', { name: 'Fail' }).press('Enter');
    await expect(findNotice(page)).toBeFocused();
  });
  await reader.record('Submit again, and confirm the payment in the bank’s dialog.', async () => {
    await fillCard(page, '4000 0027 6000 3184');
    await submit(page);
    await findBankDialog(page).getByRole('button', { name: 'Complete' }).press('Enter');
    await expect(findThankYou(page)).toBeFocused();
  });
  expectTranscript(reader, 'Confirm with the bank');
});

test('give by bank transfer', async ({ page, world }) => {
  const reader = await openForm(page, world);
  await fillDonor(page);
  await reader.record('Choose bank transfer.', () =>
    findForm(page).getByRole('radio', { name: 'Bank transfer or check' }).press('Space'),
  );
  await reader.record('Move to the button.', () => findSubmitButton(page).focus());
  await reader.record('Press Enter.', async () => {
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: /One last step/ })).toBeFocused();
  });
  await reader.record('Press Tab.', () => page.keyboard.press('Tab'));
  await reader.record('Press Enter.', () => page.keyboard.press('Enter'));
  expectTranscript(reader, 'Give by bank transfer');
});

test('submit again after losing the connection', async ({ page, world }) => {
  const reader = await openForm(page, world);
  await fillDonor(page);
  await fillCard(page);
  await reader.record('Submit without a connection.', async () => {
    await page.route('**/donations', (route) => route.abort());
    await submit(page);
    await expect(findNotice(page)).toBeFocused();
  });
  await reader.record('Submit again when connected.', async () => {
    await page.unroute('**/donations');
    await submit(page);
    await expect(findThankYou(page)).toBeFocused();
  });
  expectTranscript(reader, 'Submit again after losing the connection');
});
