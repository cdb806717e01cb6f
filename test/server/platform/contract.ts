import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GiftNotCreatedError } from '../../../src/server/platform/platform-adapter.ts';
import { testRecording } from './contract-recording.ts';
import {
  type CallFault,
  type Capability,
  createGift,
  type MissingCapabilities,
  type TestPlatform,
} from './test-platform.ts';

export type AddTest = (
  title: string,
  needs: readonly Capability[],
  check: (platform: TestPlatform) => Promise<void>,
) => void;

const UNCLEAR: readonly CallFault[] = [
  { kind: 'lost reply' },
  ...[500, 502, 503, 504].map((status) => ({ kind: 'status', status }) as const),
];

/**
 * Tests the contract of every platform adapter: src/server/platform/platform-adapter.ts.
 * @param missing the capabilities that the adapter lacks.
 */
export function testAdapter(
  name: string,
  missing: MissingCapabilities,
  open: () => Promise<TestPlatform>,
): void {
  const add: AddTest = (title, needs, check) => {
    if (needs.some((capability) => missing[capability] !== undefined)) return;
    test(`${name}: ${title}`, async () => {
      await using platform = await open();
      await check(platform);
    });
  };
  add('has every capability that is not declared missing', [], async ({ adapter, prepareGift }) => {
    const capabilities: Record<Capability, boolean> = {
      creates: prepareGift === undefined,
      'idempotent create': adapter.isCreateIdempotent === true,
      lookup: adapter.findGiftId !== undefined,
      updates: adapter.updateGift !== undefined,
      lists: adapter.iterateGifts !== undefined,
      pending: adapter.acceptsOnlySettledGifts !== true,
    };
    for (const [capability, has] of Object.entries(capabilities))
      assert.equal(has, missing[capability as Capability] === undefined, capability);
  });
  testCreation(add);
  testLookup(add);
  testChanges(add);
  testRecording(add, missing);
}

function testCreation(add: AddTest): void {
  add('creates one gift of the total', [], async ({ adapter, prepareGift, listGifts }) => {
    const gift = createGift();
    await prepareGift?.(gift);
    await adapter.createGift(gift);
    assert.deepEqual(await listGifts(), [{ reference: gift.reference, total: '51.81' }]);
  });

  add('says that nothing was created if nothing was', ['creates'], async (platform) => {
    const { adapter, faults, listGifts } = platform;
    const rejections = [
      [{ kind: 'unreachable' }, {}],
      [{ kind: 'status', status: 429 }, { isLimited: true }],
      [{ kind: 'status', status: 400 }, { isRejected: true }],
      [{ kind: 'status', status: 422 }, { isRejected: true }],
      [{ kind: 'status', status: 401 }, { isKeyRejected: true }],
      [{ kind: 'status', status: 403 }, { isKeyRejected: true }],
    ] as const;
    for (const [fault, expected] of rejections) {
      faults.add(fault);
      const error: unknown = await adapter
        .createGift(createGift())
        .catch((cause: unknown) => cause);
      assert.ok(error instanceof GiftNotCreatedError, JSON.stringify(fault));
      const { isLimited, isRejected, isKeyRejected } = error.rejection;
      assert.deepEqual(
        Object.entries({ isLimited, isRejected, isKeyRejected }).filter(([, isTrue]) => isTrue),
        Object.entries(expected),
      );
    }
    assert.deepEqual(await listGifts(), []);
  });

  add(
    'does not claim that nothing was created if it cannot know',
    ['creates'],
    async (platform) => {
      for (const fault of UNCLEAR) {
        platform.faults.add(fault);
        await assert.rejects(
          platform.adapter.createGift(createGift()),
          (error) => !(error instanceof GiftNotCreatedError),
          JSON.stringify(fault),
        );
      }
    },
  );

  add('creates one gift however often it is called', ['idempotent create'], async (platform) => {
    const gift = createGift();
    await platform.prepareGift?.(gift);
    platform.faults.add({ kind: 'lost reply' });
    await platform.adapter.createGift(gift).catch(() => undefined);
    await Promise.all([1, 2, 3].map(() => platform.adapter.createGift(gift)));
    assert.equal((await platform.listGifts()).length, 1);
  });
}

function testLookup(add: AddTest): void {
  add('finds a gift by its reference, and no other', ['lookup'], async (platform) => {
    const { adapter, prepareGift } = platform;
    const gift = createGift();
    await prepareGift?.(gift);
    const id = await adapter.createGift(gift);
    platform.waitUntilVisible?.();
    const found = await adapter.findGiftId!(gift.reference);
    assert.match(found!, /^[1-9]\d*$/);
    assert.equal(id ?? found, found);
    assert.equal(await adapter.findGiftId!(createGift().reference), undefined);
  });

  add('does not report a gift as missing if the lookup fails', ['lookup'], async (platform) => {
    for (const fault of [...UNCLEAR, { kind: 'unreachable' }, { kind: 'broken reply' }] as const) {
      platform.faults.add(fault);
      const found = platform.adapter.findGiftId!(createGift().reference);
      await assert.rejects(found, JSON.stringify(fault));
    }
  });

  add('lists the gifts of a period', ['lists'], async ({ adapter, prepareGift }) => {
    const gift = createGift();
    await prepareGift?.(gift);
    const id = await adapter.createGift(gift);
    for (const [end, expected] of [
      ['2040-01-01', [[id, gift.reference, '51.81']]],
      ['2020-02-01', []],
    ] as const) {
      const listed = await Array.fromAsync(
        adapter.iterateGifts!(new Date('2020-01-01'), new Date(end)),
      );
      assert.deepEqual(
        listed.map(({ platformId, reference, total }) => [platformId, reference, total]),
        expected,
      );
    }
  });
}

function testChanges(add: AddTest): void {
  add(
    'updates a gift, any number of times',
    ['updates'],
    async ({ adapter, prepareGift, faults }) => {
      const gift = createGift();
      await prepareGift?.(gift);
      const platformId = await adapter.createGift(gift);
      assert.ok(platformId !== undefined);
      const refund = {
        kind: 'refund',
        reference: gift.reference,
        platformId,
        at: new Date('2026-11-22T12:00:00Z'),
        giftStatus: 4,
        amount: '51.81',
        refunded: '51.81',
        currency: 'USD',
      } as const;
      faults.add({ kind: 'lost reply' });
      await assert.rejects(adapter.updateGift!(refund));
      await adapter.updateGift!(refund);
    },
  );
}
