import { setTimeout } from 'node:timers/promises';
import { recordShifts } from '../e2e/record-shifts.ts';
import { findCardFrame } from '../e2e/world.ts';
import type { Stage } from './stage.ts';
import { computeMedian } from './statistics.ts';
import { PLAIN } from './subjects.ts';

/** Time in which late content could still move the page, in milliseconds. */
const REST_TIME = 1_000;
/** Shows the whole form, so that everything that moves counts. */
const VIEWPORT = { width: 390, height: 3_600 };

/** Conditions in which a page loads. */
interface Network {
  /** Milliseconds that each request waits. */
  readonly latency: number;
  /** Transfer rate of responses, in kilobits per second. */
  readonly rate: number;
  /** Factor by which the CPU is slower. */
  readonly throttle: number;
}

/** Old phone on a poor connection. */
const SLOW_NETWORK: Network = { latency: 400, rate: 400, throttle: 4 };
/** Size of the real Stripe.js, which the emulation has on the slow network. */
const STRIPE_JS_BYTES = 120_000;

/**
 * Returns the least milliseconds until the payment field appears on the slow network: its round
 * trips, and downloads of Stripe.js and of the form's own files.
 */
export const computeLeastFieldTime = (roundTrips: number, formBytes: number): number =>
  roundTrips * SLOW_NETWORK.latency + ((STRIPE_JS_BYTES + formBytes) * 8) / SLOW_NETWORK.rate;

/** Network on which only round trips take time. */
const DISTANT_NETWORK: Network = { latency: 2_000, rate: 1_000_000, throttle: 1 };

/** Measured from the start of the page's own request. */
interface NetworkTimes {
  /** Milliseconds until the form shows all its fields. */
  readonly form: number;
  /** Milliseconds until the payment provider's field is visible. */
  readonly paymentField: number;
  /** Elements that moved while the page loaded. */
  readonly shifts: readonly string[];
}

/**
 * Loads a page with the plain form, whose Stripe.js is as large as the real one. The browser does not
 * slow down the payment provider's frames, which are in another process.
 */
async function measureNetwork(stage: Stage, network: Network): Promise<NetworkTimes> {
  const context = await stage.browser.newContext({ viewport: VIEWPORT });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    const readShifts = await recordShifts(page);
    const throughput = (network.rate * 1_000) / 8;
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: network.latency,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: network.throttle });
    await page.goto(stage.addSnippetPage(PLAIN), { waitUntil: 'commit' });
    const readTime = (): Promise<number> => page.evaluate(() => performance.now());
    await page.getByRole('button', { name: /^Give/ }).waitFor();
    const form = await readTime();
    await findCardFrame(page).getByLabel('Card number').waitFor();
    const paymentField = await readTime();
    await setTimeout(REST_TIME);
    return { form, paymentField, shifts: await readShifts() };
  } finally {
    await context.close();
  }
}

/** A page with the plain form on a network. */
export interface NetworkReport {
  /** Number of requests that wait for one another, including the page's own. */
  readonly roundTrips: { readonly form: number; readonly paymentField: number };
  /** Medians of the loads on {@link SLOW_NETWORK}, in milliseconds. */
  readonly slow: { readonly form: number; readonly paymentField: number };
  /** Number of loads in which an element moved. */
  readonly loadsWithShift: number;
}

/** @param rounds number of loads on the slow network. */
export async function measureNetworks(stage: Stage, rounds: number): Promise<NetworkReport> {
  await stage.setHeavyStripeJs(true);
  const distant = await measureNetwork(stage, DISTANT_NETWORK);
  const loads: NetworkTimes[] = [];
  for (let round = 1; round <= rounds; round += 1)
    loads.push(await measureNetwork(stage, SLOW_NETWORK));
  await stage.setHeavyStripeJs(false);
  const countRoundTrips = (time: number): number => Math.floor(time / DISTANT_NETWORK.latency);
  return {
    roundTrips: {
      form: countRoundTrips(distant.form),
      paymentField: countRoundTrips(distant.paymentField),
    },
    slow: {
      form: computeMedian(loads.map(({ form }) => form)),
      paymentField: computeMedian(loads.map(({ paymentField }) => paymentField)),
    },
    loadsWithShift: loads.filter(({ shifts }) => shifts.length > 0).length,
  };
}
