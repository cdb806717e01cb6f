import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUnrecognizedSettings } from '../../src/core/settings/explain.ts';
import { getCallback, readSettingsObject } from '../../src/core/settings/from-page-settings.ts';
import {
  connectFlatSettings,
  toPageSettings,
} from '../../src/donation-form/flat-settings/flat-settings.ts';

const onSuccess = (): void => undefined;
const flat = {
  firstName: 'Ana',
  email: 'ana@example.org',
  amount: 75,
  segmentOverrideCode: 'MAIL26',
  utmSource: 'mail',
  customFieldPreset: [{ id: '12', value: 'Event' }],
  onSuccess,
  orgId: 7,
};

test('sorts flat settings into their sections, and leaves unknown names to be reported', () => {
  assert.deepEqual(toPageSettings(flat), {
    donorInfo: { firstName: 'Ana', email: 'ana@example.org' },
    giftInfo: { amount: 75, segmentOverrideCode: 'MAIL26' },
    analyticsTracking: { utmSource: 'mail' },
    customFieldPreset: flat.customFieldPreset,
    onSuccess,
    orgId: 7,
  });
  assert.deepEqual(
    findUnrecognizedSettings(toPageSettings(flat), 'global').map(({ name }) => name),
    ['orgId'],
  );
  for (const other of [undefined, null, 'text', [1]]) assert.equal(toPageSettings(other), other);
});

test('reads current flat settings until the page sets its own', () => {
  let current: object = flat;
  const holder: { settings?: unknown } = {};
  connectFlatSettings(holder, () => current);
  assert.equal(getCallback(holder.settings, 'onSuccess'), onSuccess);
  current = { amount: 80 };
  assert.deepEqual(readSettingsObject(holder.settings, 'global'), [
    { setting: 'amount', source: 'global', name: 'giftInfo.amount', value: 80 },
  ]);
  const own = { giftInfo: { amount: 90 } };
  holder.settings = own;
  assert.equal(holder.settings, own);
  connectFlatSettings(holder, () => flat);
  assert.equal(holder.settings, own);
});
