import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

/**
 * Type-checks a program that uses the built package as a stranger's would.
 * @returns what the compiler says.
 */
function compile(program: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'donation-form-'));
  spawnSync('mkdir', [join(folder, 'node_modules')]);
  symlinkSync(resolve('dist/donation-form'), join(folder, 'node_modules', 'donation-form'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'page.ts'), program);
  const { stdout } = spawnSync(
    process.execPath,
    [
      resolve('node_modules/typescript/bin/tsc'),
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--target',
      'es2022',
      '--lib',
      'es2023,dom,dom.iterable',
      '--module',
      'nodenext',
      'page.ts',
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  rmSync(folder, { recursive: true });
  return stdout;
}

test("the built package types a page's settings, its events and its links", () => {
  assert.equal(
    compile(`
    import 'donation-form';
    import { keepLanding } from 'donation-form/attribution';
    ${/```ts\n(.*?)```/s.exec(readFileSync('docs/analytics.md', 'utf8'))![1]!}
    import { buildLink } from 'donation-form/link';
    import { lookOf, onLookChange, registerPaymentProvider, type Confirmation, type Look, type MountPaymentField, type PaymentField, type PaymentFieldOptions } from 'donation-form/payment';
    const mount: MountPaymentField = async (host: HTMLElement, { gift, methods }: PaymentFieldOptions): Promise<PaymentField> => {
      const look: Look = lookOf(host), confirmation: Confirmation = { token: String(gift.total + (look.dark ? 1 : 0)), method: methods[0] ?? 0 };
      onLookChange(host, () => undefined, new AbortController().signal);
      return { update: () => undefined, confirm: async ({ name }) => (name ? confirmation : { problem: 'incomplete' }), act: async () => undefined, focus: () => undefined, destroy: () => undefined };
    };
    registerPaymentProvider('own', async () => ({ mount }));
    window.ServiceDonorsForms = { settings: { giftInfo: { amount: 75, frequency: 'monthly' }, onSuccess: ({ amount, projectSplit }) => [amount.toFixed(2), projectSplit[0]?.projectName] } };
    window.ServiceDonorsForms.consent = () => Promise.resolve(true);
    window.ServiceDonorsForms.settings = { giftInfo: { giftArrays: [{ value: '25' }] } } as const;
    document.addEventListener('donation-form-success', ({ reference, gift }) => [reference.length, gift.total + 1]);
    document.addEventListener('donation-form-ready', ({ isTest, gift }) => [isTest === true, gift.decimals + 1]);
    document.querySelector('donation-form')!.formId = 'main';
    void keepLanding({ consent: () => true }).then((isAgreed) => isAgreed === true);
    buildLink('https://example.org', { amount: '75', segment: 'MAIL26' }).toUpperCase();
  `),
    '',
  );
});

test('a payment provider of the package is one of the script tag too: both look where the other registers', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      "const { registerPaymentProvider } = await import('donation-form/payment'); registerPaymentProvider('own', async () => ({})); console.log([...globalThis[Symbol.for('donation-form payment providers')].keys()].join());",
    ],
    { encoding: 'utf8' },
  );
  assert.equal(stdout.trim(), 'own', stderr);
  const built = readdirSync('dist/donation-form/scripts')
    .filter((name) => /^donation-form\..+\.js$/.test(name))
    .some((name) =>
      readFileSync(`dist/donation-form/scripts/${name}`, 'utf8').includes(
        'donation-form payment providers',
      ),
    );
  assert.ok(built);
});

test("a mistake in a page's settings is a type error", () => {
  const said = compile(`
    import 'donation-form';
    window.ServiceDonorsForms = { settings: { giftInfo: { frequency: 'fortnightly' } } };
    window.ServiceDonorsForms = { settings: { giftinfo: {} } };
  `);
  assert.match(said, /page\.ts\(3,.*fortnightly/);
  assert.match(said, /page\.ts\(4,.*giftinfo/);
});

test('the schemas for editors are built, and the example configuration names its own', () => {
  const schema = JSON.parse(
    readFileSync('dist/donation-form-server/donation-form.config.schema.json', 'utf8'),
  ) as {
    properties: object;
  };
  assert.deepEqual(Object.keys(schema.properties), [
    '$schema',
    'listen',
    'operator',
    'store',
    'process',
    'drain',
    'organizations',
  ]);
  const settings = JSON.parse(readFileSync('dist/donation-form/settings.schema.json', 'utf8')) as {
    properties: { giftInfo: { properties: Record<string, { deprecated?: boolean }> } };
  };
  assert.equal(settings.properties.giftInfo.properties.projectOverrideCode?.deprecated, true);
  assert.ok(
    readFileSync(
      join(
        'demo',
        (JSON.parse(readFileSync('demo/donation-form.config.json', 'utf8')) as { $schema: string })
          .$schema,
      ),
      'utf8',
    ),
  );
});
