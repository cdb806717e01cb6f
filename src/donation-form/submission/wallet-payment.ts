import { nothing, type TemplateResult } from 'lit';
import { PaymentMethodType } from '@donation-form/core/donation';
import {
  calculateTotals,
  createFormState,
  type FormState,
  getSelectedProject,
  isDonationSplit,
  PROVIDER_CONTROL,
  type Totals,
} from '@donation-form/core/form-state';
import type { EntryTexts } from '@donation-form/core/i18n';
import type { DonationRequest, PaymentOffer } from '@donation-form/core/schemas';
import { buildReturnUrl } from '@donation-form/core/url';
import type { FormStore } from '../form/form-store.ts';
import type { View } from '../form/view-model.ts';
import { stringifyJson } from '../page/stringify-json.ts';
import { addFieldHost } from '../payment-fields/field-host.ts';
import { findPaymentProvider } from '../payment-fields/registry.ts';
import { RESPONSE_TIME, withTimeLimit } from '../payment-fields/time-limit.ts';
import { VisitDetector } from '../payment-fields/visit-detector.ts';
import type {
  WalletApproval,
  WalletButtons,
  WalletCharge,
} from '../payment-fields/wallet-buttons.ts';
import { renderWallets, type WalletStatus } from '../sections/wallets.ts';
import { getWalletDetails, getWalletValues, isWalletControl } from '../state/wallet-donor.ts';
import { serializeDisplayedDonation } from './displayed-gift.ts';
import { getManageUrl } from './manage-url.ts';
import type { SubmissionContext } from './submission-context.ts';
import type { PaymentProblem, SubmissionInput } from './submission-machine.ts';
import type { DonationSubmitter } from './submit-donation.ts';

export { walletStyles } from '../sections/wallets.ts';

interface OpenWallet {
  /** The donation displayed when the wallet opened, as JSON. */
  readonly displayed: string;
  readonly timer: ReturnType<typeof setTimeout>;
  isApproved: boolean;
}

/** Submits a wallet's details of the donor as if the donor had entered them. */
export class WalletPayment {
  readonly #form: FormStore;
  readonly #texts: EntryTexts;
  readonly #context: SubmissionContext;
  readonly #submitter: DonationSubmitter;
  readonly #visitDetector: VisitDetector;
  #status: WalletStatus = 'loading';
  /** True while the form reserves no space for unavailable or unlikely buttons. */
  #isCollapsed: boolean;
  #observer: IntersectionObserver | undefined;
  #container: HTMLElement | undefined;
  #buttons: Promise<WalletButtons | undefined> | undefined;
  #openWallet: OpenWallet | undefined;
  /** Charge last passed to the buttons, as JSON. */
  #displayedCharge = '';

  constructor(context: SubmissionContext, submitter: DonationSubmitter, texts: EntryTexts) {
    const { form } = context;
    this.#context = context;
    this.#submitter = submitter;
    this.#form = form;
    this.#texts = texts;
    this.#visitDetector = new VisitDetector(form.element);
    this.#isCollapsed = !form.element.shadowRoot!.querySelector('.wallets');
  }

  get #payment(): PaymentOffer | undefined {
    return this.#form.context!.definition.payments.find(({ hasWallets }) => hasWallets);
  }

  /** Form state for a wallet payment. Wallet payments can have their own fee. */
  get #state(): FormState {
    const { context, edits } = this.#form;
    const { provider } = this.#payment!;
    return createFormState(context!, {
      ...edits,
      optionalFields: { ...edits.optionalFields, [PROVIDER_CONTROL]: [provider] },
      paymentMethods: { ...edits.paymentMethods, [provider]: PaymentMethodType.Wallet },
    });
  }

  get #totals(): Totals | undefined {
    return calculateTotals(this.#state, this.#form.context!);
  }

  get #charge(): WalletCharge {
    const context = this.#form.context!;
    const { code, decimals, minimum } = context.settings.currency;
    const state = this.#state;
    const totals = this.#totals;
    const purpose = isDonationSplit(state, context)
      ? context.definition.organization.name
      : getSelectedProject(state, context).name;
    return {
      total: totals?.total ?? minimum,
      currency: code,
      decimals,
      frequency: state.frequency,
      items: totals?.coveredFees
        ? [
            { name: purpose, amount: totals.amount },
            { name: this.#texts.walletFeeItem, amount: totals.coveredFees },
          ]
        : [],
    };
  }

  render(view: View): TemplateResult | typeof nothing {
    return this.#payment && !this.#isCollapsed
      ? renderWallets(view, this.#texts, this.#totals, this.#status)
      : nothing;
  }

  /** The buttons must be in the page's light DOM. */
  showButtons(): void {
    const payment = this.#payment;
    const { element } = this.#form;
    if (!payment || this.#container?.parentNode === element) return;
    this.removeButtons();
    if (element.getRootNode() instanceof ShadowRoot) return;
    const { container, host } = addFieldHost(element, 'wallets');
    this.#container = container;
    const buttons = this.#visitDetector.visited.then(() => this.#mountButtons(payment, host));
    this.#buttons = buttons;
    const isMounted = (): boolean => this.#buttons === buttons;
    void this.#visitDetector.visited
      .then(() => withTimeLimit(buttons, RESPONSE_TIME, ''))
      .catch(() => isMounted() && this.#setWalletStatus('unavailable'));
    buttons.then(
      (mounted) =>
        isMounted() &&
        this.#setWalletStatus(mounted ? 'available' : 'unavailable', mounted?.methods),
      (error: unknown) =>
        console.error(
          `donation-form: Cannot load the wallet buttons for "${payment.provider}".`,
          error,
        ),
    );
  }

  async #mountButtons(
    { provider, options, hasCustomerPortal }: PaymentOffer,
    host: HTMLElement,
  ): Promise<WalletButtons | undefined> {
    const { mountWallets } = await (await findPaymentProvider(provider))(options);
    if (!mountWallets)
      throw new Error(
        `The payment provider "${provider}" has no mountWallets function, which hasWallets in the ` +
          'form definition requires.',
      );
    const { context, session } = this.#form;
    const charge = this.#charge;
    this.#displayedCharge = stringifyJson(charge);
    return mountWallets(host, {
      options,
      charge,
      organization: context!.definition.organization.name,
      details: getWalletDetails(context!.definition),
      ...(hasCustomerPortal && { manageUrl: getManageUrl(this.#form, provider) }),
      language: session!.language,
      openWallet: () => this.#startWalletPayment(),
      cancelWallet: () => this.cancelPayment(),
      approvePayment: (approval) => void this.#submitApprovedPayment(approval),
    });
  }

  updateButtons(): void {
    if (!this.#payment || !this.#buttons) return;
    const charge = this.#charge;
    const serialized = stringifyJson(charge);
    if (serialized === this.#displayedCharge) return;
    this.#displayedCharge = serialized;
    this.#buttons
      .then((buttons) => {
        if (this.#displayedCharge === serialized) buttons?.update(charge);
      })
      .catch(() => undefined);
  }

  removeButtons(): void {
    this.#observer?.disconnect();
    this.#buttons?.then((buttons) => buttons?.destroy()).catch(() => undefined);
    this.#buttons = undefined;
    this.#container?.remove();
    this.#container = undefined;
    this.#status = 'loading';
    this.#form.expressMethods = undefined;
    if (this.#openWallet && !this.#openWallet.isApproved) this.cancelPayment();
  }

  #setWalletStatus(status: WalletStatus, methods: readonly string[] = []): void {
    this.#status = status;
    void this.#form.update({ expressMethods: methods }).then(() => this.#updateReservedSpace());
  }

  /** Changes the space only below the viewport, so the visible part does not move. */
  #updateReservedSpace(): void {
    this.#observer?.disconnect();
    const isCollapsed = this.#status === 'unavailable';
    const section = this.#form.element.shadowRoot!.querySelector(
      this.#isCollapsed ? '[part=donor]' : '.wallets',
    );
    if (isCollapsed === this.#isCollapsed || this.#status === 'loading' || !section) return;
    this.#observer = new IntersectionObserver((entries) => {
      const { isIntersecting, boundingClientRect } = entries.at(-1)!;
      if (isIntersecting || boundingClientRect.top < 0) return;
      this.#observer?.disconnect();
      this.#isCollapsed = isCollapsed;
      void this.#form.update({});
    });
    this.#observer.observe(section);
  }

  /** Validates the donation and locks the form. Returns `undefined` if the wallet must not open. */
  #startWalletPayment(): WalletCharge | undefined {
    const form = this.#form;
    if (form.phase.name !== 'filling') return undefined;
    const details = getWalletDetails(form.context!.definition);
    const { dispatch } = this.#context;
    const problem = this.#submitter.findProblem(
      () => this.#totals,
      ({ control }) => !isWalletControl(control, details),
    );
    if (problem) dispatch(problem);
    if (problem || !this.#submitter.requestPermission(this.#totals!)) return undefined;
    this.#openWallet = {
      displayed: this.#serializeWalletDonation(),
      isApproved: false,
      timer: setTimeout(() => dispatch({ kind: 'offer-wallet-cancel' }), RESPONSE_TIME),
    };
    void form.update({
      phase: { name: 'sending' },
      progressMessage: this.#texts.confirmInWallet,
    });
    return this.#charge;
  }

  #serializeWalletDonation(): string {
    return stringifyJson([serializeDisplayedDonation(this.#form), this.#charge]);
  }

  cancelPayment(): void {
    if (!this.#openWallet || this.#openWallet.isApproved) return;
    this.#clearOpenWallet();
    void this.#form
      .update({ phase: { name: 'filling' }, progressMessage: '', notice: undefined })
      .then(() => this.#buttons)
      .then((buttons) => buttons?.focus());
  }

  #clearOpenWallet(): void {
    clearTimeout(this.#openWallet?.timer);
    this.#openWallet = undefined;
  }

  async #submitApprovedPayment(approval: WalletApproval): Promise<void> {
    const { dispatch } = this.#context;
    const wallet = this.#openWallet;
    if (!wallet || wallet.isApproved) return approval.fail();
    wallet.isApproved = true;
    clearTimeout(wallet.timer);
    void this.#form.update({ progressMessage: '', notice: undefined });
    const result = await this.#confirmPayment(wallet, approval);
    if ('payment' in result) return dispatch(await this.#submitter.send(result, true));
    approval.fail();
    dispatch(
      'kind' in result ? result : await this.#submitter.describePaymentProblem(result.problem),
    );
  }

  /** Returns a problem if the donation has changed, is invalid, or got no token. */
  async #confirmPayment(
    wallet: OpenWallet,
    approval: WalletApproval,
  ): Promise<DonationRequest | SubmissionInput | { readonly problem: PaymentProblem }> {
    const isUnchanged = wallet.displayed === this.#serializeWalletDonation();
    if (isUnchanged) await this.#fillInDonor(approval);
    this.#clearOpenWallet();
    const totals = this.#totals;
    if (!isUnchanged || !totals) return { kind: 'problem', notice: 'form-outdated' };
    const fieldErrors = this.#submitter.findErrors();
    if (fieldErrors.length > 0) return { kind: 'invalid-fields', fieldErrors };
    const request = this.#submitter.createRequest(this.#state, totals);
    const returnUrl = buildReturnUrl(new URL(location.href));
    const confirmation = await approval.createToken(returnUrl).catch((error: unknown) => {
      console.error('donation-form: The wallet did not create a token.', error);
      return { problem: 'failed' as const };
    });
    if ('problem' in confirmation) return confirmation;
    return {
      ...request,
      payment: {
        provider: this.#payment!.provider,
        ...confirmation,
        ...(returnUrl !== undefined && { returnUrl }),
      },
    };
  }

  async #fillInDonor({ donor }: WalletApproval): Promise<void> {
    const form = this.#form;
    const { definition } = form.context!;
    const values = getWalletValues(
      donor,
      definition,
      getWalletDetails(definition),
      form.state.donor,
      this.#submitter.findErrors().map(({ control }) => control),
    );
    const setValues = (donorValues: typeof values): Promise<boolean> => {
      form.applyEdits({ donor: { ...form.edits.donor, ...donorValues } });
      return form.element.updateComplete;
    };
    await setValues(values);
    const { address } = form.session!;
    if (address && values.country)
      await setValues({ state: await address.resolveStateCode(values) });
  }
}
