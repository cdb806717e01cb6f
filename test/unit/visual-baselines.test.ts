import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { MAIL_PICTURES } from '../visual/mails.ts';
import { getFileName, listVariants, STATES } from '../visual/states.ts';

test('every baseline belongs to a state, and every state has its baselines', () => {
  const expected = STATES.flatMap((state) =>
    listVariants(state).map((variant) => getFileName(state, variant)),
  );
  assert.deepEqual(readdirSync('test/visual/baselines').sort(), expected.sort());
  assert.deepEqual(
    readdirSync('test/visual/mails').sort(),
    MAIL_PICTURES.map(({ name }) => `${name}.png`).sort(),
  );
});
