import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';

/** A call or write at which an operation waits until the trace continues it. */
export interface Point {
  readonly kind: 'call' | 'write';
  readonly name: string;
  readonly run: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** An operation or relay that stops at each call and write. */
export class Thread {
  point: Point | undefined;
  isRunning = false;

  start(operation: () => Promise<unknown>): void {
    this.isRunning = true;
    void operation()
      .catch(() => undefined)
      .finally(() => {
        this.isRunning = false;
      });
  }

  stopAt(kind: Point['kind'], name: string, run: Point['run']): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.point = { kind, name, run, resolve, reject };
    });
  }

  takePoint(): Point {
    const { point } = this;
    assert.ok(point, 'the operation waits for nothing');
    this.point = undefined;
    return point;
  }

  async runWrite(): Promise<void> {
    const { kind, name, run, resolve, reject } = this.takePoint();
    assert.equal(kind, 'write', name);
    await run().then(resolve, reject);
  }

  /** Waits until the operation ends or stops. */
  async settle(): Promise<void> {
    while (this.isRunning && !this.point) await setImmediate();
  }
}

/** Lets an operation run until it stops at the given kind of point, or else until it ends. */
export async function continueTo(
  thread: Thread,
  kind: Point['kind'] | undefined,
  description: string,
): Promise<void> {
  await thread.settle();
  while (thread.point?.kind === 'write' && kind !== 'write') {
    await thread.runWrite();
    await thread.settle();
  }
  assert.equal(thread.point?.kind, kind, `${thread.point?.name} after ${description}`);
}
