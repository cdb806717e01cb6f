/** Decides what the form shows and does after each step of a submission. Has no side effects. */
import type { FailureReason } from '@donation-form/core/donation';
import { type FieldError, type FieldFailure, isFieldFailure } from '@donation-form/core/form-state';
import type { DonationOutcome } from '@donation-form/core/schemas';
import type { Phase, ReceivedOutcome } from '../form/form-store.ts';
import type { PaymentNotice } from '../form/view-model.ts';
import type { Confirmation } from '../payment-fields/payment-field.ts';

/** Problem with a payment field, or `canceled` if the donor chose not to wait for the field. */
export type PaymentProblem = Extract<Confirmation, { problem: unknown }>['problem'] | 'canceled';

export type Alternative = 'hosted-page' | 'other-provider' | 'try-again';

export type ActionStep = 'confirm' | 'cancel';

export interface OutcomeInput extends ReceivedOutcome {
  readonly kind: 'outcome';
  /** True if the form starts a required action at once, instead of offering to continue. */
  readonly startsAction?: boolean;
  /** Request to confirm or cancel the action. Set if it failed and `outcome` is the previous one. */
  readonly failedRequest?: { readonly id: string | undefined };
}

interface NoticeDetails {
  /** Seconds until the donor can try again. */
  readonly retryAfter?: number | undefined;
  readonly requestId?: string | undefined;
}

/** A problem that returns the donor to the form. */
export interface ProblemInput extends NoticeDetails {
  readonly kind: 'problem';
  readonly notice: PaymentNotice;
  /** Default: the notice. */
  readonly code?: string;
}

/** Fields that the donor must correct before the form sends anything. */
export interface InvalidFieldsInput {
  readonly kind: 'invalid-fields';
  readonly fieldErrors: readonly FieldError[];
}

export type SubmissionInput = InvalidFieldsInput | NextStepInput;

export type NextStepInput =
  | OutcomeInput
  | ProblemInput
  | {
      readonly kind: 'payment-problem';
      readonly problem: PaymentProblem;
      readonly isOffline: boolean;
    }
  /** The required action takes long, so the form offers to continue or cancel it. */
  | ({ readonly kind: 'action-slow' } & ReceivedOutcome)
  | { readonly kind: 'step-chosen'; readonly step: ActionStep }
  /** The donor returned to the page, and no donation is unfinished. */
  | { readonly kind: 'nothing-unfinished' }
  /** Effects that do not depend on the phase. */
  | NoticeEffect
  | { readonly kind: 'load-definition' };

export interface SubmissionFacts {
  readonly isOnPage: boolean;
  /** True if the form was removed, and another form on the page took over the donation. */
  readonly hasSuccessor: boolean;
  /** True if the donor approved the payment in a wallet instead of the payment field. */
  readonly isWalletPayment: boolean;
  readonly wasCanceled: boolean;
}

type NoticeEffect =
  | {
      readonly kind: 'show-notice';
      readonly notice: PaymentNotice;
      readonly details?: NoticeDetails;
      readonly isAfterSubmission: boolean;
    }
  /** The payment field does not respond. The submission continues unless the donor chooses. */
  | {
      readonly kind: 'offer-alternative';
      readonly alternative: Alternative;
      readonly isOffline: boolean;
    }
  | { readonly kind: 'offer-wallet-cancel' };

export type Effect =
  | NoticeEffect
  | { readonly kind: 'announce' | 'hand-over'; readonly outcome: DonationOutcome }
  | { readonly kind: 'stop-action' | 'close-donation' | 'remove-fields' | 'load-definition' }
  | { readonly kind: 'empty-field'; readonly provider: string }
  | { readonly kind: 'show-field-failure'; readonly reason: FieldFailure }
  | ({ readonly kind: 'start-action' | 'poll' } & ReceivedOutcome)
  | ({ readonly kind: 'request-step'; readonly step: ActionStep } & ReceivedOutcome)
  | { readonly kind: 'report-error'; readonly code: string }
  | { readonly kind: 'resume' }
  | { readonly kind: 'focus'; readonly target: FocusTarget };

type FocusTarget = 'heading' | 'notice' | 'payment' | 'provider';

export interface SubmissionTransition {
  /** Next phase. Absent if the phase does not change. */
  readonly phase?: Phase;
  /** Before the phase changes, in order. */
  readonly effects?: readonly Effect[];
  /** After the form has rendered the phase, in order. */
  readonly afterRender?: readonly Effect[];
}

export function decideNextStep(
  phase: Phase,
  input: NextStepInput,
  facts: SubmissionFacts,
): SubmissionTransition {
  switch (input.kind) {
    case 'outcome':
      return handleOutcome(phase, input, facts);
    case 'problem':
      return returnToForm(input);
    case 'payment-problem':
      return handlePaymentProblem(input.problem, input.isOffline);
    case 'action-slow': {
      const { outcome, isEarlier } = input;
      // Does not move the focus, which might be in the bank's dialog.
      return {
        phase: { name: 'requires_action', outcome, isEarlier },
        afterRender: [{ kind: 'poll', outcome, isEarlier }],
      };
    }
    case 'step-chosen':
      return requestStep(phase, input.step);
    case 'nothing-unfinished':
      return { phase: { name: 'filling' }, afterRender: [{ kind: 'resume' }] };
    default:
      return { effects: [input] };
  }
}

function handleOutcome(
  phase: Phase,
  input: OutcomeInput,
  facts: SubmissionFacts,
): SubmissionTransition {
  const { outcome, isEarlier, startsAction, failedRequest } = input;
  const { status, action } = outcome;
  if (status === 'requires_action' && action && startsAction)
    return {
      phase: { name: 'sending' },
      afterRender: [{ kind: 'start-action', outcome, isEarlier }],
    };
  if (facts.hasSuccessor)
    return { effects: [{ kind: 'stop-action' }, { kind: 'hand-over', outcome }] };
  if (status === 'failed') return handleFailure(outcome, facts);
  if (status === 'processing' || status === 'succeeded')
    return {
      phase: { name: status, outcome, isEarlier },
      effects: [
        { kind: 'stop-action' },
        { kind: 'announce', outcome },
        // Otherwise the key remains open for the next form, which can then fetch the outcome.
        ...(facts.isOnPage ? [{ kind: 'close-donation' } as const] : []),
      ],
      afterRender: [{ kind: 'focus', target: 'heading' }, { kind: 'remove-fields' }],
    };
  return {
    phase: {
      name: status,
      outcome,
      isEarlier,
      ...(failedRequest && { step: 'network-error', requestId: failedRequest.id }),
    },
    effects: [{ kind: 'stop-action' }],
    afterRender: [
      ...(phase.name === status ? [] : [{ kind: 'focus', target: 'heading' } as const]),
      ...(status === 'unconfirmed' ? [{ kind: 'report-error', code: status } as const] : []),
      { kind: 'poll', outcome, isEarlier },
    ],
  };
}

function handleFailure(
  { reason = 'card-declined', provider }: DonationOutcome,
  { isWalletPayment, wasCanceled }: SubmissionFacts,
): SubmissionTransition {
  // The input remains if the donor paid with a wallet or canceled the payment.
  const mustEmptyField =
    !isWalletPayment &&
    (reason === 'card-declined' || (reason === 'not-confirmed' && !wasCanceled));
  const { effects = [], ...transition } = showFailure(reason);
  return {
    ...transition,
    effects: [
      { kind: 'stop-action' },
      { kind: 'close-donation' },
      ...(mustEmptyField ? [{ kind: 'empty-field', provider } as const] : []),
      ...effects,
    ],
  };
}

/** Shows a failure next to the field that the donor can correct, or as a notice if there is none. */
function showFailure(reason: FailureReason): SubmissionTransition {
  if (!isFieldFailure(reason)) return returnToForm({ notice: reason });
  return {
    phase: { name: 'filling' },
    effects: [{ kind: 'show-field-failure', reason }],
    afterRender: [
      { kind: 'report-error', code: 'fields' },
      { kind: 'focus', target: 'notice' },
      { kind: 'resume' },
    ],
  };
}

function handlePaymentProblem(problem: PaymentProblem, isOffline: boolean): SubmissionTransition {
  if (problem === 'email-invalid') return showFailure(problem);
  if (problem === 'incomplete')
    return returnToForm({ notice: 'payment-details-incomplete' }, ['payment']);
  if (isOffline) return returnToForm({ notice: 'offline' });
  if (problem === 'unavailable') return returnToForm({ notice: 'payment-unavailable' });
  return returnToForm(
    { notice: 'processor-unavailable' },
    // Only some forms have a control for the provider.
    problem === 'canceled' ? ['notice', 'provider'] : ['notice'],
  );
}

/** @param targets elements to focus, in order. */
function returnToForm(
  { notice, code = notice, retryAfter, requestId }: Omit<ProblemInput, 'kind'>,
  targets: readonly FocusTarget[] = ['notice'],
): SubmissionTransition {
  return {
    phase: { name: 'filling' },
    effects: [
      { kind: 'show-notice', notice, details: { retryAfter, requestId }, isAfterSubmission: true },
    ],
    afterRender: [
      { kind: 'report-error', code },
      { kind: 'resume' },
      ...targets.map((target) => ({ kind: 'focus', target }) as const),
    ],
  };
}

function requestStep(phase: Phase, step: ActionStep): SubmissionTransition {
  if (phase.name !== 'requires_action') return {};
  if (phase.step === 'confirm' || phase.step === 'cancel') return {};
  const { outcome, isEarlier } = phase;
  return {
    phase: { name: 'requires_action', outcome, isEarlier, step },
    effects: [{ kind: 'stop-action' }],
    afterRender: [{ kind: 'request-step', step, outcome, isEarlier }],
  };
}
