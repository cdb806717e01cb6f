import type { Outcome } from '@donation-form/core/schemas';
import type { Edits } from '../state/form-state.ts';
import { withoutProcessors } from '@donation-form/core/url';
import type { GiftNotice, SendingTexts } from '@donation-form/core/i18n';
import type { Giving } from './donation-client.ts';
import type { LiveForm, Phase } from '../form/form-controller.ts';
import type { Paying } from './payment-controller.ts';
import { besideDialog } from './release-modal.ts';
import { allowed } from '../page/session-storage.ts';

/**
 * Milliseconds after which a browser that was sent to another page, and is still here, is taken to
 * stay.
 */
const LEAVING_TIME = 10_000;

/**
 * Begins the name under which a form's entries are kept in sessionStorage while the donor is asked:
 * who comes back may come back to a page that was loaded anew.
 */
const ENTRIES = 'donation-form-entries ';

/** What follows an action of the donor's: the submission that it belongs to. */
interface Submission {
  conclude(outcome: Outcome, isEarlier?: boolean): void;
  refuse(notice: GiftNotice): Promise<void>;
  enter(): void;
}

/**
 * What the donor has to do at the processor or the bank before any money moves: here in the payment
 * field, or on a page that leads back.
 */
export class Acting {
  readonly #live: LiveForm;
  readonly #giving: Giving;
  readonly #payment: Paying;
  readonly #texts: SendingTexts;
  readonly #submission: Submission;
  /** The browser was sent to a page of the processor's or a bank's. */
  #away: ReturnType<typeof setTimeout> | undefined;
  /** Nothing came back when the endpoint was asked about what the donor had to do. */
  isUnanswered = false;

  constructor(
    live: LiveForm,
    giving: Giving,
    payment: Paying,
    texts: SendingTexts,
    submission: Submission,
  ) {
    this.#live = live;
    this.#giving = giving;
    this.#payment = payment;
    this.#texts = texts;
    this.#submission = submission;
    tidyAddress(false);
  }

  /** The gift has come to something, and the form stays. */
  rest(): void {
    clearTimeout(this.#away);
  }

  /** The outcome of a gift that was under way when the page was left. */
  async unfinished(): Promise<Outcome | undefined> {
    const outcome = await this.#giving.unfinished();
    if (outcome) tidyAddress(true);
    this.#restoreEntries();
    return outcome?.state === 'action' ? this.#settled('confirm', outcome) : outcome;
  }

  get #entriesName(): string {
    const { source, offer } = this.#live;
    return `${ENTRIES}${source!.base}${offer!.definition.id}`;
  }

  #restoreEntries(): void {
    const live = this.#live;
    const kept = allowed(() => sessionStorage.getItem(this.#entriesName));
    if (!kept || Object.keys(live.edits).length > 0) return;
    live.edits = JSON.parse(kept) as Edits;
    live.offer = live.source!.offer(live.offer!.definition, live.edits.currency);
  }

  /** The gift has come to its end. */
  forget(): void {
    allowed(() => sessionStorage.removeItem(this.#entriesName));
  }

  /**
   * What came of what the donor was asked to do, or of taking the gift back.
   * @returns what was known before, where nothing came back; `undefined` where there is no such
   *   gift.
   */
  async #settled(how: 'confirm' | 'cancel', before: Outcome): Promise<Outcome | undefined> {
    const settled = await this.#giving.settle(how);
    this.isUnanswered = settled === 'no-answer';
    if (settled === 'unknown') return undefined;
    return settled === 'no-answer' ? before : settled;
  }

  /** Lets the donor do what is asked for, if anything is. */
  async carryOn(outcome: Outcome, isEarlier: boolean): Promise<void> {
    const { state, action } = outcome;
    const live = this.#live;
    if (state !== 'action' || !action) return this.#submission.conclude(outcome, isEarlier);
    allowed(() => sessionStorage.setItem(this.#entriesName, JSON.stringify(live.edits)));
    await live.show({
      phase: { name: 'sending' },
      waiting: action.kind === 'field' ? this.#texts.acting : '',
    });
    if (action.kind === 'redirect') return this.#leaveFor(action.url, outcome, isEarlier);
    const field = await this.#payment.fieldOf(outcome).catch(() => undefined);
    if (field)
      await besideDialog(live.element, () => field.act(action.secret)).catch((error: unknown) =>
        console.error(
          'donation-form: the payment field could not show what the bank asks for.',
          error,
        ),
      );
    const settled = await this.#settled('confirm', outcome);
    return settled
      ? this.#submission.conclude(settled, isEarlier)
      : this.#submission.refuse('not-charged');
  }

  /**
   * Goes to a page of the processor's or a bank's; a form that is still here after a while asks
   * again.
   */
  #leaveFor(url: string, outcome: Outcome, isEarlier: boolean): void {
    const stay = (): void => this.#submission.conclude(outcome, isEarlier);
    if (!/^https?:\/\//i.test(url)) {
      console.error(
        `donation-form: the payment goes on at ${JSON.stringify(url.slice(0, 100))}, which is no web address.`,
      );
      return stay();
    }
    this.#away = setTimeout(stay, LEAVING_TIME);
    location.assign(url);
  }

  /** The donor went back from that page, and the browser shows this one as it was. */
  async comeBack(): Promise<void> {
    const { phase } = this.#live;
    if (this.#away === undefined && phase.name !== 'action') return;
    clearTimeout(this.#away);
    this.#away = undefined;
    const outcome = await this.unfinished();
    if (outcome) return this.#submission.conclude(outcome, 'isEarlier' in phase && phase.isEarlier);
    await this.#live.show({ phase: { name: 'filling' }, waiting: '' });
    this.#submission.enter();
  }

  /** The donor goes on with what is asked for, or gives up. */
  async take(
    step: 'confirm' | 'cancel',
    { outcome, isEarlier }: Extract<Phase, { outcome: Outcome }>,
  ): Promise<void> {
    const { phase } = this.#live;
    if ('step' in phase && (phase.step === 'confirm' || phase.step === 'cancel')) return;
    await this.#live.show({ phase: { name: 'action', outcome, isEarlier, step } });
    const settled = await this.#settled(step, outcome);
    if (!settled) return this.#submission.refuse('not-charged');
    return step === 'confirm' && !this.isUnanswered
      ? this.carryOn(settled, isEarlier)
      : this.#submission.conclude(settled, isEarlier);
  }
}

/**
 * Takes out of the page's address what payment processors append.
 * @param isReturn whether the donor comes back from one: some of its names may be the page's own.
 */
function tidyAddress(isReturn: boolean): void {
  const address = withoutProcessors(new URL(location.href), isReturn).href;
  if (address !== location.href) allowed(() => history.replaceState(history.state, '', address));
}
