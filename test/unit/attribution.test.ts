import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractCampaignQuery } from '../../src/core/settings/from-url.ts';
import { LANDING_STORAGE_KEY } from '../../src/core/settings/personal-parameter.ts';
import { saveLandingParams } from '../../src/donation-form/attribution/attribution.ts';

/** In-memory `Storage` of a tab. */
function createStorage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => {
      items.set(name, value);
    },
    removeItem: (name) => {
      items.delete(name);
    },
    clear: () => items.clear(),
    key: () => null,
    length: 0,
  };
}

test('extracts segment, project, UTM, and click IDs from a landing URL, and no personal data', () => {
  const search =
    '?FName=Ana&email=ana@example.org&amt=75&city=Bath&SRC=MAIL26&fund-code=WATER&utm_source=mail&gclid=x1&page=2';
  assert.equal(
    extractCampaignQuery(search),
    '?SRC=MAIL26&fund-code=WATER&utm_source=mail&gclid=x1',
  );
  assert.deepEqual(
    ['', '?page=2', '?src=', '?utm_source=*|X|*', `?gclid=${'x'.repeat(501)}`].map(
      extractCampaignQuery,
    ),
    ['', '', '', '', ''],
  );
});

test('stores a campaign only with consent', async () => {
  const storage = createStorage();
  const saveParams = (search: string, consent: () => unknown): Promise<boolean> =>
    saveLandingParams({ search, consent, storage: () => storage });
  for (const no of [
    () => false,
    () => undefined,
    () => 'yes',
    () => 1,
    async () => false,
    () => {
      throw new Error('tool');
    },
    async () => {
      throw new Error('tool');
    },
  ]) {
    assert.equal(await saveParams('?src=MAIL', no), false);
    assert.equal(storage.getItem(LANDING_STORAGE_KEY), null);
  }
  assert.equal(await saveParams('?src=MAIL', async () => true), true);
  assert.equal(storage.getItem(LANDING_STORAGE_KEY), '?src=MAIL');
  await saveParams('', () => true);
  assert.equal(storage.getItem(LANDING_STORAGE_KEY), '?src=MAIL');
  await saveParams('?utm_source=other', () => true);
  assert.equal(storage.getItem(LANDING_STORAGE_KEY), '?utm_source=other');
  await saveParams('', () => false);
  assert.equal(storage.getItem(LANDING_STORAGE_KEY), null);
});

test('tolerates a browser that denies storage', async () => {
  assert.equal(
    await saveLandingParams({
      search: '?src=A',
      consent: () => true,
      storage: () => {
        throw new DOMException('no', 'SecurityError');
      },
    }),
    true,
  );
});
