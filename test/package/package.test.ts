import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { BROWSER_PACKAGE } from '../../scripts/packages.ts';

interface CompilerOptions {
  /** Package with the compiler: TypeScript 7, or the much slower `typescript` 6. */
  readonly compiler?: 'typescript-7' | 'typescript';
  readonly options?: readonly string[];
}

/**
 * Type-checks a program that uses the built package like an external project.
 * @returns the compiler's output.
 */
function compileProgram(
  program: string,
  { compiler = 'typescript-7', options = [] }: CompilerOptions = {},
): string {
  const folder = mkdtempSync(join(tmpdir(), 'donation-form-'));
  spawnSync('mkdir', [join(folder, 'node_modules')]);
  symlinkSync(resolve('dist/donation-form'), join(folder, 'node_modules', 'donation-form'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'page.ts'), program);
  const { stdout } = spawnSync(
    process.execPath,
    [
      resolve(`node_modules/${compiler}/bin/tsc`),
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--target',
      'es2022',
      '--lib',
      'es2023,dom,dom.iterable',
      '--module',
      'nodenext',
      ...options,
      'page.ts',
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  rmSync(folder, { recursive: true });
  return stdout;
}

test("the built package has types for a page's settings, its events, and its links", () => {
  assert.equal(
    compileProgram(`
    import 'donation-form';
    import { saveLandingParams } from 'donation-form/attribution';
    ${/```ts\n(.*?)```/s.exec(readFileSync('docs/campaigns/analytics.md', 'utf8'))![1]!}
    import { buildLink } from 'donation-form/link';
    import { getAppearance, observeAppearance, registerPaymentProvider } from 'donation-form/payment';
    import type {
      Confirmation, FieldAppearance, PaymentFieldFactory, PaymentField, PaymentFieldOptions,
    } from 'donation-form/payment';
    const mount: PaymentFieldFactory = async (
      host: HTMLElement,
      { charge, methods }: PaymentFieldOptions,
    ): Promise<PaymentField> => {
      const appearance: FieldAppearance = getAppearance(host);
      const token = String(charge.total + (appearance.dark ? 1 : 0));
      const confirmation: Confirmation = { token, method: methods[0] ?? 0 };
      observeAppearance(host, () => undefined, new AbortController().signal);
      return {
        update: () => undefined,
        confirm: async ({ name }) => (name ? confirmation : { problem: 'incomplete' }),
        handleNextAction: async () => undefined,
        focus: () => undefined,
        destroy: () => undefined,
      };
    };
    registerPaymentProvider('own', async () => ({ mount }));
    window.ServiceDonorsForms = {
      settings: {
        giftInfo: { amount: 75, frequency: 'monthly' },
        onSuccess: ({ amount, projectSplit }) => [amount.toFixed(2), projectSplit[0]?.projectName],
      },
    };
    window.ServiceDonorsForms.consent = () => Promise.resolve(true);
    window.ServiceDonorsForms.settings = { giftInfo: { giftArrays: [{ value: '25' }] } } as const;
    document.addEventListener('donation-form-success', ({ reference, gift }) => [reference.length, gift.total + 1]);
    document.addEventListener('donation-form-ready', ({ isTest, gift }) => [isTest === true, gift.decimals + 1]);
    document.querySelector('donation-form')!.formId = 'main';
    void saveLandingParams({ consent: () => true }).then((isAgreed) => isAgreed === true);
    buildLink('https://example.org', { amount: '75', segment: 'MAIL26' }).toUpperCase();
  `),
    '',
  );
});

/** The compiler's options for each module resolution. TypeScript 7 no longer has `node10`. */
const MODULE_RESOLUTIONS: Readonly<Record<string, CompilerOptions>> = {
  nodenext: { options: ['--moduleResolution', 'nodenext'] },
  bundler: { options: ['--moduleResolution', 'bundler', '--module', 'preserve'] },
  node10: {
    compiler: 'typescript',
    options: '--moduleResolution node10 --module esnext --ignoreDeprecations 6.0'.split(' '),
  },
};

for (const [resolution, options] of Object.entries(MODULE_RESOLUTIONS))
  test(`with the module resolution ${resolution}, TypeScript finds every entry and theme of the package`, () => {
    const { exports: entries } = BROWSER_PACKAGE.manifest;
    const specifiers = Object.entries(entries)
      .filter(([, target]) => typeof target === 'object')
      .map(([path]) => path.replace('.', 'donation-form').replace('*', 'warm-paper'));
    assert.ok(specifiers.includes('donation-form/themes/warm-paper.css'));
    const program = specifiers.map((specifier) => `import '${specifier}';`).join('\n');
    const wrong = `import { buildLinks } from 'donation-form/link';`;
    assert.match(
      compileProgram(`${program}\n${wrong}`, options),
      /^page\.ts[^\n]+TS2724: '"donation-form\/link"' has no exported member[^\n]+\n$/,
    );
  });

test('payment providers registered with the package are available to the script', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { registerPaymentProvider } = await import('donation-form/payment');
      registerPaymentProvider('own', async () => ({}));
      const providers = globalThis[Symbol.for('donation-form payment providers')];
      console.log([...providers.keys()].join());`,
    ],
    { encoding: 'utf8' },
  );
  assert.equal(stdout.trim(), 'own', stderr);
  const built = readdirSync('dist/donation-form/scripts')
    .filter((name) => /^donation-form\..*js$/.test(name))
    .some((name) =>
      readFileSync(`dist/donation-form/scripts/${name}`, 'utf8').includes(
        'donation-form payment providers',
      ),
    );
  assert.ok(built);
});

test('rule 37: the types let a page change each setting until the donation is submitted', () => {
  const program = `
    import 'donation-form';
    ServiceDonorsForms!.settings!.giftInfo!.amount = 7;
    ServiceDonorsForms!.settings!.giftInfo!.giftArrays = [{ value: '25' }];
    ServiceDonorsForms!.settings!.donorInfo = { firstName: 'Ana' };
    ServiceDonorsForms!.settings!.donorInfo.email = 'ana@example.org';
    window.ServiceDonorsForms!.settings!.analyticsTracking = { utmSource: 'mail' };
    window.ServiceDonorsForms!.settings!.customFieldPreset = [{ id: 'shirt', value: 'M' }];
    window.ServiceDonorsForms!.settings!.onSuccess = ({ amount }) => amount.toFixed(2);
  `;
  assert.equal(compileProgram(program), '');
  assert.equal(
    compileProgram(program.replaceAll('!.', '.'), { options: ['--strict', 'false'] }),
    '',
  );
});

test('rule 53: with exact optional properties, the response has the types of the specification', () => {
  assert.equal(
    compileProgram(
      `
    import { Frequency, type DonateResponse, type ProjectSplit } from 'donation-form';
    interface SpecifiedSplit {
      projectId: string;
      projectName: string;
      projectCode?: string;
      amount: string | null;
    }
    interface SpecifiedResponse {
      success: boolean;
      message: string | null;
      transactionId: string | null;
      amount: number;
      frequency?: 52 | 26 | 12 | 4 | 2 | 1;
      segment?: string;
      giftId?: number | null;
      projectSplit: SpecifiedSplit[];
    }
    type Equal<A, B> =
      (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
    type Flat<T> = { [Key in keyof T]: T[Key] };
    type WithoutSplit<T> = Flat<Omit<T, 'projectSplit'>>;
    export const isEqual: [
      Equal<WithoutSplit<DonateResponse>, WithoutSplit<SpecifiedResponse>>,
      Equal<Flat<ProjectSplit>, Flat<SpecifiedSplit>>,
      Equal<DonateResponse['projectSplit'], ProjectSplit[]>,
    ] = [true, true, true];
    window.ServiceDonorsForms = { settings: { onSuccess: (response: SpecifiedResponse) => response } };
    export const isMonthly = ({ frequency }: DonateResponse) => frequency === Frequency.Monthly;
  `,
      { options: ['--exactOptionalPropertyTypes'] },
    ),
    '',
  );
});

test("a mistake in a page's settings is a type error", () => {
  const output = compileProgram(`
    import 'donation-form';
    window.ServiceDonorsForms = { settings: { giftInfo: { frequency: 'fortnightly' } } };
    window.ServiceDonorsForms = { settings: { giftinfo: {} } };
  `);
  assert.match(output, /page\.ts\(3,.*fortnightly/);
  assert.match(output, /page\.ts\(4,.*giftinfo/);
});

test('the build contains the editor schemas, and the example configuration refers to its schema', () => {
  const schema = JSON.parse(
    readFileSync('dist/donation-form-server/donation-form.config.schema.json', 'utf8'),
  ) as {
    properties: object;
  };
  assert.deepEqual(Object.keys(schema.properties), [
    '$schema',
    'listen',
    'admin',
    'database',
    'backgroundJobs',
    'auditLogDays',
    'alerts',
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
