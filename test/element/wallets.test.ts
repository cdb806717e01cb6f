import { aTimeout, expect } from '@open-wc/testing';
import { enSubmission } from '../../src/core/i18n/en-submission.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import {
  type Confirmation,
  PaymentMethodType,
  registerPaymentProvider,
  type WalletButtonsOptions,
  type WalletCharge,
  type WalletDonor,
} from '../../src/donation-form/payment-fields/index.ts';
import { giftAidForm } from '../gift-aid-form.ts';
import { exampleForm } from './forms.ts';
import { collectConsoleErrors } from './stub-payment-provider.ts';
import {
  clickControls,
  createProblem,
  enterText,
  expectAccessible,
  fillDonor,
  findElement,
  getFocusedId,
  getText,
  getValue,
  setPageSettings,
  testPage,
  waitUntil,
  waitUntilIdle,
} from './support.ts';

const WALLET_DONOR: WalletDonor = { name: 'Bram Visser', email: 'bram@example.org' };

/** A provider whose wallet is controlled by the test. */
class StubWallet {
  options!: WalletButtonsOptions;
  readonly updates: WalletCharge[] = [];
  /** Number of calls of `fail`, with which the form reports that nothing is charged. */
  failures = 0;
  focusCount = 0;
  destroyCount = 0;
  isAvailable: boolean | Promise<boolean> = true;
  confirmation: Confirmation | Error = {
    token: 'tok_wallet',
    method: PaymentMethodType.Wallet,
  };

  openWallet(): WalletCharge | undefined {
    return this.options.openWallet();
  }

  approvePayment(donor: WalletDonor = WALLET_DONOR): void {
    this.options.approvePayment({
      donor,
      createToken: async () => {
        if (this.confirmation instanceof Error) throw this.confirmation;
        return this.confirmation;
      },
      fail: () => {
        this.failures += 1;
      },
    });
  }

  pay(donor?: WalletDonor): void {
    this.openWallet();
    this.approvePayment(donor);
  }
}

let wallet: StubWallet;
/** Numbers of times that the payment field was mounted and destroyed. */
let card: { mountCount: number; destroyCount: number };
registerPaymentProvider('stub-wallet', async () => ({
  mount: async () => {
    // A field of the previous test can be destroyed during the next one.
    const counts = card;
    counts.mountCount += 1;
    return {
      update: () => undefined,
      confirm: async () => ({ token: 'tok_card', method: PaymentMethodType.CreditCard }),
      handleNextAction: async () => undefined,
      focus: () => undefined,
      destroy: () => {
        counts.destroyCount += 1;
      },
    };
  },
  mountWallets: async (host, options) => {
    wallet.options = options;
    if (!(await wallet.isAvailable)) return undefined;
    host.append(Object.assign(document.createElement('button'), { textContent: 'Wallet' }));
    return {
      update: (charge) => wallet.updates.push(charge),
      focus: () => {
        wallet.focusCount += 1;
      },
      destroy: () => {
        wallet.destroyCount += 1;
      },
    };
  },
}));

const [usd, jpy] = exampleForm.currencies;
const createWalletForm = (changes: Partial<FormDefinition> = {}): FormDefinition => ({
  ...exampleForm,
  currencies: [
    {
      ...usd,
      feeCover: { basisPoints: 290, fixed: 30, methods: { 4: { basisPoints: 100, fixed: 0 } } },
    },
    jpy!,
  ],
  payments: [
    {
      provider: 'stub-wallet',
      methods: [0, 4],
      hasHostedCheckout: false,
      hasCustomerPortal: true,
      hasField: true,
      hasWallets: true,
      options: {},
    },
  ],
  ...changes,
});

describe('Wallets', () => {
  beforeEach(() => {
    wallet = new StubWallet();
    card = { mountCount: 0, destroyCount: 0 };
    testPage.definition = createWalletForm();
  });

  const showWalletForm = async (attributes = {}): Promise<DonationFormElement> => {
    const form = await testPage.showForm('', attributes);
    await waitUntil(() => form.shadowRoot!.querySelector('.wallets.available'));
    return form;
  };
  const holdAvailability = (): ((isAvailable: boolean) => void) => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    wallet.isAvailable = promise;
    return resolve;
  };
  const waitForThankYou = (form: DonationFormElement): Promise<void> =>
    waitUntil(() => form.shadowRoot!.querySelector('[part=thank-you]'));
  const donate = async (form: DonationFormElement, donor?: WalletDonor): Promise<void> => {
    wallet.pay(donor);
    await waitForThankYou(form);
  };

  it('makes a donation without any typing by the donor', async () => {
    const form = await showWalletForm();
    expect(wallet.options.details).to.deep.equal(['name', 'email']);
    expect(wallet.openWallet()?.total).to.equal(5_000);
    wallet.approvePayment({ ...WALLET_DONOR, name: 'Ana María  Souza ' });
    await waitForThankYou(form);
    const [request] = testPage.requests;
    expect(request?.donor).to.deep.equal({
      firstName: 'Ana María',
      lastName: 'Souza',
      email: 'bram@example.org',
    });
    expect(request?.payment).to.deep.equal({
      provider: 'stub-wallet',
      token: 'tok_wallet',
      method: 4,
      returnUrl: location.href,
    });
    expect([wallet.failures, wallet.destroyCount]).to.deep.equal([0, 1]);
  });

  it('opens only once the home for a Gift Aid declaration is complete, which a wallet cannot know', async () => {
    testPage.definition = createWalletForm({
      currencies: giftAidForm.currencies,
      giftAid: giftAidForm.giftAid,
    });
    const form = await showWalletForm();
    await clickControls(form, '[name="giftAid.declared"]');
    expect(wallet.openWallet()).to.equal(undefined);
    await form.updateComplete;
    expect(getText(form, '[id="giftAid.house-error"]')).to.contain('your home');
    enterText(form, '"giftAid.house"', '12');
    enterText(form, '"giftAid.postcode"', 'S19 2BD');
    await donate(form);
    const { giftAid, donor } = testPage.requests[0]!;
    expect([giftAid?.house, donor.lastName]).to.deep.equal(['12', 'Visser']);
  });

  it("has one total in the form, in the wallet, and in the request: with the wallet's own fee", async () => {
    const form = await showWalletForm({ 'cover-costs': '' });
    expect(getText(form, '[part=button]')).to.equal('Give $51.81');
    expect(getText(form, '.wallets .hint')).to.equal('Includes $0.51 to cover transaction fees.');
    expect(wallet.openWallet()).to.deep.equal({
      total: 5_051,
      currency: 'USD',
      decimals: 2,
      frequency: 'once',
      items: [
        { name: 'Where it is needed most', amount: 5_000 },
        { name: 'Transaction fees', amount: 51 },
      ],
    });
    wallet.approvePayment();
    await waitForThankYou(form);
    const { gift } = testPage.requests[0]!;
    expect([gift.amount, gift.coveredFees, gift.total]).to.deep.equal([5_000, 51, 5_051]);
  });

  it('updates the wallet when the donor changes the donation, and passes the URL for canceling it', async () => {
    const form = await showWalletForm();
    findElement(form, '[name=frequency][value=monthly]').click();
    findElement(form, '[name=amount][value="2"]').click();
    await waitUntil(() => wallet.updates.at(-1)?.total === 7_500);
    expect(wallet.updates.at(-1)!.frequency).to.equal('monthly');
    expect(wallet.options.manageUrl).to.equal(
      'https://give.test/manage?id=main&provider=stub-wallet',
    );
  });

  it('asks for the amount and the answers that a wallet cannot provide before it opens', async () => {
    testPage.definition = createWalletForm({
      currencies: [{ ...usd, giftArray: [{ value: 2_500 }] }],
      consents: [{ id: 'terms', text: 'You may keep my details.', required: true }],
      customFields: [{ id: '10', type: 7, label: 'Employer', formatter: 0, required: true }],
    });
    const form = await showWalletForm();
    expect(wallet.openWallet()).to.equal(undefined);
    await waitUntil(() => getFocusedId(form) === 'notice');
    const problems = [...form.shadowRoot!.querySelectorAll('#notice li')];
    expect(problems.map(({ textContent }) => textContent.trim())).to.deep.equal([
      'Choose or enter an amount.',
      '“Employer” is required.',
      'Please check this box to continue.',
    ]);
    findElement(form, '[name=amount][value="0"]').click();
    enterText(form, 'custom\\.10', 'Lanternwell');
    await clickControls(form, '[name="consent.terms"]');
    expect(wallet.openWallet()?.total).to.equal(2_500);
    wallet.approvePayment();
    await waitForThankYou(form);
    const { customFields, consents } = testPage.requests[0]!;
    expect([customFields, consents?.[0]?.given]).to.deep.equal([
      [{ id: '10', value: 'Lanternwell' }],
      true,
    ]);
  });

  it('keeps what the donor has entered correctly, and replaces what is incomplete', async () => {
    const form = await showWalletForm();
    fillDonor(form);
    enterText(form, 'email', 'ana@');
    await donate(form);
    expect(testPage.requests[0]!.donor).to.deep.equal({
      firstName: 'Ana',
      lastName: 'Souza',
      email: 'bram@example.org',
    });
  });

  it('requests phone and address only if the form requires them, and writes the state as a code', async () => {
    const address = ['address1', 'address2', 'city', 'state', 'postal', 'country'] as const;
    testPage.definition = createWalletForm({
      donorFields: (['firstName', 'lastName', 'email', 'phone', ...address] as const).map(
        (name) => ({ name, required: name !== 'address2' }),
      ),
    });
    const form = await showWalletForm();
    expect(wallet.options.details).to.deep.equal(['name', 'email', 'phone', 'address']);
    await donate(form, {
      ...WALLET_DONOR,
      phone: '+1 888 555 0100',
      address: {
        line1: '1 Main St',
        city: 'Albany',
        state: 'new york',
        postal: '12207',
        country: 'US',
      },
    });
    expect(testPage.requests[0]!.donor).to.deep.equal({
      firstName: 'Bram',
      lastName: 'Visser',
      email: 'bram@example.org',
      phone: '+1 888 555 0100',
      address1: '1 Main St',
      city: 'Albany',
      state: 'NY',
      postal: '12207',
      country: 'US',
    });
  });

  it('charges nothing if the wallet lacks a detail, and asks for it in the form', async () => {
    const form = await showWalletForm();
    wallet.pay({ name: 'Madonna', email: 'bram@example.org' });
    await waitUntil(() => getFocusedId(form) === 'notice');
    expect([wallet.failures, testPage.postedDonations.length]).to.deep.equal([1, 0]);
    expect(getText(form, '#notice li')).to.equal('Enter your last name.');
    expect([getValue(form, 'firstName'), getValue(form, 'email')]).to.deep.equal([
      'Madonna',
      'bram@example.org',
    ]);
    enterText(form, 'lastName', 'Ciccone');
    await form.updateComplete;
    await donate(form, { name: 'Madonna', email: 'bram@example.org' });
    expect(testPage.requests[0]!.donor.lastName).to.equal('Ciccone');
  });

  it('locks the form while the wallet is open, and unlocks it when the wallet is closed', async () => {
    const form = await showWalletForm();
    wallet.openWallet();
    await form.updateComplete;
    expect(findElement(form, '.sections').inert).to.equal(true);
    expect(getText(form, '[part=button]')).to.equal('Confirm this donation in your wallet');
    form.amount = '75';
    setPageSettings({ giftInfo: { amount: 25 } });
    await form.updateComplete;
    form.refresh();
    await form.updateComplete;
    expect(getText(form, '.summary')).to.contain('$50');
    expect(wallet.updates.filter(({ total }) => total !== 5_000)).to.deep.equal([]);
    delete window.ServiceDonorsForms;
    wallet.options.cancelWallet();
    await waitUntil(() => wallet.focusCount === 1);
    expect([
      findElement(form, '.sections').inert,
      form.shadowRoot!.querySelector('#notice'),
    ]).to.deep.equal([false, null]);
    wallet.approvePayment();
    expect([wallet.failures, testPage.postedDonations.length]).to.deep.equal([1, 0]);
  });

  it('charges nothing if a script changes the donation while the wallet is open', async () => {
    const form = await showWalletForm();
    wallet.openWallet();
    await form.updateComplete;
    await clickControls(form, '[name=amount][value="2"]');
    wallet.approvePayment();
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(getText(form, '#notice')).to.contain("You haven't been charged. This form was updated");
    expect([wallet.failures, testPage.postedDonations.length]).to.deep.equal([1, 0]);
  });

  it('asks again if the page changed the donation before the wallet opens', async () => {
    const form = await showWalletForm();
    setPageSettings({ giftInfo: { amount: 25 } });
    expect(wallet.openWallet()).to.equal(undefined);
    delete window.ServiceDonorsForms;
    await waitUntil(() => getFocusedId(form) === 'notice');
    expect(getText(form, '#notice')).to.contain('This page updated your donation.');
  });

  it('opens with values that autofill entered without an event, and keeps them', async () => {
    const form = await showWalletForm();
    findElement(form, '[name=firstName]').value = 'Ana';
    findElement(form, '[name=lastName]').value = 'Souza';
    expect(wallet.openWallet()?.total).to.equal(5_000);
    wallet.approvePayment();
    await waitForThankYou(form);
    expect(testPage.requests[0]?.donor).to.deep.equal({
      firstName: 'Ana',
      lastName: 'Souza',
      email: 'bram@example.org',
    });
  });

  it('opens one wallet at a time, and makes one donation of several approvals', async () => {
    const form = await showWalletForm();
    expect([wallet.openWallet()?.total, wallet.openWallet(), wallet.openWallet()]).to.deep.equal([
      5_000,
      undefined,
      undefined,
    ]);
    wallet.approvePayment();
    wallet.approvePayment();
    wallet.options.cancelWallet();
    await waitForThankYou(form);
    expect([testPage.postedDonations.length, wallet.failures]).to.deep.equal([1, 1]);
  });

  it('lets the page cancel the donation before the wallet opens', async () => {
    const form = await showWalletForm();
    let total: number | undefined;
    form.addEventListener('donation-form-submit', (event) => {
      ({ total } = event.gift);
      event.preventDefault();
    });
    await clickControls(form, '#cover-costs');
    expect([wallet.openWallet(), total]).to.deep.equal([undefined, 5_051]);
  });

  it('tells the wallet that the payment failed before it looks for a network', async () => {
    const form = await showWalletForm();
    wallet.confirmation = { problem: 'failed' };
    wallet.openWallet();
    testPage.setOffline(true);
    const sendRequest = window.fetch.bind(window);
    const failures: number[] = [];
    window.fetch = (...request) => {
      failures.push(wallet.failures);
      return sendRequest(...request);
    };
    wallet.approvePayment();
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(failures[0]).to.equal(1);
  });

  it('returns to the form if the wallet creates no token or the donation is declined', async () => {
    const form = await showWalletForm();
    enterText(form, 'phone', '555 0100');
    const isUnlocked = (): boolean => !findElement(form, '.sections').inert;
    wallet.confirmation = { problem: 'failed' };
    wallet.pay();
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(getText(form, '#notice')).to.contain("You haven't been charged.");
    wallet.confirmation = new Error('gone');
    wallet.openWallet();
    const errors = await collectConsoleErrors(async () => {
      wallet.approvePayment();
      await waitUntil(() => wallet.failures === 2);
      await waitUntil(isUnlocked);
    });
    expect(errors).to.contain('gone');
    expect([wallet.failures, testPage.postedDonations.length]).to.deep.equal([2, 0]);
    wallet.confirmation = { token: 'tok_2', method: PaymentMethodType.Wallet };
    testPage.queueOutcome('failed', 'card-declined');
    wallet.pay();
    // There is no notice while the donation is sent.
    const { notices, tryOtherPayment } = enSubmission;
    await waitUntil(() =>
      form.shadowRoot!.querySelector('#notice')?.textContent.includes(notices['card-declined']),
    );
    expect(getText(form, '#notice')).to.contain(tryOtherPayment);
    // The field was not used, so its input stays.
    expect([card.mountCount, card.destroyCount]).to.deep.equal([1, 0]);
    expect(getValue(form, 'phone')).to.equal('555 0100');
    await donate(form);
    expect([testPage.requests.length, testPage.keyCount]).to.deep.equal([2, 2]);
  });

  it('shows the new form if the form is outdated, and charges nothing', async () => {
    const form = await showWalletForm();
    testPage.responses.push(createProblem(409, 'form-outdated'));
    testPage.definition = createWalletForm({
      currencies: [{ ...usd, giftArray: [{ value: 6_000, isDefault: true }] }],
    });
    wallet.pay();
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(getText(form, '#notice')).to.contain('This form was updated.');
    expect(getText(form, '[part=button]')).to.equal('Give $60');
  });

  it('offers to return to the form if the wallet does not report that it was closed', async () => {
    const timers = testPage.holdTimers();
    const form = await showWalletForm();
    wallet.openWallet();
    await form.updateComplete;
    timers.runTimers(6_000);
    await waitUntil(() => form.shadowRoot!.querySelector('#notice button'));
    findElement(form, '#notice button').click();
    await waitUntilIdle(form);
    expect(findElement(form, '.sections').inert).to.equal(false);
    wallet.approvePayment();
    expect(wallet.failures).to.equal(1);
  });

  it('charges nothing if the form was removed while the wallet was open', async () => {
    const form = await showWalletForm();
    const { parentNode } = form;
    wallet.openWallet();
    form.remove();
    wallet.approvePayment();
    expect([wallet.failures, wallet.destroyCount]).to.deep.equal([1, 1]);
    parentNode!.append(form);
    await waitUntil(() => form.shadowRoot!.querySelector('.wallets.available'));
    expect(findElement(form, '.sections').inert).to.equal(false);
    expect(wallet.openWallet()?.total).to.equal(5_000);
  });

  it('reserves the same space before, while, and after the buttons load', async () => {
    const resolve = holdAvailability();
    const form = await testPage.showForm();
    const getHeight = (): number => findElement(form, '.wallets').offsetHeight;
    const heights = [getHeight()];
    await waitUntil(() => form.shadowRoot!.querySelector('.wallets.loading'));
    heights.push(getHeight());
    resolve(true);
    await waitUntil(() => form.shadowRoot!.querySelector('.wallets.available'));
    heights.push(getHeight());
    expect(new Set(heights).size).to.equal(1, heights.join());
    expect(heights[0]).to.be.greaterThan(100);
  });

  it('removes the space of unavailable buttons only below the viewport', async () => {
    const resolve = holdAvailability();
    const above = document.createElement('div');
    const form = await testPage.showForm();
    await waitUntil(() => form.shadowRoot!.querySelector('.wallets'));
    findElement(form, '.wallets').scrollIntoView();
    resolve(false);
    await waitUntil(() => form.shadowRoot!.querySelector('.wallets.unavailable'));
    await aTimeout(100);
    expect(findElement(form, '.wallets').offsetHeight).to.be.greaterThan(100);
    above.style.height = '5000px';
    form.parentElement!.before(above);
    scrollTo(0, 0);
    await waitUntil(() => !form.shadowRoot!.querySelector('.wallets'));
    above.remove();
  });

  it('shows slow buttons later, if that moves nothing that the donor sees', async () => {
    const timers = testPage.holdTimers();
    const resolve = holdAvailability();
    const above = document.createElement('div');
    above.style.height = `${innerHeight}px`;
    document.body.prepend(above);
    scrollTo(0, 0);
    const form = await testPage.showForm();
    await waitUntil(() => wallet.options);
    await aTimeout(20);
    timers.runTimers(6_000);
    await waitUntil(() => !form.shadowRoot!.querySelector('.wallets'));
    resolve(true);
    await waitUntil(() => form.shadowRoot!.querySelector('.wallets.available'));
    above.remove();
  });

  it('shows no buttons in a shadow root or without wallets, and reserves no space there', async () => {
    const root = document.createElement('div');
    document.body.append(root);
    testPage.container = root.attachShadow({ mode: 'open' });
    let form!: DonationFormElement;
    await collectConsoleErrors(async () => {
      form = await testPage.showForm();
    });
    expect(form.shadowRoot!.querySelector('.wallets')).to.equal(null);
    root.remove();
    testPage.container = undefined;
    testPage.definition = createWalletForm({
      payments: [{ ...createWalletForm().payments[0], hasWallets: false }],
    });
    form = await testPage.showForm();
    expect(form.shadowRoot!.querySelector('.wallets')).to.equal(null);
  });

  it('logs a provider without wallet buttons, and the donor pays another way', async () => {
    const { promise: scrolled, resolve } = Promise.withResolvers<undefined>();
    registerPaymentProvider('no-wallet', async () => {
      await scrolled;
      return { mount: () => new Promise<never>(() => undefined) };
    });
    testPage.definition = createWalletForm({
      payments: [{ ...createWalletForm().payments[0], provider: 'no-wallet' }],
    });
    const errors = await collectConsoleErrors(async () => {
      const form = await testPage.showForm();
      await waitUntil(() => form.shadowRoot!.querySelector('.wallets'));
      // Below the viewport, unavailable buttons would disappear.
      findElement(form, '.wallets').scrollIntoView();
      resolve(undefined);
      await waitUntil(() => form.shadowRoot!.querySelector('.wallets.unavailable'));
    });
    expect(errors).to.contain(
      'The payment provider "no-wallet" has no mountWallets function, which hasWallets in the form definition requires.',
    );
  });

  it('groups the buttons under an accessible name that says what they do', async () => {
    const form = await showWalletForm();
    const group = findElement(form, '.wallets');
    expect([group.localName, getText(form, '.wallets > legend')]).to.deep.equal([
      'fieldset',
      'Express checkout',
    ]);
    await expectAccessible(form);
  });
});
