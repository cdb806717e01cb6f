import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createOrganizations } from '../../../src/server/config/create-organizations.ts';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { checkGateway } from '../../../src/server/payments/module/module-provider.ts';
import type { PaymentGateway } from '../../../src/server/payments/payment-gateway.ts';
import type { ApiQuota } from '../../../src/server/platform/api-quota.ts';
import { startServerWithStripe, type StripeTestServer } from '../payments/support.ts';

const MODULE = './acme-gateway.js';

const check = (gateway: unknown): PaymentGateway =>
  checkGateway(gateway as PaymentGateway | undefined, MODULE, 'organizations.0.payments.0.module');

/** A gateway whose methods return the given value. Like many modules, it is a class instance. */
class Gateway {
  readonly #result: unknown;
  constructor(result: unknown) {
    this.#result = result;
  }
  async chargePayment() {
    return this.#result;
  }
  createPayment = async () => this.#result;
  retrievePayment = this.createPayment;
  cancelPayment = this.createPayment;
  getDashboardUrl(id: string) {
    return `https://acme.example/${id}`;
  }
}

const open = { paymentId: 'p1', status: 'requires_action' };

test('names the module, the method, and the field of an invalid payment', async () => {
  for (const [result, message] of [
    [undefined, /an invalid payment: expected an object/],
    [null, /an invalid payment: expected an object/],
    [{ status: 'succeeded' }, /an invalid paymentId: expected a string/],
    [{ paymentId: '', status: 'succeeded' }, /an invalid paymentId: expected a non-empty string/],
    [{ paymentId: 'p1', status: 'paid' }, /an invalid status: expected one of .*succeeded/],
    [{ ...open, total: '51.81' }, /an invalid total: expected a number/],
    [{ ...open, total: NaN }, /an invalid total: expected a number/],
    [{ ...open, action: { kind: 'page' } }, /an invalid action.kind: .*redirect, field/],
    [
      { ...open, action: { kind: 'redirect', url: 'javascript:alert(1)' } },
      /an invalid action.url: expected an http or https URL/,
    ],
    [{ ...open, action: { kind: 'redirect', url: '/pay' } }, /an invalid action.url/],
  ] as const) {
    const gateway = check(new Gateway(result));
    for (const name of [
      'createPayment',
      'chargePayment',
      'retrievePayment',
      'cancelPayment',
    ] as const)
      await assert.rejects((gateway[name] as () => Promise<unknown>)(), {
        name: 'InvalidPaymentError',
        message: new RegExp(`^${name} in ${MODULE} returned ${message.source}`),
      });
  }
});

test('returns valid payments, and calls all methods on the gateway itself', async () => {
  const payment = {
    ...open,
    total: 5_181,
    currency: 'USD',
    method: 0,
    action: { kind: 'redirect', url: 'https://acme.example/pay' },
  };
  const gateway = check(Object.freeze(new Gateway(payment)));
  assert.deepEqual(await gateway.retrievePayment({ paymentId: 'p1' }), payment);
  assert.equal(gateway.getDashboardUrl!('p1'), 'https://acme.example/p1');
  assert.equal(Reflect.get(gateway, 'runChecks'), undefined);
});

/** Starts a server with a module whose `chargePayment` returns the given fields. */
const startServerWithModule = (charged: object): Promise<StripeTestServer> => {
  const payment = { paymentId: randomUUID(), total: 5_181, currency: 'USD' };
  const gateway = check({
    createPayment: async () => ({ ...payment, status: 'unconfirmed' }),
    chargePayment: async () => ({ ...payment, status: 'succeeded', ...charged }),
    retrievePayment: async () => ({ ...payment, status: 'succeeded', ...charged }),
    cancelPayment: () => assert.fail('canceled a charged payment'),
  });
  return startServerWithStripe({ payments: { stripe: { gateway, providerType: 2 } } });
};

test('records a charge even if optional fields of the payment are null or unknown', async () => {
  const empty = { subscriptionId: null, reason: null, method: null, action: null };
  for (const charged of [empty, { reason: 'none', method: 7 }, { reason: 0, method: 'card' }]) {
    await using server = await startServerWithModule(charged);
    const { status, reference } = await server.donate();
    const donation = await server.repository.findByReference(reference);
    assert.deepEqual(
      [status, donation?.paymentMethod, donation?.subscriptionId],
      ['succeeded', null, null],
    );
  }
});

test('marks a charge of an unknown amount for review', async () => {
  for (const charged of [{ total: null }, { currency: null }]) {
    await using server = await startServerWithModule(charged);
    const { reference } = await server.donate();
    const donation = await server.repository.findByReference(reference);
    assert.equal(donation?.status, 'needs_review');
    assert.match(donation.lastError!, /charged an unknown amount .* instead of the agreed 51.81/);
  }
});

test('checks the gateway of a configured module', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'donation-form-'));
  const file = join(folder.path, 'c.json');
  await writeFile(join(folder.path, 'acme.mjs'), 'export const createGateway = () => undefined;');
  const example = JSON.parse(await readFile('demo/donation-form.config.json', 'utf8')) as {
    organizations: [object];
  };
  const payment = { provider: 'module', name: 'acme', module: './acme.mjs', methods: ['card'] };
  const platform = { adapter: 'none' };
  const organization = { ...example.organizations[0], platform, payments: [payment] };
  await writeFile(file, JSON.stringify({ ...example, organizations: [organization] }));
  await assert.rejects(
    createOrganizations(await loadConfiguration(file), {
      forms: [[]],
      environment: {},
      createQuota: () => ({}) as ApiQuota,
    }),
    /organizations\.0\.payments\.0\.module: createGateway in .*acme\.mjs returned no createPayment/,
  );
});

test('rejects a module whose gateway lacks a method', () => {
  for (const [gateway, method] of [
    [undefined, 'createPayment'],
    [{ createPayment: () => undefined }, 'chargePayment'],
  ] as const)
    assert.throws(() => check(gateway), {
      name: 'ConfigurationError',
      message: new RegExp(
        `^organizations.0.payments.0.module: createGateway in ${MODULE} returned no ${method} method`,
      ),
    });
});
