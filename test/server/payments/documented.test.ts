import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CreateGateway } from '../../../src/server/payments/payment-gateway.ts';
import { testGateway, type TestProvider } from './contract.ts';
import { startSandboxProvider } from './sandbox-provider.ts';

const GATEWAY = new URL('../../../src/server/payments/payment-gateway.ts', import.meta.url).href;

/**
 * The gateway that docs/payment-providers.md shows, as it stands there but for where it finds this
 * package's errors.
 */
testGateway('the gateway of docs/payment-providers.md', async () => {
  const page = await readFile('docs/payment-providers.md', 'utf8');
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const [, code = ''] = /```js acme-gateway\.js\n([\s\S]*?)```/.exec(page) ?? [];
  await writeFile(
    join(folder, 'acme-gateway.js'),
    code.replace("'donation-form-server'", `'${GATEWAY}'`),
  );
  const { createGateway } = (await import(pathToFileURL(join(folder, 'acme-gateway.js')).href)) as {
    createGateway: CreateGateway;
  };
  const sandbox = await startSandboxProvider();
  const { address, webhookSecret, secretKey } = sandbox;
  // The example takes cards alone, and has no page of its own.
  const provider = Object.fromEntries(
    Object.entries(sandbox).filter(([name]) => !['payOnPage', 'settle'].includes(name)),
  ) as unknown as TestProvider;
  return {
    ...provider,
    gateway: await createGateway({
      options: { frame: `${address}/processor/card-frame`, publicKey: 'pk_sandbox' },
      secrets: { key: secretKey, webhook: webhookSecret },
    }),
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
});
