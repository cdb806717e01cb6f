import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleForm } from '../example-form.ts';
import { from, ignored } from './merging.ts';

const preset = (...customFieldPreset: unknown[]): object => ({ customFieldPreset });

test('rule 35: an unknown segment is sent as given, up to 100 characters', () => {
  assert.equal(from('?src=Mail%20é%2F2026').segment, 'Mail é/2026');
  assert.equal(from(`?src=${'x'.repeat(101)}`).segment, undefined);
  assert.deepEqual(ignored(`?src=${'x'.repeat(101)}`), ['url src too-long']);
});

test('rule 48: presets of custom fields are matched by id and read by their type', () => {
  assert.deepEqual(
    from('', preset({ id: '12', value: 'event' }, { id: 13, value: 'yes' })).customFields.toSorted(
      (a, b) => Number(a.id) - Number(b.id),
    ),
    [
      { id: '12', value: 'Event' },
      { id: '13', value: 'true' },
    ],
  );
  assert.deepEqual(
    ignored('', preset({ id: '12', value: 'Poster' }, { id: '99', value: 'x' })).toSorted(),
    ['global customFieldPreset.12 invalid', 'global customFieldPreset.99 not-offered'],
  );
});

test('rule 48: of two presets of one field the last counts', () => {
  const settings = preset({ id: '12', value: 'Newsletter' }, { id: '12', value: 'Event' });
  assert.deepEqual(from('', settings).customFields, [{ id: '12', value: 'Event' }]);
  assert.deepEqual(ignored('', settings), ['global customFieldPreset.12 repeated']);
  assert.deepEqual(
    from('', preset({ id: '12', value: 'Newsletter' }), {
      settings: preset({ id: '12', value: 'Event' }),
    }).customFields,
    [{ id: '12', value: 'Newsletter' }],
  );
});

test('rule 48: a form that allows hidden fields takes unknown ids as texts', () => {
  const form = { ...exampleForm, allowUnlistedCustomFields: true };
  assert.deepEqual(from('', preset({ id: 'crm-7', value: ' a\u202eb ' }), {}, form).customFields, [
    { id: 'crm-7', value: 'ab' },
  ]);
  assert.deepEqual(
    from(
      '',
      preset(
        { id: 'x'.repeat(101), value: 'a' },
        { id: 'a\u202eb', value: 'a' },
        { id: '', value: 'a' },
      ),
      {},
      form,
    ).customFields,
    [],
  );
});

test('rule 49: utm and click ids are read in the address, which is stronger than analyticsTracking', () => {
  const settings = { analyticsTracking: { utmSource: 'site', utmTerm: 'well', adClickId: 'old' } };
  assert.deepEqual(
    from('?utm_source=mail&UTM_Campaign=winter&fbclid=f&gclid=g', settings).tracking,
    { utmCampaign: 'winter', utmSource: 'mail', utmTerm: 'well', adClickId: 'g' },
  );
  assert.deepEqual(ignored('?utm_source=mail&fbclid=f&gclid=g', settings), [
    'global analyticsTracking.utmSource beaten',
    'url fbclid beaten',
    'global analyticsTracking.adClickId beaten',
  ]);
  assert.equal(from(`?gclid=${'x'.repeat(300)}`).tracking.adClickId?.length, 300);
});
