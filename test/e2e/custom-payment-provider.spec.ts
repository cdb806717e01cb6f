import { readFile } from 'node:fs/promises';
import {
  World,
  findCardFrame,
  expect,
  fillCard,
  fillDonor,
  findSubmitButton,
  addFormPage,
  readReference,
  test as base,
} from './world.ts';

/**
 * Runs an endpoint whose only payment provider is the example in docs/payment-providers.md, with
 * the two files from that page.
 */
const test = base.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
  world: async ({}, use) => {
    await using world = await World.open(
      (sandbox) => [
        {
          provider: 'module',
          name: 'acme',
          module: './acme-gateway.js',
          methods: ['card'],
          options: { frame: `${sandbox}/processor/card-frame`, publicKey: 'pk_sandbox' },
          secrets: {
            key: { env: 'PAYMENT_SECRET_KEY' },
            webhook: { env: 'PAYMENT_WEBHOOK_SECRET' },
          },
        },
      ],
      {
        // Spawned, since Playwright would transpile the module in this process.
        spawnsEndpoint: true,
        files: {
          'acme-gateway.js': (await readDocumentedFile('acme-gateway.js')).replace(
            "'donation-form-server'",
            `'${new URL('../../dist/donation-form-server/lib/index.js', import.meta.url).href}'`,
          ),
        },
      },
    );
    await use(world);
  },
});

async function readDocumentedFile(name: string): Promise<string> {
  return (
    new RegExp(`\`\`\`js ${name}\\n([\\s\\S]*?)\`\`\``).exec(
      await readFile('docs/payment-providers.md', 'utf8'),
    )?.[1] ?? ''
  );
}

test('the payment provider of the documentation can be registered by a page and accepts a donation', async ({
  page,
  world,
}) => {
  await page.route(`${world.page}/acme.js`, async (route) =>
    route.fulfill({ contentType: 'text/javascript', body: await readDocumentedFile('acme.js') }),
  );
  await page.route(`${world.page}/package/**`, async (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: await readFile(
        `dist/donation-form/lib/${new URL(route.request().url()).pathname.slice('/package/'.length)}`,
        'utf8',
      ),
    }),
  );
  const register = `<script type="importmap">{ "imports": { "donation-form/payment": "/package/payment.js" } }</script>
<script type="module">import { registerPaymentProvider } from 'donation-form/payment'; registerPaymentProvider('acme', () => import('/acme.js'));</script>`;
  await page.goto(addFormPage(world, {}, register));
  await fillDonor(page);
  await fillCard(page);
  await expect(findCardFrame(page).getByLabel('Card number')).toHaveValue('4242 4242 4242 4242');
  await findSubmitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  expect(await world.listCharges(await readReference(page))).toMatchObject([
    { state: 'succeeded', amount: 5_000 },
  ]);
  await expect.poll(() => world.listActivities()).toHaveLength(1);
});
