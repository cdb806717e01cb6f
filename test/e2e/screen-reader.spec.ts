import { readFile } from 'node:fs/promises';
import { expect, type Page } from 'playwright/test';
import { WebKitBrowser } from '../webkit-browser.ts';
import {
  fillCard,
  fillDonor,
  findCardFrame,
  findForm,
  findSubmitButton,
  test,
  type World,
} from './world.ts';

/** Accessibility tree of the form. Accessible names are in quotes. */
const ACCESSIBILITY_TREE = `
  - group "How often?":
    - radio "One-time" [checked]
    - radio "Monthly"
    - radio "Quarterly"
    - radio "Yearly"
  - group "Choose an amount":
    - radio "$25 Soap and filters for a family"
    - radio "$50 Two water tests for a village" [checked]
    - radio "$75 New seals for one hand pump"
    - radio "$150 A day of a repair team"
    - radio "$500 A tap in a schoolyard"
    - radio "Other"
    - textbox "Other amount in USD"
  - combobox "Your donation supports":
    - option "Where it is needed most" [selected]
    - option "Village wells"
    - option "Taps at schools"
    - option "River watch"
  - group "Express checkout":
    - paragraph: Your details are filled in for you.
    - iframe
  - group "Your details":
    - textbox "First name"
    - textbox "Last name"
    - textbox "Email"
  - group "Payment":
    - group "Payment method":
      - radio "Card" [checked]
      - iframe
      - radio "Bank account"
      - radio "Bank transfer or check"
    - checkbox "I'll cover the transaction fees"
    - paragraph: This adds $1.81, so Lanternwell receives your full $50.
  - alert
  - status
  - button "Give $50"
  - paragraph: Your donation goes to Lanternwell. Your payment is encrypted, and we never see your card number.`;

async function openPage(page: Page, world: World): Promise<void> {
  await page.goto(world.page);
  await expect(findCardFrame(page).getByLabel('Card number')).toBeVisible();
}

test('a screen reader finds every control by name and group, and the button says what it does', async ({
  page,
  world,
}) => {
  await openPage(page, world);
  await expect(findForm(page)).toMatchAriaSnapshot(ACCESSIBILITY_TREE);
  await expect(findForm(page).getByRole('checkbox')).toHaveAccessibleDescription(
    'This adds $1.81, so Lanternwell receives your full $50.',
  );
  await expect(page.frameLocator('[slot=wallets] iframe').locator('body')).toMatchAriaSnapshot(`
    - button "Google Pay"
    - button "Link"
    - button "PayPal"`);
  await expect(findCardFrame(page).locator('form')).toMatchAriaSnapshot(`
    - textbox "Card number"
    - textbox "Expiration date":
      - /placeholder: MM / YY
    - textbox "Security code"`);
});

test('WebKit computes the same roles and names', async ({ world }) => {
  const browser = await WebKitBrowser.start();
  try {
    await browser.sendCommand('POST', '/url', { url: world.page });
    const findControls = (): Promise<unknown> =>
      browser
        .runScript(
          `const root = document.querySelector('donation-form')?.shadowRoot;
          return root?.querySelector('fieldset.wallets')
            ? [...root.querySelectorAll('fieldset, input:not([tabindex="-1"]), select, button')]
            : [];`,
        )
        // The page may still be loading. The wallets are the last part to appear.
        .catch(() => []);
    await expect.poll(findControls).not.toEqual([]);
    const controls = (await findControls()) as Readonly<Record<string, string>>[];
    const descriptions: string[] = [];
    for (const [id] of controls.map((control) => Object.values(control))) {
      const [role, name] = [
        await browser.sendCommand('GET', `/element/${id!}/computedrole`),
        await browser.sendCommand('GET', `/element/${id!}/computedlabel`),
      ];
      descriptions.push(`${String(role)} "${String(name)}"`);
    }
    expect(descriptions).toEqual([
      'group "How often?"',
      'radio "One-time"',
      'radio "Monthly"',
      'radio "Quarterly"',
      'radio "Yearly"',
      'group "Choose an amount"',
      'radio "$25 Soap and filters for a family"',
      'radio "$50 Two water tests for a village"',
      'radio "$75 New seals for one hand pump"',
      'radio "$150 A day of a repair team"',
      'radio "$500 A tap in a schoolyard"',
      'radio "Other"',
      'textbox "Other amount in USD"',
      // WebKitGTK's role of a select.
      'button "Your donation supports"',
      'group "Express checkout"',
      'group "Your details"',
      'textbox "First name"',
      'textbox "Last name"',
      'textbox "Email"',
      'group "Payment"',
      'group "Payment method"',
      'radio "Card"',
      'radio "Bank account"',
      'radio "Bank transfer or check"',
      'checkbox "I\'ll cover the transaction fees"',
      'button "Give $50"',
    ]);
  } finally {
    await browser.stop();
  }
});

test('a screen reader finds the summary of errors, and each error at its field', async ({
  page,
  world,
}) => {
  await openPage(page, world);
  await findSubmitButton(page).click();
  await expect(findForm(page).locator('#notice')).toBeFocused();
  await expect(findForm(page)).toMatchAriaSnapshot(`
    - group "Your details":
      - textbox "First name" [invalid]
      - paragraph: Enter your first name.
      - textbox "Last name" [invalid]
      - paragraph: Enter your last name.
      - textbox "Email" [invalid]
      - paragraph: Enter your email.
    - alert:
      - strong: Please check 3 fields.
      - list:
        - listitem:
          - button "Enter your first name."
        - listitem:
          - button "Enter your last name."
        - listitem:
          - button "Enter your email."
    - button "Give $50"`);
  await expect(page.getByLabel('First name')).toHaveAccessibleDescription('Enter your first name.');
  await page.getByLabel('Other amount in USD').fill('1');
  await findSubmitButton(page).click();
  await expect(findForm(page)).toMatchAriaSnapshot(`
    - group "Choose an amount":
      - radio "Other" [checked]
      - textbox "Other amount in USD" [invalid]: "1"
      - paragraph: The minimum donation is $5.`);
  await expect(page.getByRole('group', { name: 'Choose an amount' })).toHaveAccessibleDescription(
    'The minimum donation is $5.',
  );
  await expect(page.getByLabel('Other amount in USD')).toHaveAccessibleDescription(
    'The minimum donation is $5.',
  );
});

test('a screen reader finds the notice of a declined card, and the thank-you page', async ({
  page,
  world,
}) => {
  await openPage(page, world);
  await fillDonor(page);
  await fillCard(page, '4000 0000 0000 0002');
  await findSubmitButton(page).click();
  await expect(findForm(page).locator('#notice')).toBeFocused();
  const declined =
    "You haven't been charged. The payment was declined. Your bank can tell you why.";
  await expect(findForm(page)).toMatchAriaSnapshot(`
    - group "Your details":
      - textbox "First name": Ana
    - group "Payment":
      - group "Payment method":
        - iframe
    - alert:
      - text: ${declined}
      - button "Try a different card or payment method"
    - status
    - button "Try again · $50"`);
  await fillCard(page);
  await findSubmitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeFocused();
  await expect(findForm(page)).toMatchAriaSnapshot(`
    - heading "Thank you, Ana!" [level=2]
    - strong: $50
    - paragraph: "Your donation to Lanternwell makes this possible: Two water tests for a village"
    - paragraph:
      - text: Your donation supports
      - strong: Where it is needed most
    - paragraph: Lanternwell will email you a receipt.
    - button "Share"
    - status
    - paragraph:
      - text: Reference
      - strong: /[0-9A-Z]{5}-[0-9A-Z]{5}/
      - button "Copy Reference"
      - text: Questions? Email giving@lanternwell.example and mention the reference.
    - status
    - button "Print"`);
});

test('the page, the form, and the card frame pass all axe rules of level AA', async ({
  page,
  world,
}) => {
  await openPage(page, world);
  const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8');
  const listViolations = async (): Promise<string[]> => {
    for (const frame of page.frames()) await frame.evaluate(axe);
    return page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
      const { violations } = await axe.run({
        resultTypes: ['violations'],
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
  expect(await listViolations()).toEqual([]);
  await fillDonor(page);
  await findSubmitButton(page).click();
  await expect(findCardFrame(page).getByText('Check the card number.')).toBeVisible();
  expect(await listViolations()).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await listViolations()).toEqual([]);
});
