import assert from 'node:assert/strict';
import type { OutboxEntry } from '../../../src/server/database/schema.ts';
import { formWithPayments } from '../payments/support.ts';
import { startServer, type TestServer } from '../support.ts';
import { PLEDGE, runJobsUntil, SECOND } from './api-quota-support.ts';
import type { AddTest } from './contract.ts';
import type { CallFault, MissingCapabilities, TestPlatform } from './test-platform.ts';

/** A server that records its donations with the adapter under test. */
interface RecordingServer extends AsyncDisposable {
  readonly server: TestServer;
  /** Donates by card. @returns the donation's reference. */
  readonly donate: () => Promise<string>;
  /** Runs jobs until no event is pending. @returns the events, oldest first. */
  readonly deliver: (reference: string) => Promise<readonly OutboxEntry[]>;
}

async function startRecordingServer({ adapter }: TestPlatform): Promise<RecordingServer> {
  let time = Date.UTC(2026, 10, 21, 12);
  const server = await startServer({
    now: () => time,
    hasBackgroundJobs: false,
    form: formWithPayments,
    changePlatform: () => adapter,
  });
  const listEvents = async (reference: string): Promise<OutboxEntry[]> =>
    server.database.db
      .selectFrom('outbox')
      .selectAll()
      .where('reference', '=', reference)
      .orderBy('createdAt')
      .execute();
  return {
    server,
    async donate() {
      const { status, reference } = await server.submitDonation();
      assert.equal(status, 'succeeded');
      return reference;
    },
    async deliver(reference) {
      await runJobsUntil(
        server,
        async () => (await listEvents(reference)).every(({ status }) => status !== 'pending'),
        () => (time += 5 * SECOND),
      );
      return listEvents(reference);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Tests that a server records donations with the adapter once, whatever happens to its calls. */
export function testRecording(add: AddTest, missing: MissingCapabilities): void {
  const canResend = missing['idempotent create'] === undefined || missing.lookup === undefined;
  const unclear: readonly CallFault[] = [
    { kind: 'lost reply' },
    { kind: 'broken reply' },
    { kind: 'status', status: 502 },
  ];

  add(
    'records a donation once if it is certain that nothing was recorded',
    ['creates'],
    async (platform) => {
      await using recording = await startRecordingServer(platform);
      for (const fault of [{ kind: 'unreachable' }, { kind: 'status', status: 429 }] as const) {
        platform.faults.add(fault, fault);
        const reference = await recording.donate();
        const [event] = await recording.deliver(reference);
        assert.equal(event!.status, 'delivered', JSON.stringify(fault));
        assert.equal(await countGifts(platform, reference), 1);
      }
    },
  );

  add(
    'records a donation once, or asks a person, after an unclear response',
    ['creates'],
    async (platform) => {
      await using recording = await startRecordingServer(platform);
      for (const fault of unclear) {
        platform.faults.add(fault);
        const reference = await recording.donate();
        const [event] = await recording.deliver(reference);
        const wasProcessed = fault.kind !== 'status';
        assert.deepEqual(
          [event!.status, await countGifts(platform, reference)],
          canResend ? ['delivered', 1] : ['needs_review', wasProcessed ? 1 : 0],
          JSON.stringify(fault),
        );
      }
    },
  );

  add('reports a refund, or lists it for a person', ['creates'], async (platform) => {
    await using recording = await startRecordingServer(platform);
    const { outbox } = recording.server.repository;
    const reference = await recording.donate();
    await recording.deliver(reference);
    await outbox.insertEntries('lanternwell', [
      { id: 'refund r1', reference, kind: 'refund', payload: { amount: 1_000, refunded: 1_000 } },
    ]);
    const events = await recording.deliver(reference);
    assert.deepEqual(
      events.map(({ kind, status }) => [kind, status]),
      [
        ['donation', 'delivered'],
        ['refund', missing.updates === undefined ? 'delivered' : 'manual'],
      ],
    );
    assert.equal(await countGifts(platform, reference), 1);
  });

  add(
    'records a pledge once, when it is paid if the platform has no pending gifts',
    ['creates'],
    async (platform) => {
      await using recording = await startRecordingServer(platform);
      const { server } = recording;
      const { reference } = await server.submitDonation(PLEDGE);
      await recording.deliver(reference);
      assert.equal(await countGifts(platform, reference), missing.pending === undefined ? 1 : 0);
      await server.repository.reviewDecisions.applyAndSaveDecision({
        reference,
        decision: 'succeeded',
        by: 'staff',
        note: 'transfer received',
      });
      const [, settled] = await recording.deliver(reference);
      assert.equal(settled!.kind, 'payment_settled');
      const isReported = missing.pending !== undefined || missing.updates === undefined;
      assert.equal(settled!.status, isReported ? 'delivered' : 'manual');
      assert.equal(await countGifts(platform, reference), 1);
    },
  );
}

const countGifts = async ({ listGifts }: TestPlatform, reference: string): Promise<number> =>
  (await listGifts()).filter((gift) => gift.reference === reference).length;
