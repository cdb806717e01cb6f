import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleForm } from '../example-form.ts';
import { listIgnored, mergeAllSettings } from './settings-support.ts';

const toSettings = (...customFieldPreset: unknown[]): object => ({ customFieldPreset });

test('rule 35: sends an unknown segment unchanged, up to 100 characters', () => {
  assert.equal(mergeAllSettings('?src=Mail%20é%2F2026').segment, 'Mail é/2026');
  assert.equal(mergeAllSettings(`?src=${'x'.repeat(101)}`).segment, undefined);
  assert.deepEqual(listIgnored(`?src=${'x'.repeat(101)}`), ['url src too-long']);
});

test('rule 48: matches custom field presets by ID and parses them by type', () => {
  assert.deepEqual(
    mergeAllSettings(
      '',
      toSettings({ id: '12', value: 'event' }, { id: 13, value: 'yes' }),
    ).customFields.toSorted((a, b) => Number(a.id) - Number(b.id)),
    [
      { id: '12', value: 'Event' },
      { id: '13', value: 'true' },
    ],
  );
  assert.deepEqual(
    listIgnored('', toSettings({ id: '12', value: 'Poster' }, { id: '99', value: 'x' })).toSorted(),
    ['global customFieldPreset.12 invalid', 'global customFieldPreset.99 not-offered'],
  );
});

test('rule 48: the last of several presets of a field applies', () => {
  const settings = toSettings({ id: '12', value: 'Newsletter' }, { id: '12', value: 'Event' });
  assert.deepEqual(mergeAllSettings('', settings).customFields, [{ id: '12', value: 'Event' }]);
  assert.deepEqual(listIgnored('', settings), ['global customFieldPreset.12 repeated']);
  assert.deepEqual(
    mergeAllSettings('', toSettings({ id: '12', value: 'Newsletter' }), {
      settings: toSettings({ id: '12', value: 'Event' }),
    }).customFields,
    [{ id: '12', value: 'Newsletter' }],
  );
});

test('rule 48: accepts unknown IDs as text if the form allows unlisted custom fields', () => {
  const form = { ...exampleForm, allowUnlistedCustomFields: true };
  assert.deepEqual(
    mergeAllSettings('', toSettings({ id: 'crm-7', value: ' a\u202eb ' }), {}, form).customFields,
    [{ id: 'crm-7', value: 'ab' }],
  );
  assert.deepEqual(
    mergeAllSettings(
      '',
      toSettings(
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

test('rule 49: reads UTM parameters and click IDs from the URL, which overrides analyticsTracking', () => {
  const settings = { analyticsTracking: { utmSource: 'site', utmTerm: 'well', adClickId: 'old' } };
  assert.deepEqual(
    mergeAllSettings('?utm_source=mail&UTM_Campaign=winter&fbclid=f&gclid=g', settings).tracking,
    { utmCampaign: 'winter', utmSource: 'mail', utmTerm: 'well', adClickId: 'g' },
  );
  assert.deepEqual(listIgnored('?utm_source=mail&fbclid=f&gclid=g', settings), [
    'global analyticsTracking.utmSource overridden',
    'url fbclid overridden',
    'global analyticsTracking.adClickId overridden',
  ]);
  assert.equal(mergeAllSettings(`?gclid=${'x'.repeat(300)}`).tracking.adClickId?.length, 300);
});
