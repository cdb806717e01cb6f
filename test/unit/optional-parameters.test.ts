import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getInitialOptionalValues } from '../../src/core/form-state/optional-fields.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { checkLink } from '../../src/core/settings/campaign-link.ts';
import { readUrlParameters, URL_PARAMETERS } from '../../src/core/settings/from-url.ts';
import { isPersonalParameter } from '../../src/core/settings/personal-parameter.ts';
import { resolveSettings } from '../../src/core/settings/resolve-settings.ts';
import { fullForm } from '../full-form.ts';

const form: FormDefinition = {
  ...fullForm,
  allowTribute: true,
  allowUnlistedCustomFields: true,
  consents: [{ id: 'news', text: 'Email me.', required: false }],
};
const resolveParameters = (search: string) => resolveSettings(form, readUrlParameters(search));
const listIgnored = (search: string): string[] =>
  resolveParameters(search).resolver.ignored.map(({ name, reason }) => `${name} ${reason}`);

test('rule 64: a link fills a custom field by its ID, and the name is not case-sensitive', () => {
  assert.deepEqual(resolveParameters('?FIELD.Shirt=M').settings.customFields, [
    { id: 'Shirt', value: 'M' },
  ]);
  assert.deepEqual(readUrlParameters('?field.Shirt=M', 'url', ['field.shirt']), []);
});

test('rule 65: a link selects a tribute and its name, if the form offers one', () => {
  const search = '?tribute=Honor&tribute-name=Rosa+Diaz';
  assert.deepEqual(resolveParameters(search).settings.tribute, {
    kind: 'honor',
    name: 'Rosa Diaz',
  });
  assert.deepEqual(
    Object.entries(getInitialOptionalValues(form, resolveParameters(search).settings, '.')).slice(
      0,
      2,
    ),
    [
      ['tribute.kind', ['honor']],
      ['tribute.name', ['Rosa Diaz']],
    ],
  );
  assert.deepEqual(listIgnored('?tribute=birthday'), ['tribute not-offered']);
  assert.ok(isPersonalParameter('Tribute-Name'));
});

test('rule 66: a link can preset a consent to no only', () => {
  assert.deepEqual(listIgnored('?consent.news=no'), []);
  assert.deepEqual(listIgnored('?consent.news=yes&consent.other=no'), [
    'consent.news invalid',
    'consent.other not-offered',
  ]);
  assert.deepEqual(
    Object.keys(
      getInitialOptionalValues(form, resolveParameters('?consent.news=yes').settings, '.'),
    ),
    [],
  );
});

test('checking a link accepts the parameters of optional sections, and lists the personal one', () => {
  const check = checkLink(
    form,
    'https://example.org/?field.x=1&consent.news=no&tribute=memory&tribute-name=Rosa&tribut=1',
  );
  assert.deepEqual(check.unknown, [{ name: 'tribut', suggestion: 'tribute' }]);
  assert.deepEqual([check.ignored, check.personal], [[], ['tribute-name']]);
});

test('rule 43: names, email, phone, street, and the name of a tribute identify a person', () => {
  const personal = [
    ...(['firstName', 'lastName', 'email', 'phone', 'address1', 'address2'] as const).flatMap(
      (setting) => URL_PARAMETERS[setting],
    ),
    'tribute-name',
  ];
  const others = Object.values(URL_PARAMETERS)
    .flat()
    .filter((name) => !personal.includes(name as (typeof personal)[number]));
  assert.deepEqual(
    [personal.every(isPersonalParameter), others.filter(isPersonalParameter)],
    [true, []],
  );
});
