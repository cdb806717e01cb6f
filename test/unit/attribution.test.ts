import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepLanding } from '../../src/donation-form/attribution/attribution.ts';
import { landingOf } from '../../src/core/settings/landing.ts';
import { LANDING_KEY } from '../../src/core/settings/from-url.ts';

/** A tab's storage. */
function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => {
      kept.set(name, value);
    },
    removeItem: (name) => {
      kept.delete(name);
    },
    clear: () => kept.clear(),
    key: () => null,
    length: 0,
  };
}

test("of a landing address segment, project, utm and click ids are kept, and nobody's data", () => {
  const search =
    '?FName=Ana&email=ana@example.org&amt=75&city=Bath&SRC=MAIL26&fund-code=WATER&utm_source=mail&gclid=x1&page=2';
  assert.equal(landingOf(search), '?SRC=MAIL26&fund-code=WATER&utm_source=mail&gclid=x1');
  assert.deepEqual(
    ['', '?page=2', '?src=', '?utm_source=*|X|*', `?gclid=${'x'.repeat(501)}`].map(landingOf),
    ['', '', '', '', ''],
  );
});

test('a campaign is kept only with consent', async () => {
  const storage = memory();
  const visit = (search: string, consent: () => unknown): Promise<boolean> =>
    keepLanding({ search, consent, storage: () => storage });
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
    assert.equal(await visit('?src=MAIL', no), false);
    assert.equal(storage.getItem(LANDING_KEY), null);
  }
  assert.equal(await visit('?src=MAIL', async () => true), true);
  assert.equal(storage.getItem(LANDING_KEY), '?src=MAIL');
  await visit('', () => true);
  assert.equal(storage.getItem(LANDING_KEY), '?src=MAIL');
  await visit('?utm_source=other', () => true);
  assert.equal(storage.getItem(LANDING_KEY), '?utm_source=other');
  await visit('', () => false);
  assert.equal(storage.getItem(LANDING_KEY), null);
});

test('a browser that refuses storage is no fault', async () => {
  assert.equal(
    await keepLanding({
      search: '?src=A',
      consent: () => true,
      storage: () => {
        throw new DOMException('no', 'SecurityError');
      },
    }),
    true,
  );
});
