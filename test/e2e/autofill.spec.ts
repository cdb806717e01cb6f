import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from 'playwright/test';
import { fillCard, form, giveButton, test as withWorld } from './world.ts';

const DONOR = {
  firstName: 'Ana',
  lastName: 'Souza',
  email: 'ana@example.org',
  phone: '+12015550123',
};

/** Firefox keeps addresses in a file of the profile. */
const firefoxAddresses = {
  version: 1,
  creditCards: [],
  addresses: [
    {
      guid: 'a1b2c3d4e5f6',
      version: 1,
      name: `${DONOR.firstName} ${DONOR.lastName}`,
      'given-name': DONOR.firstName,
      'family-name': DONOR.lastName,
      email: DONOR.email,
      tel: DONOR.phone,
      country: 'US',
      timeCreated: 1,
      timeLastModified: 1,
      timeLastUsed: 0,
      timesUsed: 0,
    },
  ],
};

/** A browser with a profile of its own, in which the donor's address is kept. */
const test = withWorld.extend({
  context: async ({ browserName, playwright, launchOptions, locale, viewport }, use) => {
    const profile = await mkdtemp(join(tmpdir(), 'donation-form-profile-'));
    if (browserName === 'firefox')
      await writeFile(join(profile, 'autofill-profiles.json'), JSON.stringify(firefoxAddresses));
    const context = await playwright[browserName].launchPersistentContext(profile, {
      ...launchOptions,
      viewport,
      ...(locale && { locale }),
      ...(browserName === 'firefox' && {
        firefoxUserPrefs: {
          'extensions.formautofill.addresses.enabled': true,
          'extensions.formautofill.addresses.supported': 'on',
        },
      }),
    });
    await use(context);
    await context.close();
    await rm(profile, { recursive: true });
  },
});

/** Chromium takes the address with the order to fill, and then does as for one that it kept. */
async function fillByChromium(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { result } = await devtools.send('Runtime.evaluate', {
    expression:
      'document.querySelector("donation-form").shadowRoot.querySelector("[name=firstName]")',
  });
  const {
    node: { backendNodeId },
  } = await devtools.send('DOM.describeNode', { objectId: result.objectId ?? '' });
  const fields = Object.entries({
    NAME_FIRST: DONOR.firstName,
    NAME_LAST: DONOR.lastName,
    EMAIL_ADDRESS: DONOR.email,
    PHONE_HOME_WHOLE_NUMBER: DONOR.phone,
    ADDRESS_HOME_COUNTRY: 'US',
  }).map(([name, value]) => ({ name, value }));
  await devtools.send('Autofill.trigger', { fieldId: backendNodeId, address: { fields } });
}

/**
 * The donor opens Firefox's list of addresses with the first arrow, and goes to the one that it
 * offers with the second.
 */
async function fillByFirefox(page: Page): Promise<void> {
  await page.getByLabel('First name').click();
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) {
    await page.keyboard.press(key);
    // The list is no part of the page, so nothing in the page tells when it is there; and Firefox
    // ignores a choice that comes at once.
    await page.waitForTimeout(700);
  }
}

test("the browser's autofill fills name, e-mail and telephone, and they reach the gift", async ({
  page,
  browserName,
  world,
}) => {
  await page.goto(world.page);
  await expect(giveButton(page)).toHaveText('Give $50');
  const phone = page.getByLabel('Phone');
  await expect(async () => {
    await (browserName === 'firefox' ? fillByFirefox(page) : fillByChromium(page));
    await expect(phone).not.toBeEmpty({ timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
  await expect(page.getByLabel('First name')).toHaveValue(DONOR.firstName);
  await expect(page.getByLabel('Last name')).toHaveValue(DONOR.lastName);
  await expect(page.getByLabel('E-mail')).toHaveValue(DONOR.email);
  // Chromium leaves out the plus.
  await expect(phone).toHaveValue(/^\+?12015550123$/);
  await expect(giveButton(page)).toHaveText('Give $50');
  await expect(form(page).locator('[name=website]'), 'the field that no person meets').toHaveValue(
    '',
  );

  const given = { ...DONOR, phone: await phone.inputValue() };
  await fillCard(page);
  await giveButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  expect(await world.donors()).toMatchObject([given]);
});
