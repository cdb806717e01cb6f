import { setTimeout } from 'node:timers/promises';
import { listRequests, loadForms, waitForReadyEvent } from './page-functions.ts';
import { preparePage } from './prepare-page.ts';
import type { Stage } from './stage.ts';
import type { Subject } from './subjects.ts';

/** Time until the browser has reported all requests, in milliseconds. */
const REPORT_TIME = 500;

/** What a browser requests until a donor can use the form. */
export interface Delivery {
  readonly requests: number;
  /** Size of the response bodies as transferred. */
  readonly bytes: number;
}

/** Module of the payment field, which loads with the payment provider's files. */
const FIELD_MODULE = '/donation-form.stripe-';

/**
 * Counts the requests and bytes that a baseline needs until it is ready, and that this project's
 * form needs until it can send a donation. The payment field's files are not counted.
 */
export async function measureDelivery(stage: Stage, subject: Subject): Promise<Delivery> {
  await using prepared = await preparePage(stage, subject);
  const { page, loading } = prepared;
  const sizes = new Map<string, Promise<number>>();
  page.on('requestfinished', (request) => {
    const size = request.sizes().then(({ responseBodySize }) => responseBodySize);
    sizes.set(request.url(), size);
  });
  const canSend = 'form' in subject.source ? page.evaluate(waitForReadyEvent) : undefined;
  await page.evaluate(loadForms, loading);
  const endsAt = (await canSend) ?? Infinity;
  await setTimeout(REPORT_TIME);
  const origins = [stage.endpoint, stage.assets.url];
  const urls = (await page.evaluate(listRequests, endsAt)).filter(
    (url) => origins.some((origin) => url.startsWith(`${origin}/`)) && !url.includes(FIELD_MODULE),
  );
  const bytes = await Promise.all(urls.map((url) => sizes.get(url)!));
  return { requests: urls.length, bytes: bytes.reduce((sum, size) => sum + size, 0) };
}
