import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { galleryImages, galleryPage } from '../../scripts/gallery-page.ts';
import { STATES } from '../visual/states.ts';

const page = readFileSync('docs/gallery.md', 'utf8');

test('docs/gallery.md is what `npm run gallery` writes, with every state and every image', async () => {
  assert.ok(STATES.length > 20);
  for (const { title, what } of STATES) assert.ok(page.includes(`## ${title}\n\n${what}\n`), title);
  assert.deepEqual(
    [...page.matchAll(/\(gallery\/([^)]+)\)/g)].map(([, file]) => file).sort(),
    [...galleryImages].sort(),
  );
  assert.equal(page, await galleryPage());
});

test('every image of the gallery exists, and no other one is left', () => {
  assert.deepEqual(readdirSync('docs/gallery').sort(), [...galleryImages].sort());
});
