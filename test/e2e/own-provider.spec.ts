import { readFile } from 'node:fs/promises';
import {
  World,
  card,
  expect,
  fillCard,
  fillDonor,
  giveButton,
  pageWith,
  referenceOf,
  test as base,
} from './world.ts';

/**
 * A world whose only way to pay is the one that docs/payment-providers.md shows: its two files, as
 * they stand on that page.
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
        // Playwright would compile the module if this process imported it.
        spawnsEndpoint: true,
        files: {
          'acme-gateway.js': (await documented('acme-gateway.js')).replace(
            "'donation-form-server'",
            `'${new URL('../../dist/donation-form-server/lib/index.js', import.meta.url).href}'`,
          ),
        },
      },
    );
    await use(world);
  },
});

async function documented(name: string): Promise<string> {
  return (
    new RegExp(`\`\`\`js ${name}\\n([\\s\\S]*?)\`\`\``).exec(
      await readFile('docs/payment-providers.md', 'utf8'),
    )?.[1] ?? ''
  );
}

test('a payment provider that is written after the documentation is registered by a page with a script tag, and takes a gift', async ({
  page,
  world,
}) => {
  await page.route(`${world.page}/acme.js`, async (route) =>
    route.fulfill({ contentType: 'text/javascript', body: await documented('acme.js') }),
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
  await page.goto(pageWith(world, {}, register));
  await fillDonor(page);
  await fillCard(page);
  await expect(card(page).getByLabel('Card number')).toHaveValue('4242 4242 4242 4242');
  await giveButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  expect(await world.charges(await referenceOf(page))).toMatchObject([
    { state: 'succeeded', amount: 5_000 },
  ]);
  await expect.poll(() => world.activities()).toHaveLength(1);
});
