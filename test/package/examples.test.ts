/** Runs the `@example`s of the packages' exports. `code-blocks.test.ts` type-checks all of them. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, mock, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createSandbox } from 'donation-form-sandbox';
import { createEndpoint, listen, loadConfiguration } from 'donation-form-server';
import { listPublicExports } from '../../scripts/public-api.ts';
import { APPLICATIONS } from '../../src/sandbox/test/support.ts';

/** Modules whose examples need a browser. */
const BROWSER_MODULES = [
  'donation-form',
  'donation-form/element',
  'donation-form/button',
  'donation-form/goal',
  'donation-form/attribution',
  'donation-form/analytics',
  'donation-form/payment',
  'donation-form/react',
  'donation-form/vue',
  'donation-form/svelte',
];

const PUBLIC_EXPORTS = listPublicExports();
const EXAMPLES = PUBLIC_EXPORTS.filter(({ module }) => !BROWSER_MODULES.includes(module)).flatMap(
  ({ module, name, examples }) => examples.map((code) => ({ title: `${module} ${name}`, code })),
);

// Inside the project, so that the packages' names resolve to the build.
await mkdir('.data', { recursive: true });
const folder = await mkdtemp(resolve('.data', 'examples-'));
const projectFolder = process.cwd();

/** Writes the demo's configuration, with free ports, and an empty backup into a new folder. */
async function createConfigurationFolder(): Promise<string> {
  const configurationFolder = await mkdtemp(join(folder, 'configuration-'));
  const configuration = JSON.parse(
    await readFile(join(projectFolder, 'demo/donation-form.config.json'), 'utf8'),
  ) as object;
  const free = await listen(() => new Response(), { host: '127.0.0.1', port: 0 });
  await free.close();
  await writeFile(
    join(configurationFolder, 'donation-form.config.json'),
    JSON.stringify({
      ...configuration,
      admin: undefined,
      listen: { host: '127.0.0.1', port: Number(new URL(free.url).port) },
    }),
  );
  await writeFile(join(configurationFolder, 'backup.db'), '');
  return configurationFolder;
}

const sandbox = createSandbox({
  platformKey: 'platform-key',
  v1: { organizationKey: 'organization-key', applications: APPLICATIONS },
  seed: true,
});
const sandboxListener = await listen(sandbox.fetch, { host: '127.0.0.1', port: 0 });
Object.assign(process.env, {
  FUNDRAISING_URL: sandboxListener.url,
  FUNDRAISING_API_KEY: 'platform-key',
  DONATION_V1_URL: sandboxListener.url,
  ORGANIZATION_KEY: 'organization-key',
  LICENSE_KEY: 'read-key',
  PAYMENT_SECRET_KEY: 'sk_test_examples',
  PAYMENT_WEBHOOK_SECRET: 'whsec_examples',
  LOG_LEVEL: 'silent',
});
const endpoint = await createEndpoint({
  configuration: await loadConfiguration(
    join(await createConfigurationFolder(), 'donation-form.config.json'),
  ),
  environment: process.env,
});
const endpointListener = await listen(endpoint.fetch, { host: '127.0.0.1', port: 0 });

after(async () => {
  await endpointListener.close();
  await endpoint.close();
  await sandboxListener.close();
  sandbox.close();
  await rm(folder, { recursive: true });
});

test('every function and client of the packages has an example', () => {
  const missing = PUBLIC_EXPORTS.filter(
    ({ name, kind, isCallable, examples }) =>
      examples.length === 0 && (isCallable || (kind === 'class' && name.endsWith('Client'))),
  );
  assert.deepEqual(
    missing.map(({ module, name }) => `${module} ${name}`),
    [],
  );
});

for (const [index, { title, code }] of EXAMPLES.entries()) {
  test(`runs the example of ${title}`, async (context) => {
    const file = join(folder, `example-${index}.ts`);
    await writeFile(
      file,
      `${code.replaceAll('https://give.example.org/form', `${endpointListener.url}/form`)}\nexport {};\n`,
    );
    process.chdir(await createConfigurationFolder());
    context.after(() => process.chdir(projectFolder));
    const log = mock.method(console, 'log', () => undefined);
    mock.method(console, 'error', () => undefined);
    await import(pathToFileURL(file).href);
    const printed = log.mock.calls.map(({ arguments: values }) => values.map(String).join(' '));
    mock.restoreAll();
    const expected = [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(
      ([, output]) => output,
    );
    if (expected.length > 0) assert.deepEqual(printed, expected);
  });
}
