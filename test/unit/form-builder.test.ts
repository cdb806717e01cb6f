import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { WORDS } from '../../src/donation-form/goal/messages.ts';
import { LANGUAGES } from '../../src/core/i18n/language.ts';
import { contrastOf, poorContrasts, type Rgb } from '../../src/admin-ui/form-builder/contrast.ts';
import {
  EMPTY_DRAFT,
  formsIn,
  otherFormAt,
  readFile,
} from '../../src/admin-ui/form-builder/draft.ts';
import { EMPTY, sandboxWords } from '../../src/admin-ui/form-builder/empty.ts';
import {
  movedUp,
  textAt,
  valueAt,
  variablesIn,
  withValue,
  type Json,
} from '../../src/admin-ui/form-builder/file.ts';
import {
  declarationsOf,
  PROPERTY_NAMES,
  shadeProblem,
  styleSheetOf,
  THEMES,
  type Look,
} from '../../src/admin-ui/form-builder/look.ts';
import { endpointProblem, snippetOf } from '../../src/admin-ui/form-builder/snippet.ts';
import { withWords, wordsIn, wordsShown } from '../../src/admin-ui/form-builder/translations.ts';
import {
  directionOf,
  OFFERED_TEXTS,
  ownWords,
  partOf,
} from '../../src/admin-ui/form-builder/words.ts';
import { readDraft } from '../../src/server/admin/pages/configuration-preview.ts';

const written = readFileSync('demo/donation-form.config.json', 'utf8');
const file = readFile(written);
const WHOLE = 'organizations.0.forms.1';

/** Every place of a file that holds no list and no object. */
function placesIn(json: Json, at = ''): string[] {
  return typeof json === 'object' && json !== null
    ? Object.entries(json).flatMap(([step, inner]) =>
        placesIn(inner, at === '' ? step : `${at}.${step}`),
      )
    : [at];
}

test('a file that is opened and saved unchanged is the same, also where every field was written anew with what stood in it', () => {
  assert.deepEqual(file, JSON.parse(written));
  const places = placesIn(file);
  assert.ok(places.length > 300);
  const rewritten = places.reduce(
    (before, place) => withValue(before, place, valueAt(before, place)),
    file,
  );
  assert.equal(JSON.stringify(rewritten), JSON.stringify(file));
  assert.deepEqual(
    formsIn(file).map(({ name }) => name),
    ['Lanternwell · main', 'Lanternwell · whole', 'Lanternwell · many'],
  );
  assert.deepEqual(variablesIn(file), [
    'PAYMENT_SECRET_KEY',
    'PAYMENT_WEBHOOK_SECRET',
    'FUNDRAISING_API_KEY',
  ]);
});

test('a change is made at its place alone: what is added is last, what is taken out leaves no gap, and an entry moves up by one', () => {
  const before = { a: [1, 2, 3], b: { c: 'x' } };
  assert.deepEqual(withValue(before, 'a.3', 4), { ...before, a: [1, 2, 3, 4] });
  assert.deepEqual(withValue(before, 'a.1', undefined), { ...before, a: [1, 3] });
  assert.deepEqual(withValue(before, 'b.d.e', 'y'), { ...before, b: { c: 'x', d: { e: 'y' } } });
  assert.deepEqual(withValue(before, 'b.c', undefined), { ...before, b: {} });
  assert.deepEqual(
    [movedUp([1, 2, 3], 2), movedUp([1, 2, 3], 0)],
    [
      [1, 3, 2],
      [1, 2, 3],
    ],
  );
  assert.equal(valueAt(file, 'organizations.0.name.length'), undefined);
});

test('what is no configuration is refused in words that say what to open', () => {
  assert.throws(() => readFile('{'), /This file is no JSON: .*Open a donation-form\.config\.json/);
  for (const text of [
    '7',
    'null',
    '[]',
    '{}',
    '{"organizations": {}}',
    '{"organizations": [{"forms": []}]}',
  ])
    assert.throws(() => readFile(text), /no organisation with a form/, text);
});

test('an empty form says what is to be filled in, and a server takes it when that is', () => {
  const ask = (configuration: Json) =>
    readDraft({ configuration, organization: 0, form: 0, language: 'en' });
  const empty = ask(EMPTY);
  assert.deepEqual(
    'problems' in empty && empty.problems.map(({ at }) => at),
    ['id', 'name', 'contact', 'origins', 'forms.0.projects.0.name'].map(
      (place) => `organizations.0.${place}`,
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
  ).reduce((before, [place, value]) => withValue(before, `organizations.0.${place}`, value), EMPTY);
  assert.ok('definition' in ask(filled));
});

test('an empty form says that it goes to a sandbox, and by which ports, until ways to pay and recorder are written; docs/builder.md says the same', () => {
  const page = readFileSync('docs/builder.md', 'utf8');
  for (const port of [textAt(EMPTY, 'listen.port'), textAt(EMPTY, 'operator.port'), '4102'])
    for (const words of [sandboxWords(EMPTY, 'organizations.0')!, page])
      assert.ok(words.includes(port) && words.includes('no money moves'), words);
  assert.equal(
    sandboxWords(
      withValue(EMPTY, 'organizations.0.recorder', { kind: 'export' }),
      'organizations.0',
    ),
    undefined,
  );
  assert.ok(
    sandboxWords(withValue(EMPTY, 'organizations.0.name', 'Lanternwell'), 'organizations.0'),
  );
});

test('fields of one name are told apart by what they are of, and what is wrong with another form names that form', () => {
  assert.deepEqual(
    [
      'organizations.0.name',
      `${WHOLE}.id`,
      `${WHOLE}.texts.de.give`,
      `${WHOLE}.projects.1.name`,
      `${WHOLE}.currencies.0.giftArray.2.value`,
      `${WHOLE}.currencies.1.giftArrays.monthly.0.value`,
    ].map(partOf),
    [
      'organisation',
      'form',
      'form',
      'project 2',
      'currency 1, gift 3',
      'currency 2, gift 1, monthly',
    ],
  );
  const otherOf = (place: string, form = 1) => otherFormAt({ ...EMPTY_DRAFT, file, form }, place);
  assert.deepEqual(
    [
      otherOf(`${WHOLE}.id`),
      otherOf(`${WHOLE}.id`, 0),
      otherOf('organizations.0.name'),
      otherOf('listen.port'),
    ],
    [undefined, 'Lanternwell · whole', undefined, undefined],
  );
});

test('whatever is changed, the server either makes a form of it or says where and what is wrong; what was not changed stays', () => {
  const places = placesIn(valueAt(file, WHOLE)!)
    .filter((place) => /^(id|currencies|frequencies|projects|allowCustomAmount)/.test(place))
    .map((place) => `${WHOLE}.${place}`);
  const lists = [
    'currencies',
    'currencies.0.giftArray',
    'currencies.0.giftArrays.monthly',
    'frequencies',
    'projects',
  ].map((place) => `${WHOLE}.${place}`);
  const value = fc.oneof(
    fc.constantFrom('', '25', '0.30', '1e3', '99999999', 'USD', 'JPY', 'monthly', 'Wells'),
    fc.string(),
    fc.constant(undefined),
  );
  const change = fc.oneof(
    fc.record({ place: fc.constantFrom(...places), value }),
    fc.record({
      place: fc
        .constantFrom(...lists)
        .chain((list) => fc.nat(4).map((index) => `${list}.${index}`)),
      value: fc.constant(undefined),
    }),
  );
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const after = changes.reduce(
        (before, { place, value: given }) => withValue(before, place, given),
        file,
      );
      const answer = readDraft({ configuration: after, organization: 0, form: 1, language: 'de' });
      if ('problems' in answer)
        for (const { at, words } of answer.problems)
          assert.ok(at !== '' && /expected|found/.test(words), JSON.stringify({ at, words }));
      else assert.equal(answer.definition.payments.length, 2);
      for (const place of [
        'listen',
        'store',
        'organizations.0.payments',
        'organizations.0.recorder',
        `${WHOLE}.consents`,
        `${WHOLE}.customFields`,
        'organizations.0.forms.2',
      ])
        assert.deepEqual(valueAt(after, place), valueAt(file, place));
    }),
    { numRuns: 60 },
  );
});

test('words of one language leave those of the others, and one text for all stays what the others show', () => {
  assert.deepEqual(withWords('Wells', 'de', 'Brunnen'), { en: 'Wells', de: 'Brunnen' });
  assert.deepEqual(
    [
      withWords('Wells', 'en', 'Taps'),
      withWords('Wells', 'en', ''),
      withWords(undefined, 'de', ''),
    ],
    ['Taps', undefined, undefined],
  );
  assert.deepEqual(
    [
      wordsIn('Wells', 'de'),
      wordsShown('Wells', 'de'),
      wordsShown({ de: 'Brunnen', fr: 'Puits' }, 'it'),
      wordsShown(7, 'en'),
    ],
    ['', 'Wells', 'Brunnen', ''],
  );
  const language = fc.constantFrom(...LANGUAGES);
  const text = fc.string();
  const words = fc.oneof(
    text,
    fc.dictionary(language, text.filter(Boolean)),
    fc.constant(undefined),
  );
  fc.assert(
    fc.property(words, language, text, language, (before, changed, given, other) => {
      const after = withWords(before, changed, given);
      assert.equal(wordsIn(after, changed), given);
      if (other !== changed) assert.equal(wordsIn(after, other), wordsIn(before, other));
      if (typeof before === 'string' && before !== '' && other !== changed && changed !== 'en')
        assert.equal(wordsShown(after, other), before);
    }),
  );
});

test('words are written in the direction of their language', () => {
  for (const language of LANGUAGES)
    assert.equal(directionOf(language), WORDS[language].direction, language);
});

test('the texts that are offered are texts of the form', () => {
  for (const name of Object.keys(OFFERED_TEXTS) as (keyof typeof OFFERED_TEXTS)[])
    assert.ok(ownWords(name) !== '' && !name.includes('.'), name);
});

const supports = (property: string, value: string): boolean =>
  property === 'color' ? /^(#[\da-f]{3,8}|red|var\(.*\))$/i.test(value) : /^\S+$/.test(value);

test('the style sheet of a look holds only what a browser takes, and a colour for light and dark where both are given', () => {
  const look: Look = {
    values: {
      accent: { light: '#7a2e8e', dark: '#e3a6f2' },
      text: { light: 'bred' },
      muted: { dark: '#fff' },
      radius: { light: '0' },
      gap: { light: '1em' },
    },
  };
  assert.equal(
    styleSheetOf(look, '', supports),
    '@supports (color: light-dark(red, red)) {\n  donation-form {\n    --donation-accent: light-dark(#7a2e8e, #e3a6f2);\n    --donation-gap: 1em;\n  }\n}',
  );
  assert.equal(
    styleSheetOf({ values: { accent: { light: 'red' } } }, '', supports),
    'donation-form {\n  --donation-accent: red;\n}',
  );
  assert.equal(styleSheetOf({ values: {} }, '', supports), '');
  assert.match(shadeProblem(look, 'text', 'light', '', supports)!, /no colour/);
  assert.match(shadeProblem(look, 'muted', 'light', '', supports)!, /for light, too/);
  assert.match(shadeProblem(look, 'radius', 'light', '', supports)!, /with its unit/);
  assert.match(
    shadeProblem(
      { values: { accent: { light: 'var(--x, </style><script>)' } } },
      'accent',
      'light',
      '',
      supports,
    )!,
    /no colour/,
  );
  assert.equal(
    styleSheetOf(
      { theme: 'sharp-ink', values: { accent: { light: 'red' } } },
      '/* theme */\n',
      supports,
    ),
    '/* theme */\ndonation-form.theme-sharp-ink {\n  --donation-accent: red;\n}',
  );
  const theme =
    'donation-form.theme-x { --donation-accent: light-dark(#111111, #ffffff); --donation-radius: 0px; }';
  const values = { accent: { dark: '#eee' }, radius: { light: '1em' } };
  assert.deepEqual(declarationsOf({ theme: 'sharp-ink', values }, theme, supports), [
    ['--donation-accent', 'light-dark(#111111, #eee)'],
    ['--donation-radius', '1em'],
  ]);
});

test('every ready theme and every custom property of the element is offered', () => {
  assert.deepEqual(
    Object.keys(THEMES).sort(),
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

test('the snippet names its endpoint and form, and whatever an organisation is called stays text', () => {
  const parts = {
    endpoint: 'https://give.example.org/',
    form: 'main',
    theme: undefined,
    styleSheet: '',
    organization: 'Wells & <b>Taps</b>',
    contact: 'giving@lanternwell.example',
  };
  assert.equal(
    snippetOf(parts),
    '<script type="module" src="https://give.example.org/donation-form.js"></script>\n<donation-form endpoint="https://give.example.org" form-id="main">\n  <a href="mailto:giving@lanternwell.example">To give in another way, write to Wells &amp; &lt;b&gt;Taps&lt;/b&gt;</a>\n</donation-form>',
  );
  assert.match(
    snippetOf({
      ...parts,
      theme: 'warm-paper',
      styleSheet: 'donation-form {}',
      form: '"><script>',
    }),
    new RegExp(
      '^<style>\ndonation-form \\{\\}\n</style>\n<script [^\n]*\n' +
        '<donation-form class="theme-warm-paper" endpoint="[^"]+" form-id="&quot;&gt;&lt;script&gt;">',
    ),
  );
  for (const [address, problem] of [
    ['', /^Write where browsers reach .* such as https:\/\/give\.example\.org/],
    ['give.example.org', /^Write https:\/\/ before it/],
    ['localhost:4101', /^Write https:\/\/ before it/],
    ['https://', /^This is no address/],
    [
      'http://give.example.org',
      /^Write https:\/\/ in the place of http:\/\/, which only this very machine may have/,
    ],
    ['ftp://x', /^Write https:\/\/ in the place of ftp:\/\//],
    ['https://give.example.org/path?x=1', /^Leave out \?x=1: /],
    ['https://a:b@give.example.org', /before the @/],
  ] as const)
    assert.match(endpointProblem(address)!, problem, address);
  for (const address of [
    'https://give.example.org',
    'https://example.org/give/',
    'http://127.0.0.1:4101',
  ])
    assert.equal(endpointProblem(address), undefined, address);
});

test('a contrast is what WCAG says, and a poor one is told where somebody chose one of its colours', () => {
  const white: Rgb = [255, 255, 255];
  const grey: Rgb = [119, 119, 119];
  assert.deepEqual(
    [
      contrastOf([0, 0, 0], white),
      contrastOf(white, white),
      Number(contrastOf(grey, white).toFixed(2)),
    ],
    [21, 1, 4.48],
  );
  const palette = (chosen: string) =>
    poorContrasts({
      isChosen: (property) => property === chosen,
      rgbOf: (property, scheme) =>
        (
          ({
            text: grey,
            surface: scheme === 'light' ? white : ([0, 0, 0] as const),
            accent: [250, 240, 0] as const,
          }) as Record<string, Rgb>
        )[property],
    });
  assert.deepEqual(palette('text'), [
    'Text on the ground, light: 4.4 to 1, where 4.5 to 1 is seen well.',
  ]);
  assert.match(
    palette('accent').join(),
    /^The accent on the ground, light: 1\.1 to 1, where 3 to 1 is seen well\. The form makes it darker/,
  );
  assert.deepEqual(palette('gap'), []);
});
