import { PROVIDER_CONTROL } from '@donation-form/core/form-state';
import { stringifyJson } from '../page/stringify-json.ts';
import { announceAcceptedDonation } from './announce-accepted-donation.ts';
import { focusControl, focusElement } from './form-focus.ts';
import { offerAlternative, offerWalletCancel, showNotice } from './notices.ts';
import { clearSavedEdits } from './saved-edits.ts';
import type { Effect } from './submission-machine.ts';
import {
  hasWallets,
  loadWallets,
  pollOutcome,
  removePaymentFields,
  type SubmissionParts,
} from './submission-parts.ts';

export function runEffect(
  effect: Exclude<Effect, { kind: 'resume' | 'show-field-failure' }>,
  parts: SubmissionParts,
): void {
  const { form, client, payment, action } = parts;
  switch (effect.kind) {
    case 'announce': {
      const { outcome } = effect;
      return void announceAcceptedDonation(form, outcome, client.key ?? outcome.reference);
    }
    case 'hand-over':
      return client.successorListener?.(effect.outcome);
    case 'close-donation':
      client.clearKey();
      return clearSavedEdits(form);
    case 'empty-field':
      return payment.discardField(effect.provider);
    case 'remove-fields':
      return removePaymentFields(parts);
    case 'load-definition':
      return void loadNewDefinition(parts);
    case 'show-notice':
      return showNotice(parts, effect);
    case 'offer-alternative':
      return offerAlternative(parts, effect);
    case 'offer-wallet-cancel':
      return offerWalletCancel(parts);
    case 'stop-action':
      return action?.stop();
    case 'start-action':
      return void action?.start(effect);
    case 'request-step':
      return void requestStep(effect, parts);
    case 'poll':
      return pollOutcome(parts, effect);
    case 'report-error':
      return form.dispatchError(effect.code);
    case 'focus':
      return focusTarget(effect, parts);
  }
}

function focusTarget(
  { target }: Extract<Effect, { kind: 'focus' }>,
  { form, payment }: SubmissionParts,
): void {
  if (target === 'payment') return void payment.focusField();
  if (target === 'provider') return focusControl(form, PROVIDER_CONTROL);
  focusElement(form, target === 'heading' ? 'h2' : '#notice');
}

async function requestStep(
  effect: Extract<Effect, { kind: 'request-step' }>,
  { action, dispatch }: SubmissionParts,
): Promise<void> {
  const input = await action!.requestStep(effect.step, effect);
  const startsAction = effect.step === 'confirm' && !('failedRequest' in input);
  dispatch(input.kind === 'outcome' ? { ...input, startsAction } : input);
}

/** Loads the form definition again, because the server rejected the previous one as outdated. */
async function loadNewDefinition(parts: SubmissionParts): Promise<void> {
  const { form, dispatch } = parts;
  const previous = form.context!.definition;
  // The next form also fetches its definition, instead of reading it from `/embed/FORM.js`.
  Reflect.deleteProperty(globalThis, Symbol.for('donation-form definitions'));
  try {
    form.context = await form.session!.loadForm(form.edits.currency);
  } catch {
    return dispatch({ kind: 'problem', notice: 'network-error' });
  }
  for (const styles of form.session!.styleSheets) form.adoptStyles(styles);
  if (stringifyJson(form.context.definition.payments) !== stringifyJson(previous.payments))
    removePaymentFields(parts);
  if (!hasWallets(previous)) void loadWallets(parts);
  dispatch({ kind: 'problem', notice: 'form-outdated' });
}
