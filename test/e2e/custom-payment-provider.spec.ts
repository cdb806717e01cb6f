import { readFile } from 'node:fs/promises';
import { extractCodeBlocks } from '../code-blocks.ts';
import { ACME_CARDS, AcmeProcessor } from '../server/payments/acme-processor.ts';
import { importBuilt } from './import-built.ts';
import {
  addFormPage,
  expect,
  fillDonor,
  findCardFrame,
  findSubmitButton,
  readReference,
  test as base,
  World,
} from './world.ts';

const SECRETS = { ACME_KEY: 'acme-key', ACME_WEBHOOK_SECRET: 'acme-webhook-secret' };
const GIFT_STATUS_REFUNDED = 4;
const SERVER_PACKAGE = new URL('../../dist/donation-form-server/lib/index.js', import.meta.url);

const blocks = extractCodeBlocks('docs/reference/payment-providers.md');
const findDocumentedCode = (start: string): string =>
  blocks.find(({ code }) => code.startsWith(start))!.code;
const readExample = (name: string): Promise<string> =>
  readFile(`examples/payment-provider/${name}`, 'utf8');

/**
 * Runs Acme's test double, and an endpoint whose only payment provider is the example in
 * docs/reference/payment-providers.md, with that page's configuration and files.
 */
const test = base.extend<{ acme: AcmeProcessor }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
  acme: async ({}, use) => {
    await use(
      new AcmeProcessor({ key: SECRETS.ACME_KEY, webhookSecret: SECRETS.ACME_WEBHOOK_SECRET }),
    );
  },
  world: async ({ acme }, use) => {
    const { listen } = await importBuilt('server');
    const { url, close } = await listen(acme.fetch, { host: '127.0.0.1', port: 0 });
    const configuration = JSON.parse(findDocumentedCode('{\n  "provider": "module"')) as object;
    {
      await using world = await World.open(() => [{ ...configuration, options: { url } }], {
        // Spawned, since Playwright would transpile the module in this process.
        spawnsEndpoint: true,
        environment: SECRETS,
        files: {
          'acme-gateway.js': (await readExample('acme-gateway.js')).replace(
            "'donation-form-server'",
            `'${SERVER_PACKAGE.href}'`,
          ),
        },
      });
      acme.webhookUrl = `${world.endpoint}/webhooks/acme/lanternwell`;
      await use(world);
    }
    await close();
  },
});

test('the payment provider of the documentation can be registered by a page, accepts a donation, and reports a refund', async ({
  page,
  world,
  acme,
}) => {
  world.pages.set('/acme.js', await readExample('acme.js'));
  await page.route(`${world.page}/package/**`, async (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: await readFile(
        `dist/donation-form/lib/${new URL(route.request().url()).pathname.slice('/package/'.length)}`,
        'utf8',
      ),
    }),
  );
  const importMap = findDocumentedCode('<script type="importmap">');
  const register = findDocumentedCode('import { registerPaymentProvider }');
  await page.goto(addFormPage(world, {}, `${importMap}<script type="module">${register}</script>`));
  await fillDonor(page);
  const cardNumber = findCardFrame(page).getByLabel('Card number');
  await cardNumber.fill('4242');
  await findSubmitButton(page).click();
  await expect(cardNumber).toBeFocused();
  expect(acme.webhooks).toEqual([]);
  await cardNumber.fill(ACME_CARDS.good);
  await cardNumber.press('Enter');
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  const reference = await readReference(page);
  expect(acme.listCharges(reference)).toEqual([5_000]);
  await expect.poll(() => world.listActivities()).toHaveLength(1);
  const { payment } = JSON.parse(acme.webhooks[0]!.body) as { payment: string };
  await acme.refund(payment);
  await expect.poll(() => world.getGiftStatus(reference)).toBe(GIFT_STATUS_REFUNDED);
});
