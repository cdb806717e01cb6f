import assert from 'node:assert/strict';
import { test } from 'node:test';
import { giftAidForm } from '../../gift-aid-form.ts';
import { startServer } from '../support.ts';
import { donor, openPage, submitPage } from './donation-page-support.ts';

const { giftAid } = giftAidForm;
const form = giftAidForm;

test('declares Gift Aid without a script, with the home address, and stores the declaration', async () => {
  await using server = await startServer({ form });
  const page = await openPage(server);
  assert.match(page.html, new RegExp(`lang="en-GB">${giftAid!.single}<`));
  assert.doesNotMatch(page.html, /name="giftAid.declared"[^>]* checked/);
  const entries = { ...donor, 'giftAid.declared': 'true', 'giftAid.scope': 'all' };
  const incomplete = await submitPage(server, page, entries);
  assert.match(incomplete.html, /href="#giftAid.house">Enter the name or number of your home\./);
  assert.match(incomplete.html, /href="#giftAid.postcode">Enter the UK postcode/);
  await submitPage(server, incomplete, {
    'giftAid.house': 'Rose Cottage',
    'giftAid.postcode': 's192bd',
  });
  const [donation] = await server.database.db.selectFrom('donations').selectAll().execute();
  assert.deepEqual(donation?.payload.giftAid, {
    scope: 'all',
    text: giftAid!.all,
    house: 'Rose Cottage',
    postcode: 'S19 2BD',
  });
});

test('offers no Gift Aid without a script in another currency', async () => {
  await using server = await startServer({ form });
  assert.doesNotMatch((await openPage(server, '?currencyCode=USD')).html, /giftAid/);
});
