import { setTimeout } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright';
import { loadForms, locateControls, recordClicks } from './page-functions.ts';
import { preparePage } from './prepare-page.ts';
import type { Stage } from './stage.ts';
import { computeMedian } from './statistics.ts';
import { NORMAL_SIZE, type Size, type Subject } from './subjects.ts';

const THROTTLE = 4;
/** Time in which a form that is ready finishes its other work, in milliseconds. */
const REST_TIME = 500;
const CLICK_ORDER = [2, 0, 3, 2, 1, 0];

/** CPU time of the page's main thread in milliseconds. */
export interface CpuTimes {
  readonly untilReady: number;
  /** Part of `untilReady` in which scripts ran. */
  readonly script: number;
  /** Part of `untilReady` that computed styles and positions. */
  readonly layout: number;
  /** Until half a second later. */
  readonly total: number;
}

/** Measured on a CPU that is four times slower. */
export interface SlowTimes {
  /** Milliseconds until the form is ready. */
  readonly ready: number;
  /** Median time of the listeners for a click, in milliseconds. */
  readonly click: number;
  /** Memory that the form adds to the JavaScript heap, in bytes. */
  readonly heap: number;
}

/** Measures the CPU time of the main thread, which does not include waiting. */
export async function measureCpuTimes(
  stage: Stage,
  subject: Subject,
  size: Size = NORMAL_SIZE,
): Promise<CpuTimes> {
  await using prepared = await preparePage(stage, subject, size);
  const { page, devtools, loading } = prepared;
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await devtools.send('HeapProfiler.collectGarbage');
  const loaded = page.evaluate(loadForms, { ...loading, gate: stage.assets.gate });
  const readAtGate = async (): Promise<TaskTimes> => {
    const stopped = stage.assets.waitAtGate();
    const release = await Promise.race([stopped, loaded.then(() => stopped)]);
    // The browser answers when the page runs again, before its next task.
    const times = readTaskTimes(devtools);
    await setTimeout(20);
    release();
    return times;
  };
  const before = await readAtGate();
  const ready = await readAtGate();
  await loaded;
  await setTimeout(REST_TIME);
  const { total } = await readTaskTimes(devtools);
  return {
    untilReady: ready.total - before.total,
    script: ready.script - before.script,
    layout: ready.layout - before.layout,
    total: total - before.total,
  };
}

/** Time that the main thread has spent on tasks and on parts of them, in milliseconds. */
interface TaskTimes {
  readonly total: number;
  readonly script: number;
  readonly layout: number;
}

async function readTaskTimes(devtools: CDPSession): Promise<TaskTimes> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  const getTime = (wanted: string): number =>
    metrics.find(({ name }) => name === wanted)!.value * 1_000;
  return {
    total: getTime('TaskDuration'),
    script: getTime('ScriptDuration'),
    layout: getTime('RecalcStyleDuration') + getTime('LayoutDuration'),
  };
}

/** Measures times on a slow CPU, and the heap. */
export async function measureSlowTimes(stage: Stage, subject: Subject): Promise<SlowTimes> {
  await using prepared = await preparePage(stage, subject);
  const { page, devtools, loading } = prepared;
  await setTimeout(150);
  const heapBefore = await measureHeap(devtools);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
  await setTimeout(100);
  const ready = await page.evaluate(loadForms, loading);
  await setTimeout(REST_TIME);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const heap = (await measureHeap(devtools)) - heapBefore;
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
  return { ready, click: await measureClick(page, subject), heap };
}

async function measureHeap(devtools: CDPSession): Promise<number> {
  for (let step = 0; step < 2; step += 1) await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize;
}

/** Measures how long a form's listeners take for a click on an amount. */
async function measureClick(page: Page, { clickable }: Subject): Promise<number> {
  const controls = await page.evaluate(locateControls, clickable);
  await page.evaluate(recordClicks);
  await setTimeout(300);
  for (const index of CLICK_ORDER) {
    const { x, y } = controls[index % controls.length]!;
    await page.mouse.click(x, y);
    await setTimeout(200);
  }
  const times = await page.evaluate(() => window.clickTimes ?? []);
  if (times.length !== CLICK_ORDER.length)
    throw new Error(`Recorded ${times.length} of ${CLICK_ORDER.length} clicks on ${clickable}.`);
  return computeMedian(times);
}
