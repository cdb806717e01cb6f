import assert from 'node:assert/strict';
import { test } from 'node:test';
import { form as formSchema } from '../../src/core/schemas/form-configuration.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { checkLink } from '../../src/core/settings/campaign-link.ts';
import { checkLinksInCsv } from '../../src/core/settings/check-links-in-csv.ts';
import { explainSettings, findUnrecognizedParameters } from '../../src/core/settings/explain.ts';
import { readUrlAndLanding } from '../../src/core/settings/from-url.ts';
import { resolveSettings } from '../../src/core/settings/resolve-settings.ts';
import { createPageForm } from '../../src/server/http/donation-page/page-form.ts';
import { exampleForm } from '../example-form.ts';

const PAGE = 'https://lanternwell.example/give';
const urlAliases = { segment: ['sc'], projectPreselect: ['fund'] };
const aliasedForm: FormDefinition = { ...exampleForm, urlAliases };

test('an alias sets its setting, but is weaker than the specified names and keeps ignored names', () => {
  const readSegments = (search: string, except: readonly string[] = []): unknown[] =>
    readUrlAndLanding(search, ['?sc=EARLIER'], except, urlAliases).map(
      ({ source, name, value }) => `${source} ${name}=${String(value)}`,
    );
  assert.deepEqual(readSegments('?SC=MAIL26'), ['url SC=MAIL26']);
  assert.deepEqual(readSegments('?sc=MAIL26&src=OTHER'), ['url src=OTHER', 'url sc=MAIL26']);
  assert.deepEqual(readSegments('?amount=5'), ['url amount=5', 'landing sc=EARLIER']);
  assert.deepEqual(readSegments('?sc=MAIL26', ['sc']), []);
  assert.deepEqual(readUrlAndLanding('?sc=MAIL26', [], []), []);
});

test('an alias is explained under its own name, and is not reported as unknown', () => {
  const search = '?sc=MAIL26&ss=1';
  const { settings, unrecognized } = explainSettings(
    resolveSettings(aliasedForm, readUrlAndLanding(search, [], [], urlAliases)).resolver,
    findUnrecognizedParameters(search, urlAliases),
  );
  assert.deepEqual(settings[0]?.applied, { source: 'url', name: 'sc', value: 'MAIL26' });
  assert.deepEqual(
    unrecognized.map(({ name }) => name),
    ['ss'],
  );
  assert.equal(findUnrecognizedParameters(search)[0]?.name, 'sc');
  const [misspelled] = findUnrecognizedParameters('?tribut=1', { segment: ['tributa'] });
  assert.equal(misspelled?.suggestion, 'tribute');
});

test('the link checker and the page without JavaScript honor aliases', async () => {
  const link = `${PAGE}?sc=MAIL26&fund=WATER&fnd=1#sc=2`;
  const { settings, decidedBy, unknown } = checkLink(aliasedForm, link);
  assert.deepEqual(
    [settings.segment, settings.project.code, decidedBy.segment],
    ['MAIL26', 'WATER', 'sc'],
  );
  assert.deepEqual(unknown, [
    { name: 'fnd', suggestion: 'fund' },
    { name: 'sc', place: 'hash' },
  ]);
  const [checked] = checkLinksInCsv(link, aliasedForm);
  assert.ok(checked?.selects.includes('segment MAIL26'));

  const { search } = new URL(link);
  const page = await createPageForm(aliasedForm, 'en', search);
  assert.deepEqual(
    [page.context.settings.segment, page.context.settings.project.code],
    ['MAIL26', 'WATER'],
  );
});

test('links in use open the form as their authors expect', () => {
  const form: FormDefinition = {
    ...exampleForm,
    projects: [
      exampleForm.projects[0],
      { id: '71', code: 'LMC300001697', name: 'Innovation' },
      { id: '72', code: '2102.82', name: 'Shepherds' },
    ],
    allowComment: true,
    donorFields: [...exampleForm.donorFields, { name: 'country', required: false }],
    urlAliases: { country: ['billingcountry'] },
  };
  const innovation = checkLink(form, `${PAGE}?projectCodePreselect=LMC300001697&designation=`);
  assert.equal(innovation.settings.project.id, '71');
  const shepherds = checkLink(form, `${PAGE}?projectCodePreselect=2102.82`);
  assert.deepEqual(
    [shepherds.settings.project.id, shepherds.settings.isProjectFixed],
    ['72', false],
  );
  const link = `${PAGE}/?amt=150&billingCountry=USA&comment=Thank+you`;
  const { settings, ignored, unknown } = checkLink(form, link);
  assert.deepEqual(
    [settings.amount, settings.donor.country, settings.comment, ignored, unknown],
    [15_000, 'USA', 'Thank you', [], []],
  );
});

const parseAliases = (aliases: object): unknown => {
  const { data, error } = formSchema.shape.urlAliases.safeParse(aliases);
  return data ?? error.issues.map(({ message, path }) => `${path.join('.')}: ${message}`);
};

test('the configuration accepts only names that nothing else reads, for settings without personal data', () => {
  assert.deepEqual(parseAliases({ segment: ['SC'] }), { segment: ['sc'] });
  assert.match(String(parseAliases({ firstName: ['fn'] })), /firstName/);
  for (const name of ['amt', 'field.12', 'tribute', 'a b', 'donation-form-debug', 'id'])
    assert.match(String(parseAliases({ segment: [name] })), /segment\.0: expected/, name);
});
