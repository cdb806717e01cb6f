import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { galleryImages, renderGalleryPage } from '../../scripts/gallery-page.ts';
import { getFileName, listVariants, STATES } from '../visual/states.ts';

test('docs/evidence/gallery.md matches the output of `npm run gallery`', async () => {
  assert.equal(readFileSync('docs/evidence/gallery.md', 'utf8'), await renderGalleryPage());
});

test('docs/evidence/gallery/ contains exactly the images that the page shows', () => {
  assert.deepEqual(readdirSync('docs/evidence/gallery').sort(), [...galleryImages].sort());
});

test('every gallery image is the baseline of a visual test', () => {
  for (const file of galleryImages) {
    const image = readFileSync(`docs/evidence/gallery/${file}`);
    // `deepEqual` would compute a diff of thousands of bytes, which takes gigabytes of memory.
    assert.ok(image.equals(readFileSync(`test/visual/baselines/${file}`)), file);
  }
});

test('every baseline belongs to a state, and every state has its baselines', () => {
  const expected = STATES.flatMap((state) =>
    listVariants(state).map((variant) => getFileName(state, variant)),
  );
  assert.deepEqual(readdirSync('test/visual/baselines').sort(), expected.sort());
});
