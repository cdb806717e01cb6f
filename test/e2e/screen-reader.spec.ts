import { readFile } from 'node:fs/promises';
import { expect, type Page } from 'playwright/test';
import { card, fillCard, fillDonor, form, giveButton, test, type World } from './world.ts';

/**
 * What a screen reader says of the form, in its order. A name that stands in quotes is what the
 * control is called.
 */
const SHOWN = `
  - group "How often":
    - radio "Once" [checked]
    - radio "Monthly"
    - radio "Quarterly"
    - radio "Yearly"
  - group "Amount":
    - radio "$25 Soap and filters for a family"
    - radio "$50 A water test, twice a year" [checked]
    - radio "$75 New seals for one hand pump"
    - radio "$150 A day of a repair team"
    - radio "$500 A tap in a schoolyard"
    - radio "Other amount"
    - textbox "Other amount in USD"
  - combobox "Your gift is for":
    - option "Where it is needed most" [selected]
    - option "Village wells"
    - option "Taps at schools"
    - option "River watch"
  - group "About you":
    - textbox "First name"
    - textbox "Last name"
    - textbox "E-mail"
    - textbox "Phone optional"
  - group "Payment":
    - group "How you pay":
      - radio "Card or bank account" [checked]
      - radio "Transfer or cheque"
    - iframe
  - checkbox "Add $1.81 to cover the costs of this payment"
  - paragraph: All of your $50 then reaches Lanternwell
  - alert
  - status
  - button "Give $50"
  - paragraph: Your gift goes to Lanternwell. Your payment details go straight to the payment processor.`;

async function open(page: Page, world: World): Promise<void> {
  await page.goto(world.page);
  await expect(card(page).getByLabel('Card number')).toBeVisible();
}

/** Writes down what appears in live regions, which a screen reader says wherever the donor is. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = [];
    const root = document.querySelector('donation-form')!.shadowRoot!;
    (window as unknown as { said: string[] }).said = said;
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest(
          '[role=alert], [role=status]',
        );
        const words = region?.textContent.replace(/\s+/g, ' ').trim() ?? '';
        if (region && words && said.at(-1) !== `${region.role}: ${words}`)
          said.push(`${region.role}: ${words}`);
      }
    }).observe(root, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said);
}

test('a screen reader finds every control by its name, in its group, and says what the button will do', async ({
  page,
  world,
}) => {
  await open(page, world);
  await expect(form(page)).toMatchAriaSnapshot(SHOWN);
  await expect(form(page).getByRole('checkbox')).toHaveAccessibleDescription(
    'All of your $50 then reaches Lanternwell',
  );
  await expect(form(page).locator('iframe')).toHaveAttribute('title', 'Payment');
  await expect(card(page).locator('form')).toMatchAriaSnapshot(`
    - group "Payment method":
      - radio "Card" [checked]
      - radio "Bank account"
    - textbox "Card number"
    - textbox "Expires MM / YY"
    - textbox "Security code"`);
});

test('a screen reader says how many things are missing, then each at its field', async ({
  page,
  world,
}) => {
  await open(page, world);
  const said = await listen(page);
  await giveButton(page).click();
  await expect(form(page).locator('#notice')).toBeFocused();
  await expect(form(page)).toMatchAriaSnapshot(`
    - group "About you":
      - textbox "First name" [invalid]
      - paragraph: Write your first name.
      - textbox "Last name" [invalid]
      - paragraph: Write your last name.
      - textbox "E-mail" [invalid]
      - paragraph: Write your e-mail address.
      - textbox "Phone optional"
    - alert:
      - text: 3 things are missing or need a correction.
      - list:
        - listitem:
          - button "Write your first name."
        - listitem:
          - button "Write your last name."
        - listitem:
          - button "Write your e-mail address."
    - button "Give $50"`);
  await expect(page.getByLabel('First name')).toHaveAccessibleDescription('Write your first name.');
  expect(await said()).toEqual([
    'alert: 3 things are missing or need a correction. Write your first name.Write your last name.Write your e-mail address.',
  ]);
  await page.getByLabel('Other amount in USD').fill('1');
  await giveButton(page).click();
  await expect(form(page)).toMatchAriaSnapshot(`
    - group "Amount":
      - radio "Other amount" [checked]
      - textbox "Other amount in USD" [invalid]: "1"
      - paragraph: The smallest gift here is $5.`);
  await expect(page.getByRole('group', { name: 'Amount' })).toHaveAccessibleDescription(
    'The smallest gift here is $5.',
  );
  await expect(page.getByLabel('Other amount in USD')).toHaveAccessibleDescription(
    'The smallest gift here is $5.',
  );
});

test('a screen reader says that the gift is sent, that the card was declined, and thanks', async ({
  page,
  world,
}) => {
  await open(page, world);
  const said = await listen(page);
  await fillDonor(page);
  await fillCard(page, '4000 0000 0000 0002');
  await giveButton(page).click();
  await expect(form(page).locator('#notice')).toBeFocused();
  const declined =
    'Your bank declined this card. Nothing was charged. Check the details, use another card, or ask your bank.';
  await expect(form(page)).toMatchAriaSnapshot(`
    - group "About you":
      - textbox "First name": Ana
    - group "Payment":
      - iframe
    - alert: ${declined}
    - status
    - button "Give $50"`);
  await fillCard(page);
  await giveButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeFocused();
  expect(await said()).toEqual([
    'status: Sending your gift…',
    `alert: ${declined} Payment`,
    'status: Sending your gift…',
  ]);
  await expect(form(page)).toMatchAriaSnapshot(`
    - heading "Thank you, Ana!" [level=2]
    - text: $50
    - paragraph:
      - text: "For:"
      - strong: Where it is needed most
    - paragraph: "Keep this page as your record: no receipt is sent by itself. Lanternwell writes one if you ask at giving@lanternwell.example."
    - paragraph:
      - text: Reference
      - strong: /[0-9A-Z]{5}-[0-9A-Z]{5}/
      - text: Questions? Write to giving@lanternwell.example and name the reference.
    - paragraph:
      - button "Print"
      - button "Share"
    - status`);
});

test("the page with the form, and the card's frame in it, passes every rule of axe that holds at level AA", async ({
  page,
  world,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, world);
  const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8');
  const check = async (): Promise<string[]> => {
    for (const frame of page.frames()) await frame.evaluate(axe);
    return page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
      const { violations } = await axe.run({
        rules: Object.fromEntries(
          axe
            .getRules()
            .map(({ ruleId }) => [ruleId, { enabled: ruleId !== 'color-contrast-enhanced' }]),
        ),
      });
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ html, target }) => `${target.join(' ')} ${html}`).join()}`,
      );
    });
  };
  expect(await check()).toEqual([]);
  await fillDonor(page);
  await giveButton(page).click();
  await expect(card(page).getByText('Check the card number.')).toBeVisible();
  expect(await check()).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await check()).toEqual([]);
});
