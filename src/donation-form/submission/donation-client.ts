import type { DonationRequest, Outcome } from '@donation-form/core/schemas';
import type { GiftNotice } from '@donation-form/core/i18n';
import { IdempotencyKeyStore, type OutcomeListener } from './idempotency-key.ts';
import { postDonation, fetchOutcome, postSettlement, type Reply } from './donations-api.ts';
import { ProofOfWork } from './proof-of-work.ts';

/** What came of sending a gift: its outcome, or why there is none yet. */
export type SubmissionResult =
  | {
      readonly outcome: Outcome;
      /** It is the gift that was sent before the donor changed something. */ readonly isEarlier: boolean;
    }
  | {
      readonly notice: GiftNotice;
      readonly code: string;
      /** Seconds until another try makes sense. */ readonly wait?: number;
      /** What the server's log calls the request, where the server failed or refused it. */ readonly request?:
        string | undefined;
    };

/** Milliseconds between questions about a gift whose outcome is not known. */
const CHECK_EVERY = [2_000, 3_000, 5_000, 10_000];

/** Ends when no form of this page sends a gift: they are sent one after another. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * The gift that a donor gives with one form. While no final answer is known, every try has the same
 * key.
 */
export class DonationClient {
  readonly #base: string;
  readonly #keyStore: IdempotencyKeyStore;
  readonly #proof: ProofOfWork;
  /** The key that is asked about: another form may end its attempt meanwhile. */
  #asked: string | undefined;
  /** What the server's log calls the request that was answered by no outcome last. */
  failedRequest: string | undefined;
  #checks = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param base the endpoint's address, ending in a slash.
   * @param form the id of the form's definition.
   * @param takeOver hears of the outcome of a gift that another form left with.
   */
  constructor(base: string, form: string, takeOver: OutcomeListener) {
    this.#base = base;
    this.#keyStore = new IdempotencyKeyStore(base + form, takeOver);
    this.#proof = new ProofOfWork(base, form);
  }

  /** The form is on the page again. */
  resume(): void {
    this.#keyStore.claim();
  }

  /** A gift may be sent soon. */
  prepare(): void {
    this.#proof.prepare();
  }

  /** The form has left the page. */
  pause(): void {
    this.stopPolling();
    this.#keyStore.release();
  }

  /**
   * Tells the form that has taken the place of this one, which has left the page, what came of the
   * gift; `undefined` where there is none.
   */
  get successor(): OutcomeListener | undefined {
    return this.#keyStore.successor;
  }

  /** The idempotency key of the gift that is given, or was not concluded. */
  get key(): string | undefined {
    return this.#asked ?? this.#keyStore.openKey;
  }

  /** The outcome of a gift that was under way when the page was left. */
  async findUnfinished(): Promise<Outcome | undefined> {
    const key = (this.#asked ??= this.key);
    const reply = key === undefined ? undefined : await fetchOutcome(this.#base, key);
    return reply?.kind === 'outcome' ? reply.outcome : undefined;
  }

  /**
   * Asks what became of what the donor was asked to do, or takes the gift back.
   * @returns the outcome; `unknown` where there is no such gift, `no-answer` where nothing can be
   *   said.
   */
  async settle(how: 'confirm' | 'cancel'): Promise<Outcome | 'unknown' | 'no-answer'> {
    this.stopPolling();
    const { key } = this;
    const reply = key === undefined ? undefined : await postSettlement(this.#base, key, how);
    this.failedRequest = reply && 'request' in reply ? reply.request : undefined;
    if (reply?.kind === 'outcome') return reply.outcome;
    return !reply || (reply.kind === 'problem' && reply.code === 'donation-not-found')
      ? 'unknown'
      : 'no-answer';
  }

  send(request: DonationRequest): Promise<SubmissionResult> {
    const sent = turn.then(() => this.#send(request));
    turn = sent;
    return sent;
  }

  async #send(request: DonationRequest): Promise<SubmissionResult> {
    const key = this.#keyStore.getOrCreateKey();
    const first = await postDonation(this.#base, key, request, await this.#proof.take());
    const isChallenged = first.kind === 'problem' && first.code === 'challenge-required';
    const proof = isChallenged ? await this.#proof.demand() : undefined;
    const reply = proof === undefined ? first : await postDonation(this.#base, key, request, proof);
    const isEarlier = reply.kind === 'problem' && reply.code === 'idempotency-key-reused';
    return answerOf(isEarlier ? await fetchOutcome(this.#base, key) : reply, isEarlier);
  }

  /** Asks for the outcome again and again, until it is another one or the form leaves the page. */
  poll(state: Outcome['state'], then: (outcome: Outcome) => void): void {
    this.stopPolling();
    const wait = CHECK_EVERY[Math.min(this.#checks++, CHECK_EVERY.length - 1)];
    const timer = (this.#timer = setTimeout(
      () =>
        void this.findUnfinished().then((outcome) => {
          if (timer !== this.#timer) return;
          if (outcome && outcome.state !== state) then(outcome);
          else this.poll(state, then);
        }),
      wait,
    ));
  }

  /** Asks no more. */
  stopPolling(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The outcome is final: the next gift is another one. */
  forgetKey(): void {
    this.stopPolling();
    this.#checks = 0;
    this.#asked = undefined;
    this.#keyStore.clear();
  }
}

function answerOf(reply: Reply, isEarlier: boolean): SubmissionResult {
  if (reply.kind === 'outcome') return { outcome: reply.outcome, isEarlier };
  if (reply.kind === 'no-answer')
    return {
      notice: navigator.onLine ? 'no-answer' : 'offline',
      code: 'no-answer',
      request: reply.request,
    };
  const { code, detail, wait, request } = reply;
  if (code === 'form-outdated' || code === 'too-many-requests' || code === 'paused')
    return { notice: code, code, wait };
  if (code === 'challenge-required') return { notice: 'not-charged', code };
  console.error(`donation-form: the endpoint refused the gift (${code}): ${detail}`);
  return { notice: 'refused', code, request };
}
