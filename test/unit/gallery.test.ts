import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { galleryImages, writeGalleryPage } from '../../scripts/gallery-page.ts';
import { imageOf, looksOf, STATES } from '../visual/states.ts';

test('docs/gallery.md is what `npm run gallery` writes', async () => {
  assert.equal(readFileSync('docs/gallery.md', 'utf8'), await writeGalleryPage());
});

test('docs/gallery/ holds the pictures that the page shows, and no others', () => {
  assert.deepEqual(readdirSync('docs/gallery').sort(), [...galleryImages].sort());
});

test('every picture in the gallery is the baseline of a screenshot test', () => {
  for (const file of galleryImages) {
    assert.deepEqual(
      readFileSync(`docs/gallery/${file}`),
      readFileSync(`test/visual/baselines/${file}`),
      file,
    );
  }
});

test('every baseline belongs to a state, and every state has its baselines', () => {
  const expected = STATES.flatMap((state) => looksOf(state).map((look) => imageOf(state, look)));
  assert.deepEqual(readdirSync('test/visual/baselines').sort(), expected.sort());
});
