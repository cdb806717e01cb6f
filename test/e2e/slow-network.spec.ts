import { setTimeout } from 'node:timers/promises';
import type { Browser, Page, Route } from 'playwright/test';
import {
  addFormPage,
  expect,
  fillCard,
  findForm,
  findSubmitButton,
  test,
  type World,
} from './world.ts';

/** The long tests make more donations, since they take minutes. */
const DONATIONS = process.env.LONG_TESTS ? 100 : 2;
/** Donors at the same time. */
const DONORS = 2;
const LATENCY = 400;
const BYTES_PER_SECOND = 400_000 / 8;
/** Every 20th message is lost: a request before it arrives, or a response on its way back. */
const LOST_MESSAGE = 20;
const PREFILLED = '?amt=50&FName=Ana&LName=Souza&email=ana@example.org';

const findThankYou = (page: Page) => page.getByRole('heading', { name: /Thank you/ });

/** Loses messages of a donation and its outcome, and delays all others. */
class LossyNetwork {
  lostMessages = 0;
  #messages = 0;

  async pass(route: Route): Promise<void> {
    await setTimeout(LATENCY);
    if (this.#isNextLost()) return route.abort();
    const response = await route.fetch();
    if (this.#isNextLost()) return route.abort();
    await route.fulfill({ response });
  }

  #isNextLost(): boolean {
    this.#messages += 1;
    const isLost = this.#messages % LOST_MESSAGE === 2;
    if (isLost) this.lostMessages += 1;
    return isLost;
  }
}

/** Donates like a patient donor, who presses the button again if the form says so. */
async function donate(browser: Browser, url: string, network: LossyNetwork): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  });
  await page.route('**/donations', (route) => network.pass(route));
  await page.goto(url);
  await fillCard(page);
  await findSubmitButton(page).click();
  const notice = findForm(page).getByText("You won't be charged twice.").first();
  await expect(async () => {
    if (await notice.isVisible()) await findSubmitButton(page).click();
    await expect(findThankYou(page)).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 60_000 });
  await context.close();
}

const listReferences = async (world: World): Promise<string[]> =>
  (await world.listCharges()).map(({ metadata }) => metadata.donation_form_reference!);

test(`${DONATIONS} donations on a slow network that loses messages are each charged and recorded once`, async ({
  browser,
  world,
}) => {
  test.setTimeout(60_000 + DONATIONS * 15_000);
  const url = addFormPage(world, {}) + PREFILLED;
  const network = new LossyNetwork();
  for (let count = 0; count < DONATIONS; count += DONORS)
    await Promise.all(Array.from({ length: DONORS }, () => donate(browser, url, network)));
  expect(network.lostMessages).toBeGreaterThan(0);
  const references = await listReferences(world);
  expect(references).toHaveLength(DONATIONS);
  expect(new Set(references).size).toBe(DONATIONS);
  await expect.poll(async () => (await world.listActivities()).length).toBe(DONATIONS);
});
