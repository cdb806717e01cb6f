import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listen } from '../../../src/server/http/listen.ts';
import type { CreateGateway } from '../../../src/server/payments/payment-gateway.ts';
import { ACME_CARDS, AcmeProcessor } from './acme-processor.ts';
import { testGateway } from './contract.ts';
import type { MissingCapabilities, TestPaymentMethod } from './test-provider.ts';

const GATEWAY = new URL('../../../src/server/payments/payment-gateway.ts', import.meta.url).href;
const SECRETS = { key: 'key', webhook: 'webhook-secret' };

const CARDS: Readonly<Partial<Record<TestPaymentMethod, string>>> = {
  'insufficient funds': ACME_CARDS.declined,
  'fails when renewed': ACME_CARDS.failsWhenRenewed,
  declined: ACME_CARDS.declined,
  expired: ACME_CARDS.declined,
};

const MISSING_CAPABILITIES: MissingCapabilities = {
  'hosted page': 'Acme has a payment field only',
  authentication: 'Acme charges cards without 3-D Secure',
  'bank debits': 'Acme charges cards only',
  disputes: 'Acme does not report them',
  lists: 'Acme cannot list payments',
};

/** The example of docs/reference/payment-providers.md, changed only to import errors from the source code. */
testGateway(
  'the gateway of docs/reference/payment-providers.md',
  MISSING_CAPABILITIES,
  async () => {
    const folder = await mkdtempDisposable(join(tmpdir(), 'donation-form-'));
    const file = join(folder.path, 'acme-gateway.js');
    const code = await readFile('examples/payment-provider/acme-gateway.js', 'utf8');
    await writeFile(file, code.replace("'donation-form-server'", `'${GATEWAY}'`));
    const { createGateway } = (await import(pathToFileURL(file).href)) as {
      createGateway: CreateGateway;
    };
    const acme = new AcmeProcessor({ key: SECRETS.key, webhookSecret: SECRETS.webhook });
    const { url, close } = await listen(acme.fetch, { host: '127.0.0.1', port: 0 });
    return {
      gateway: await createGateway({ options: { url }, secrets: SECRETS }),
      createToken: async (method) => acme.createToken({ card: CARDS[method] ?? ACME_CARDS.good }),
      listCharges: async (reference) => acme.listCharges(reference),
      returnUrl: 'http://127.0.0.1:4100/',
      renew: ({ paymentId }) => acme.renew(paymentId),
      cancelSubscription: ({ paymentId }) => acme.cancelSubscription(paymentId),
      refund: ({ paymentId }, amount) => acme.refund(paymentId, amount),
      listWebhooks: async () => acme.webhooks,
      signWebhook: async (body, time) => acme.signWebhook(body, time),
      async [Symbol.asyncDispose]() {
        await close();
        await folder.remove();
      },
    };
  },
);
