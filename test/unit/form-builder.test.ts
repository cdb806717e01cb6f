import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Appearance,
  buildDeclarations,
  buildStyleSheet,
  PROPERTY_NAMES,
  THEME_LABELS,
  validateSchemeValue,
} from '../../src/admin-ui/form-builder/appearance.ts';
import {
  getTextAtPath,
  type Json,
  listEnvironmentVariables,
  moveItemUp,
  readConfigValue,
  reorderPaths,
  replaceValueAtPath,
} from '../../src/admin-ui/form-builder/config-path.ts';
import { listContrastWarnings } from '../../src/admin-ui/form-builder/contrast.ts';
import {
  findOtherFormAtPath,
  listForms,
  NEW_DRAFT,
  parseDraft,
} from '../../src/admin-ui/form-builder/draft.ts';
import {
  describePath,
  EDITABLE_TEXTS,
  getDefaultText,
} from '../../src/admin-ui/form-builder/labels.ts';
import { buildSnippet, validateEndpoint } from '../../src/admin-ui/form-builder/snippet.ts';
import {
  describeSandboxUse,
  STARTER_CONFIGURATION,
} from '../../src/admin-ui/form-builder/starter-configuration.ts';
import {
  getDisplayedText,
  getTranslation,
  replaceTranslation,
} from '../../src/admin-ui/form-builder/translations.ts';
import { getContrastRatio, type Rgb } from '../../src/core/color/index.ts';
import { LANGUAGES } from '../../src/core/i18n/languages.ts';
import { previewConfiguration } from '../../src/server/admin/pages/configuration-preview.ts';

const configurationText = readFileSync('demo/donation-form.config.json', 'utf8');
const configuration = parseDraft(configurationText);
const FULL_FORM = 'organizations.0.forms.1';

/** Lists the paths of all values that are neither a list nor an object. */
function listLeafPaths(json: Json, path = ''): string[] {
  return typeof json === 'object' && json !== null
    ? Object.entries(json).flatMap(([step, inner]) =>
        listLeafPaths(inner, path === '' ? step : `${path}.${step}`),
      )
    : [path];
}

test('keeps a configuration unchanged, even if every value is replaced by itself', () => {
  assert.deepEqual(configuration, JSON.parse(configurationText));
  const paths = listLeafPaths(configuration);
  assert.ok(paths.length > 300);
  const rewritten = paths.reduce(
    (before, path) => replaceValueAtPath(before, path, readConfigValue(before, path)),
    configuration,
  );
  assert.equal(JSON.stringify(rewritten), JSON.stringify(configuration));
  assert.deepEqual(
    listForms(configuration).map(({ name }) => name),
    ['Lanternwell · Winter appeal', 'Lanternwell · All parts', 'Lanternwell · Many projects'],
  );
  assert.deepEqual(listEnvironmentVariables(configuration), [
    'PAYMENT_SECRET_KEY',
    'PAYMENT_WEBHOOK_SECRET',
    'FUNDRAISING_API_KEY',
  ]);
});

test('replaces, adds, removes, and moves single values', () => {
  const before = { a: [1, 2, 3], b: { c: 'x' } };
  assert.deepEqual(replaceValueAtPath(before, 'a.3', 4), { ...before, a: [1, 2, 3, 4] });
  assert.deepEqual(replaceValueAtPath(before, 'a.1', undefined), { ...before, a: [1, 3] });
  assert.deepEqual(replaceValueAtPath(before, 'b.d.e', 'y'), {
    ...before,
    b: { c: 'x', d: { e: 'y' } },
  });
  assert.deepEqual(replaceValueAtPath(before, 'b.c', undefined), { ...before, b: {} });
  assert.deepEqual(
    [moveItemUp([1, 2, 3], 2), moveItemUp([1, 2, 3], 0)],
    [
      [1, 3, 2],
      [1, 2, 3],
    ],
  );
  assert.equal(readConfigValue(configuration, 'organizations.0.name.length'), undefined);
  const paths = new Set(['a', 'a.1', 'a.2.name', 'a.10.name', 'ab.2.name']);
  assert.deepEqual(
    reorderPaths(paths, 'a', [0, 2, 10]),
    new Set(['a', 'a.1.name', 'a.2.name', 'ab.2.name']),
  );
});

test('rejects files that are not configurations, and explains which file to open', () => {
  assert.throws(
    () => parseDraft('{'),
    /This file is not valid JSON: .*Open a donation-form\.config\.json/,
  );
  for (const text of [
    '7',
    'null',
    '[]',
    '{}',
    '{"organizations": {}}',
    '{"organizations": [{"forms": []}]}',
  ])
    assert.throws(() => parseDraft(text), /no organization with a form/, text);
});

test('reports the empty fields of a new form, which is valid once they are filled in', () => {
  const previewDraft = (draft: Json) =>
    previewConfiguration({ configuration: draft, organization: 0, form: 0, language: 'en' });
  const empty = previewDraft(STARTER_CONFIGURATION);
  assert.deepEqual(
    'problems' in empty && empty.problems.map(({ path }) => path),
    ['id', 'name', 'contact', 'origins', 'forms.0.projects.0.name'].map(
      (path) => `organizations.0.${path}`,
    ),
  );
  const filled = (
    [
      ['id', 'l'],
      ['name', 'Lanternwell'],
      ['contact', 'giving@lanternwell.example'],
      ['origins', ['https://lanternwell.example']],
      ['forms.0.projects.0.name', 'Wells'],
    ] as const
  ).reduce(
    (before, [path, value]) => replaceValueAtPath(before, `organizations.0.${path}`, value),
    STARTER_CONFIGURATION,
  );
  assert.ok('definition' in previewDraft(filled));
});

test('describes the sandbox and ports of a new form as docs/campaigns/form-builder.md does', () => {
  const page = readFileSync('docs/campaigns/form-builder.md', 'utf8');
  for (const port of [
    getTextAtPath(STARTER_CONFIGURATION, 'listen.port'),
    getTextAtPath(STARTER_CONFIGURATION, 'admin.port'),
    '4102',
  ])
    for (const text of [describeSandboxUse(STARTER_CONFIGURATION, 'organizations.0')!, page])
      assert.ok(text.includes(port) && text.includes('no money moves'), text);
  assert.equal(
    describeSandboxUse(
      replaceValueAtPath(STARTER_CONFIGURATION, 'organizations.0.platform', { adapter: 'none' }),
      'organizations.0',
    ),
    undefined,
  );
  assert.ok(
    describeSandboxUse(
      replaceValueAtPath(STARTER_CONFIGURATION, 'organizations.0.name', 'Lanternwell'),
      'organizations.0',
    ),
  );
});

test('describes where a field is, and names the other form that a problem belongs to', () => {
  assert.deepEqual(
    [
      'organizations.0.name',
      `${FULL_FORM}.id`,
      `${FULL_FORM}.texts.de.give`,
      `${FULL_FORM}.projects.1.name`,
      `${FULL_FORM}.currencies.0.giftArray.2.value`,
      `${FULL_FORM}.currencies.1.giftArrays.monthly.0.value`,
    ].map(describePath),
    [
      'organization',
      'form',
      'form',
      'project 2',
      'currency 1, amount 3',
      'currency 2, amount 1, monthly',
    ],
  );
  const findOtherForm = (path: string, form = 1) =>
    findOtherFormAtPath({ ...NEW_DRAFT, configuration, form }, path);
  assert.deepEqual(
    [
      findOtherForm(`${FULL_FORM}.id`),
      findOtherForm(`${FULL_FORM}.id`, 0),
      findOtherForm('organizations.0.name'),
      findOtherForm('listen.port'),
    ],
    [undefined, 'Lanternwell · All parts', undefined, undefined],
  );
});

test('after any change, the server builds the form or reports problems, and other values stay', () => {
  const paths = listLeafPaths(readConfigValue(configuration, FULL_FORM)!)
    .filter((path) => /^(id|currencies|frequencies|projects|allowCustomAmount)/.test(path))
    .map((path) => `${FULL_FORM}.${path}`);
  const lists = [
    'currencies',
    'currencies.0.giftArray',
    'currencies.0.giftArrays.monthly',
    'frequencies',
    'projects',
  ].map((path) => `${FULL_FORM}.${path}`);
  const value = fc.oneof(
    fc.constantFrom('', '25', '0.30', '1e3', '99999999', 'USD', 'JPY', 'monthly', 'Wells'),
    fc.string(),
    fc.constant(undefined),
  );
  const change = fc.oneof(
    fc.record({ path: fc.constantFrom(...paths), value }),
    fc.record({
      path: fc.constantFrom(...lists).chain((list) => fc.nat(4).map((index) => `${list}.${index}`)),
      value: fc.constant(undefined),
    }),
  );
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const after = changes.reduce(
        (before, { path, value: replacement }) => replaceValueAtPath(before, path, replacement),
        configuration,
      );
      const result = previewConfiguration({
        configuration: after,
        organization: 0,
        form: 1,
        language: 'de',
      });
      if ('problems' in result)
        for (const { path, message } of result.problems)
          assert.ok(
            path !== '' && /expected|found/.test(message),
            JSON.stringify({ path, message }),
          );
      else assert.equal(result.definition.payments.length, 2);
      for (const path of [
        'listen',
        'database',
        'organizations.0.payments',
        'organizations.0.platform',
        `${FULL_FORM}.consents`,
        `${FULL_FORM}.customFields`,
        'organizations.0.forms.2',
      ])
        assert.deepEqual(readConfigValue(after, path), readConfigValue(configuration, path));
    }),
    { numRuns: 60 },
  );
});

test('replacing a translation keeps the others, and a single text becomes the English one', () => {
  assert.deepEqual(replaceTranslation('Wells', 'de', 'Brunnen'), { en: 'Wells', de: 'Brunnen' });
  assert.deepEqual(
    [
      replaceTranslation('Wells', 'en', 'Taps'),
      replaceTranslation('Wells', 'en', ''),
      replaceTranslation(undefined, 'de', ''),
    ],
    ['Taps', undefined, undefined],
  );
  assert.deepEqual(
    [
      getTranslation('Wells', 'de'),
      getDisplayedText('Wells', 'de'),
      getDisplayedText({ de: 'Brunnen', fr: 'Puits' }, 'it'),
      getDisplayedText(7, 'en'),
    ],
    ['', 'Wells', 'Brunnen', ''],
  );
  const language = fc.constantFrom(...LANGUAGES);
  const text = fc.string();
  const texts = fc.oneof(
    text,
    fc.dictionary(language, text.filter(Boolean)),
    fc.constant(undefined),
  );
  fc.assert(
    fc.property(texts, language, text, language, (before, changed, replacement, other) => {
      const after = replaceTranslation(before, changed, replacement);
      assert.equal(getTranslation(after, changed), replacement);
      if (other !== changed)
        assert.equal(getTranslation(after, other), getTranslation(before, other));
      if (typeof before === 'string' && before !== '' && other !== changed && changed !== 'en')
        assert.equal(getDisplayedText(after, other), before);
    }),
  );
});

test('the editable texts exist in the form', () => {
  for (const name of Object.keys(EDITABLE_TEXTS) as (keyof typeof EDITABLE_TEXTS)[])
    assert.ok(getDefaultText(name) !== '' && !name.includes('.'), name);
});

const isSupportedStyle = (property: string, value: string): boolean =>
  property === 'color'
    ? /^(#[\da-f]{3,8}|red|var\(.*\))$/i.test(value)
    : /^[\w.]+$/.test(value) || (property === 'font-family' && value === 'Georgia, serif');

const buildStyles = (appearance: Appearance, theme = ''): string =>
  buildStyleSheet(appearance, theme, isSupportedStyle);

test('builds a style sheet of the valid values, with light-dark() for two colors', () => {
  const appearance: Appearance = {
    values: {
      accent: { light: '#7a2e8e', dark: '#e3a6f2' },
      text: { light: 'bred' },
      muted: { dark: '#fff' },
      radius: { light: '0' },
      gap: { light: '1em' },
    },
  };
  const red = { accent: { light: 'red' } };
  for (const [built, expected] of [
    [
      buildStyles(appearance),
      '@supports (color: light-dark(white, black)) {\n  donation-form {\n' +
        '    --donation-accent: light-dark(#7a2e8e, #e3a6f2);\n    --donation-gap: 1em;\n  }\n}',
    ],
    [buildStyles({ values: red }), 'donation-form {\n  --donation-accent: red;\n}'],
    [buildStyles({ values: {} }), ''],
    [
      buildStyles({ values: { 'heading-font': { light: 'Georgia, serif' } } }),
      'donation-form {\n  --donation-heading-font: Georgia, serif;\n}',
    ],
    [
      buildStyles({ theme: 'sharp-ink', values: red }, '/* theme */\n'),
      '/* theme */\ndonation-form:where(.theme-sharp-ink) {\n  --donation-accent: red;\n}',
    ],
  ])
    assert.equal(built, expected);
  for (const [name, value, problem] of [
    ['heading-font', { light: '3em / Georgia' }, /font names/],
    ['text', appearance.values.text, /valid color/],
    ['muted', appearance.values.muted, /for light mode, too/],
    ['radius', appearance.values.radius, /with a unit/],
    ['accent', { light: 'var(--x, </style><script>)' }, /valid color/],
  ] as const)
    assert.match(
      validateSchemeValue({ values: { [name]: value! } }, name, 'light', '', isSupportedStyle)!,
      problem,
    );
  const theme =
    'donation-form.theme-x { --donation-accent: light-dark(#111111, #ffffff); --donation-radius: 0px; }';
  const values = { accent: { dark: '#eee' }, radius: { light: '1em' } };
  assert.deepEqual(buildDeclarations({ theme: 'sharp-ink', values }, theme, isSupportedStyle), [
    ['--donation-accent', 'light-dark(#111111, #eee)'],
    ['--donation-radius', '1em'],
  ]);
});

test('offers every theme and every custom property of the element', () => {
  assert.deepEqual(
    Object.keys(THEME_LABELS).sort(),
    readdirSync('themes')
      .map((name) => name.replace('.css', ''))
      .sort(),
  );
  assert.deepEqual(
    PROPERTY_NAMES.map((name) => `--donation-${name}`),
    [
      ...readFileSync('src/donation-form/form/donation-form.ts', 'utf8').matchAll(
        /@cssprop (\S+)/g,
      ),
    ].map(([, name]) => name),
  );
});

test('the snippet contains the endpoint and the form ID, and escapes names', () => {
  const options = {
    endpoint: 'https://give.example.org/',
    form: 'main',
    theme: undefined,
    styleSheet: '',
    organization: 'Wells & <b>Taps</b>',
    contact: 'giving@lanternwell.example',
  };
  assert.equal(
    buildSnippet(options),
    '<script type="module" src="https://give.example.org/embed/main.js"></script>\n' +
      '<donation-form form-id="main">\n' +
      '  <a href="mailto:giving@lanternwell.example">To donate another way, contact Wells ' +
      '&amp; &lt;b&gt;Taps&lt;/b&gt;</a>\n</donation-form>',
  );
  assert.match(
    buildSnippet({
      ...options,
      theme: 'warm-paper',
      styleSheet: 'donation-form {}',
      form: '"><script>',
    }),
    new RegExp(
      '^<style>\ndonation-form \\{\\}\n</style>\n' +
        '<script type="module" src="[^"]+/embed/%22%3E%3Cscript%3E\\.js"></script>\n' +
        '<donation-form class="theme-warm-paper" form-id="&quot;&gt;&lt;script&gt;">',
    ),
  );
  for (const [url, problem] of [
    ['', /^Enter the URL of your donation server, such as https:\/\/give\.example\.org/],
    ['give.example.org', /^Enter a URL that starts with https:\/\//],
    ['localhost:4101', /^Enter a URL that starts with https:\/\//],
    ['https://', /^Enter a valid URL/],
    [
      'http://give.example.org',
      /^Use https:\/\/ instead of http:\/\/, which is allowed only for localhost/,
    ],
    ['ftp://x', /^Use https:\/\/ instead of ftp:\/\//],
    ['https://give.example.org/path?x=1', /^Remove \?x=1 from the URL/],
    ['https://a:b@give.example.org', /before the @/],
  ] as const)
    assert.match(validateEndpoint(url)!, problem, url);
  for (const url of [
    'https://give.example.org',
    'https://example.org/give/',
    'http://127.0.0.1:4101',
  ])
    assert.equal(validateEndpoint(url), undefined, url);
});

test('computes contrast as WCAG does, and warns about customized colors only', () => {
  const white: Rgb = [255, 255, 255];
  const gray: Rgb = [119, 119, 119];
  assert.deepEqual(
    [
      getContrastRatio([0, 0, 0], white),
      getContrastRatio(white, white),
      Number(getContrastRatio(gray, white).toFixed(2)),
    ],
    [21, 1, 4.48],
  );
  const listWarnings = (customized: string) =>
    listContrastWarnings({
      isCustomized: (property) => property === customized,
      getColor: (property, scheme) =>
        (
          ({
            text: gray,
            surface: scheme === 'light' ? white : ([0, 0, 0] as const),
            accent: [250, 240, 0] as const,
          }) as Record<string, Rgb>
        )[property],
    });
  assert.deepEqual(listWarnings('text'), [
    'Text on the background, light: the contrast is 4.4:1 but must be at least 4.5:1.',
  ]);
  const [warning = ''] = listWarnings('accent');
  assert.match(
    warning,
    /^Accent color on the background, light: the contrast is 1\.1:1 but must be/,
  );
  assert.match(warning, /at least 3:1\. The form adjusts the accent/);
  assert.deepEqual(listWarnings('gap'), []);
});
