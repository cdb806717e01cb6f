import { readFile } from 'node:fs/promises';
import { expect, type Page } from 'playwright/test';
import {
  findCardFrame,
  fillCard,
  fillDonor,
  findForm,
  findSubmitButton,
  test,
  type World,
} from './world.ts';

/** Accessibility tree of the form. Accessible names are in quotes. */
const ACCESSIBILITY_TREE = `
  - group "Frequency":
    - radio "One-time" [checked]
    - radio "Monthly"
    - radio "Quarterly"
    - radio "Yearly"
  - group "Amount":
    - radio "$25 Soap and filters for a family"
    - radio "$50 A water test, twice a year" [checked]
    - radio "$75 New seals for one hand pump"
    - radio "$150 A day of a repair team"
    - radio "$500 A tap in a schoolyard"
    - radio "Other"
    - textbox "Other amount in USD"
  - combobox "Designation":
    - option "Where it is needed most" [selected]
    - option "Village wells"
    - option "Taps at schools"
    - option "River watch"
  - checkbox "Add $1.81 to cover transaction fees"
  - paragraph: So Lanternwell receives your full $50
  - group "Give $50":
    - paragraph: Your wallet fills in your details.
    - iframe
    - paragraph: or pay another way
  - group "Your details":
    - textbox "First name"
    - textbox "Last name"
    - textbox "Email"
  - group "Payment":
    - group "Payment method":
      - radio "Card or bank account" [checked]
      - iframe
      - radio "Bank transfer or check"
  - alert
  - status
  - button "Give $50"
  - paragraph: Your gift goes to Lanternwell. Your payment is encrypted, and we never see your card number.`;

async function openPage(page: Page, world: World): Promise<void> {
  await page.goto(world.page);
  await expect(findCardFrame(page).getByLabel('Card number')).toBeVisible();
}

/** Records announcements of live regions. */
async function recordAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const announcements: string[] = [];
    const root = document.querySelector('donation-form')!.shadowRoot!;
    (window as unknown as { announcements: string[] }).announcements = announcements;
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest(
          '[role=alert], [role=status]',
        );
        const text = region?.textContent.replace(/\s+/g, ' ').trim() ?? '';
        if (region && text && announcements.at(-1) !== `${region.role}: ${text}`)
          announcements.push(`${region.role}: ${text}`);
      }
    }).observe(root, { subtree: true, childList: true, characterData: true });
  });
  return () =>
    page.evaluate(() => (window as unknown as { announcements: string[] }).announcements);
}

test('a screen reader finds every control by name and group, and the button says what it does', async ({
  page,
  world,
}) => {
  await openPage(page, world);
  await expect(findForm(page)).toMatchAriaSnapshot(ACCESSIBILITY_TREE);
  await expect(findForm(page).getByRole('checkbox')).toHaveAccessibleDescription(
    'So Lanternwell receives your full $50',
  );
  await expect(page.frameLocator('[slot=wallets] iframe').locator('body')).toMatchAriaSnapshot(`
    - button "Google Pay"
    - button "PayPal"`);
  await expect(findCardFrame(page).locator('form')).toMatchAriaSnapshot(`
    - group "Payment method":
      - radio "Card" [checked]
      - radio "Bank account"
      - radio "PayPal"
    - textbox "Card number"
    - textbox "Expiration date":
      - /placeholder: MM / YY
    - textbox "Security code"`);
});

test('a screen reader announces the number of errors, then each error at its field', async ({
  page,
  world,
}) => {
  await openPage(page, world);
  const announcements = await recordAnnouncements(page);
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
  expect(await announcements()).toEqual([
    'alert: Please check 3 fields.Enter your first name.Enter your last name.Enter your email.',
  ]);
  await page.getByLabel('Other amount in USD').fill('1');
  await findSubmitButton(page).click();
  await expect(findForm(page)).toMatchAriaSnapshot(`
    - group "Amount":
      - radio "Other" [checked]
      - textbox "Other amount in USD" [invalid]: "1"
      - paragraph: The minimum donation is $5.`);
  await expect(page.getByRole('group', { name: 'Amount' })).toHaveAccessibleDescription(
    'The minimum donation is $5.',
  );
  await expect(page.getByLabel('Other amount in USD')).toHaveAccessibleDescription(
    'The minimum donation is $5.',
  );
});

test('a screen reader announces submission, a declined card, and the thank-you page', async ({
  page,
  world,
}) => {
  await openPage(page, world);
  const announcements = await recordAnnouncements(page);
  await fillDonor(page);
  await fillCard(page, '4000 0000 0000 0002');
  await findSubmitButton(page).click();
  await expect(findForm(page).locator('#notice')).toBeFocused();
  const declined =
    'You have not been charged. The payment was declined. Your bank can tell you why.';
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
    - button "Give $50"`);
  await fillCard(page);
  await findSubmitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeFocused();
  expect(await announcements()).toEqual([
    'status: Sending your donation…',
    `alert: ${declined} Try a different card or payment method`,
    'status: Sending your donation…',
  ]);
  await expect(findForm(page)).toMatchAriaSnapshot(`
    - heading "Thank you, Ana!" [level=2]
    - strong: $50
    - paragraph: A water test, twice a year
    - paragraph:
      - text: "For:"
      - strong: Where it is needed most
    - paragraph: Save or print this page for your records. For a receipt from Lanternwell, email giving@lanternwell.example.
    - paragraph:
      - text: Reference
      - strong: /[0-9A-Z]{5}-[0-9A-Z]{5}/
      - button "Copy Reference"
      - text: Questions? Email giving@lanternwell.example and mention the reference.
    - paragraph:
      - button "Print"
      - button "Share"
    - status`);
});

test('the page, the form, and the card frame pass all axe rules of level AA', async ({
  page,
  world,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openPage(page, world);
  const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8');
  const listViolations = async (): Promise<string[]> => {
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
  expect(await listViolations()).toEqual([]);
  await fillDonor(page);
  await findSubmitButton(page).click();
  await expect(findCardFrame(page).getByText('Check the card number.')).toBeVisible();
  expect(await listViolations()).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await listViolations()).toEqual([]);
});
