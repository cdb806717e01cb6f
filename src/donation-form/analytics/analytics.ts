import { consentReader } from './consent.ts';
import { Journey, STEPS } from './funnel.ts';
import { isFirst } from './dedupe.ts';
import { ofGiven, ofShown, type Counted, type Parameters } from './event-params.ts';
import { GA4, META, TOOLS, type Receiver, type Tool, type ToolPage } from './destinations.ts';
import { Waiting } from './event-queue.ts';

/** How gifts are measured: with what consent, by which tools, and what a gift counts with. */
export interface Analytics {
  /**
   * Whether the visitor agrees: true, or a promise of it. What Google Consent Mode says is
   * stronger.
   */
  readonly consent?: () => unknown;
  /**
   * What a gift counts with: `gift`, which is usual, or `total`, with the costs that the donor
   * covers.
   */
  readonly value?: Counted | undefined;
  /** Which tools of the page are told; without it those that the page has. */
  readonly tools?: readonly Tool[] | undefined;
}

/**
 * For how long an amount has to stand to be chosen, in milliseconds: digits come one after the
 * other.
 */
const CHOOSING_TIME = 1_000;

/** By which the copies of this script on a page know of each other. */
const RUNNING = Symbol.for('donation-form-analytics');

/**
 * Tells the analytics tools of a page what its donation forms tell: gifts that succeeded, each once
 * over reloads and tabs, and the way to them, each step once for a form and page.
 * Nothing is told without consent, of test gifts or of who gives.
 * @returns ends it. @throws {TypeError} where an option is none of those above.
 */
export function measureGifts({
  consent,
  value = 'gift',
  tools = TOOLS,
}: Analytics = {}): () => void {
  check('value', [value], ['gift', 'total']);
  check('tools', tools, TOOLS);
  const page = window as ToolPage & { [RUNNING]?: boolean };
  if (page[RUNNING]) return () => undefined;
  page[RUNNING] = true;
  const leaving = new AbortController();
  const progressMessage = new Waiting();
  const allows = consentReader(consent, () => progressMessage.look());
  const tell: Tell = ({ name: receiver, purposes, find }, event, parameters, name) =>
    progressMessage.add(() => {
      const tool = allows(purposes, page.dataLayer)
        ? find(Object.fromEntries(tools.map((one) => [one, page[one]])))
        : undefined;
      if (tool && (!name || isFirst(receiver + name))) tool(event, parameters);
      return Boolean(tool);
    });
  listen(tell, value, leaving.signal);
  return () => {
    leaving.abort();
    progressMessage.end();
    page[RUNNING] = false;
  };
}

/** Tells a receiver. @param name what is told once only. */
type Tell = (receiver: Receiver, event: string, parameters: Parameters, name?: string) => void;

/** What forms of this page tell; older ones do not say whether they are tests. */
type FormEvent<Type extends keyof DocumentEventMap> = DocumentEventMap[Type] & {
  readonly isTest?: boolean;
  readonly code?: string;
};

/** Hears what the forms of the page tell. */
function listen(tell: Tell, counted: Counted, signal: AbortSignal): void {
  const journeys = new WeakMap<EventTarget, Journey>();
  const on = <Type extends `donation-form-${string}` & keyof DocumentEventMap>(
    type: Type,
    then: (event: FormEvent<Type>, journey: Journey) => void,
  ): void =>
    document.addEventListener(
      type,
      (event: FormEvent<Type>) => {
        const form = event.composedPath()[0]!;
        const journey =
          journeys.get(form) ?? new Journey((name, parameters) => tell(GA4, name, parameters));
        journeys.set(form, journey);
        journey.isTest = event.isTest ?? journey.isTest;
        // What is not known is taken for a test; a form that cannot be loaded does not know.
        if (!(journey.isTest ?? event.code !== 'form-unavailable')) then(event, journey);
      },
      { signal },
    );

  STEPS.forEach((step, place) =>
    on(`donation-form-${step}`, ({ gift, defaultPrevented }, journey) => {
      const reach = (): void => journey.reach(place, gift, counted);
      if (step === 'change')
        journey.wait(() => {
          if (gift.amount) reach();
        }, CHOOSING_TIME);
      else if (!defaultPrevented) reach();
    }),
  );
  on('donation-form-success', (event) => {
    const parameters = ofGiven(event, counted);
    tell(GA4, 'purchase', parameters, event.reference);
    tell(META, 'Donate', parameters, event.reference);
  });
  on('donation-form-pending', ({ reference, gift }) =>
    tell(GA4, 'donation_form_pending', ofShown(gift, counted, reference), `pending ${reference}`),
  );
  on('donation-form-error', ({ code }, journey) => journey.fail(code));
}

/** @throws {TypeError} */
function check(name: string, found: readonly string[], known: readonly string[]): void {
  for (const one of found)
    if (!known.includes(one))
      throw new TypeError(`donation-form: ${name} is '${one}'; expected ${known.join()}.`);
}
