import {
  type FieldError,
  type FormState,
  toDonationRequest,
  type Totals,
} from '@donation-form/core/form-state';
import type { DonationRequest } from '@donation-form/core/schemas';
import { resolveOptionalSettings, SettingResolver } from '@donation-form/core/settings';
import { DonationFormSubmitEvent } from '../events/submission-events.ts';
import { getDisplayedGift, serializeDisplayedDonation } from './displayed-gift.ts';
import { findFieldErrors } from './field-validator.ts';
import { focusElement } from './form-focus.ts';
import type { SelectedPayment } from './selected-payment.ts';
import { hideNotices, type SubmissionContext } from './submission-context.ts';
import type { PaymentProblem, SubmissionInput } from './submission-machine.ts';

export class DonationSubmitter {
  readonly #context: SubmissionContext;
  readonly #payment: SelectedPayment;
  /** True if the last submission got no response. */
  isOutcomeUnknown = false;
  /** True if the donor approved the last submission in a wallet instead of the payment field. */
  isWalletPayment = false;

  constructor(context: SubmissionContext, payment: SelectedPayment) {
    this.#context = context;
    this.#payment = payment;
  }

  async submit(): Promise<SubmissionInput | undefined> {
    const { form, client } = this.#context;
    const problem = this.findProblem(() => form.totals);
    if (problem) return problem;
    if (!this.requestPermission(form.totals!)) return undefined;
    // The page may have changed the amount during the event.
    const totals = form.totals!;
    focusElement(form, 'button[type=submit]');
    void form.update({ phase: { name: 'sending' } });
    const request = this.createRequest(form.state, totals);
    if (await client.isOffline()) return { kind: 'problem', notice: 'offline' };
    const payment = await this.#payment.confirmPayment(request.donor);
    hideNotices(form, 'payment-stalled');
    if ('problem' in payment) return this.describePaymentProblem(payment.problem);
    // The fee for the confirmed payment method can differ from the displayed fee.
    if (form.totals?.total !== totals.total) return { kind: 'problem', notice: 'form-outdated' };
    return this.send({ ...request, payment });
  }

  /** @param isIncluded returns true for errors that the donor must correct first. */
  findProblem(
    getTotals: () => Totals | undefined,
    isIncluded: (error: FieldError) => boolean = () => true,
  ): SubmissionInput | undefined {
    const { form } = this.#context;
    form.applyFormValues();
    const previous = serializeDisplayedDonation(form);
    form.element.refresh();
    if (previous !== serializeDisplayedDonation(form))
      return { kind: 'problem', notice: 'settings-changed' };
    const fieldErrors = this.findErrors().filter(isIncluded);
    if (fieldErrors.length > 0 || !getTotals()) return { kind: 'invalid-fields', fieldErrors };
    void form.update({ fieldErrors, notice: undefined });
    return undefined;
  }

  findErrors(): FieldError[] {
    return findFieldErrors(this.#context.form);
  }

  /** Dispatches `donation-form-submit`. Returns false if the page cancels the event. */
  requestPermission(totals: Totals): boolean {
    const { form } = this.#context;
    const gift = { ...getDisplayedGift(form), ...totals };
    return form.element.dispatchEvent(
      new DonationFormSubmitEvent(gift, form.context!.definition.isTest),
    );
  }

  createRequest(state: FormState, totals: Totals): Omit<DonationRequest, 'payment'> {
    const { session, context } = this.#context.form;
    const { definition } = context!;
    const { optionalSections, address, etag, language } = session!;
    const resolver = new SettingResolver(session!.pageContext.readSettings(definition));
    return toDonationRequest(address?.removeUnusedFields(state) ?? state, totals, context!, {
      optionalSettings: resolveOptionalSettings(resolver, definition),
      optionalFields: optionalSections?.toDonationFields(state, context!, totals.amount),
      definition: etag,
      language,
      page: new URL(location.href),
    });
  }

  async send(request: DonationRequest, isWalletPayment = false): Promise<SubmissionInput> {
    const { form, client, loadNextSteps } = this.#context;
    this.isWalletPayment = isWalletPayment;
    // Otherwise the form could not show the outcome.
    const steps = await loadNextSteps().catch(() => undefined);
    if (!steps)
      return { kind: 'problem', notice: (await client.isOffline()) ? 'offline' : 'network-error' };
    const website = steps.consumeHoneypotValue(form.element.shadowRoot!.querySelector('form'));
    const input = await client.submitDonation({
      ...request,
      ...(website && { form: { ...request.form, website } }),
    });
    this.isOutcomeUnknown = 'code' in input && input.code === 'network-error';
    return input.kind === 'outcome' && !form.element.isConnected
      ? { ...input, startsAction: false }
      : input;
  }

  async describePaymentProblem(problem: PaymentProblem): Promise<SubmissionInput> {
    const isOffline =
      !['email-invalid', 'incomplete'].includes(problem) &&
      (await this.#context.client.isOffline());
    return { kind: 'payment-problem', problem, isOffline };
  }
}
