import { expect } from '@open-wc/testing';
import type { DonateResponse } from '../../src/core/schemas/donation-outcome.ts';
import { getNextCharge } from '../../src/donation-form/thank-you/next-charge.ts';
import { exampleForm } from './forms.ts';
import {
  createProblem,
  enterText,
  fillDonor,
  findElement,
  getText,
  getValue,
  setPageSettings,
  submitForm,
  testPage,
  waitUntil,
} from './support.ts';

describe('screens after submission', () => {
  it('shows a processing donation and dispatches processing instead of success', async () => {
    const calls: string[] = [];
    setPageSettings({ onSuccess: () => calls.push('onSuccess') });
    const form = await testPage.showForm();
    for (const name of ['donation-form-processing', 'donation-form-success'] as const)
      form.addEventListener(name, ({ type, reference }) => calls.push(`${type} ${reference}`));
    fillDonor(form);
    testPage.queueOutcome('processing');
    await submitForm(form);
    expect([getText(form, 'h2'), getText(form, '.total'), getText(form, '.reference')].join(' '))
      .to.contain('Your donation is on its way')
      .and.to.contain('$50')
      .and.to.contain('7K4M9-QXD2P');
    await waitUntil(() => calls.length > 0);
    expect(calls).to.deep.equal(['donation-form-processing 7K4M9-QXD2P']);
  });

  it('offers no printing in browsers that cannot print', async () => {
    const print = Object.getOwnPropertyDescriptor(window, 'print')!;
    Reflect.deleteProperty(window, 'print');
    const form = await testPage.showFilledForm();
    await submitForm(form);
    Object.defineProperty(window, 'print', print);
    expect(
      [...form.shadowRoot!.querySelectorAll('#receipt button')].map((button) =>
        button.textContent.trim(),
      ),
    ).to.deep.equal(['Share', 'Copy']);
  });

  it('turns the spinner into a tick without changing the button, then shows the thank-you', async () => {
    const form = await testPage.showFilledForm();
    const button = findElement(form, '[part=button]');
    const states: [string, number][] = [['label', button.offsetWidth]];
    let heading: string | undefined;
    const observer = new MutationObserver(() => {
      const spinner = button.querySelector('.spinner');
      if (!spinner) return;
      heading ??= form.shadowRoot!.querySelector('h2')?.textContent;
      const name = spinner.classList.contains('tick') ? 'tick' : 'spinner';
      states.push([name, button.offsetWidth]);
    });
    observer.observe(button, { subtree: true, childList: true, attributeFilter: ['class'] });
    testPage.queueOutcome('succeeded');
    await submitForm(form);
    observer.disconnect();
    const width = states[0]![1];
    expect(states).to.deep.equal([
      ['label', width],
      ['spinner', width],
      ['tick', width],
    ]);
    expect(heading).to.equal(undefined);
    expect(getText(form, 'h2')).to.contain('Thank you');
  });

  it('rules 51 and 61: calls onSuccess for an accepted bank debit, which is processing', async () => {
    const calls: string[] = [];
    setPageSettings({
      onSuccess: ({ success, amount }: DonateResponse) =>
        calls.push(`onSuccess ${success} ${amount}`),
    });
    const form = await testPage.showForm();
    form.addEventListener('donation-form-processing', ({ awaiting }) =>
      calls.push(`processing ${awaiting}`),
    );
    form.addEventListener('donation-form-success', ({ response }) =>
      calls.push(`success ${response.success}`),
    );
    fillDonor(form);
    testPage.queueOutcome('processing', undefined, { awaiting: 'bank' });
    await submitForm(form);
    await waitUntil(() => calls.length === 3);
    expect(getText(form, 'h2')).to.equal('Your donation is on its way');
    expect(calls).to.deep.equal(['processing bank', 'success true', 'onSuccess true 50']);
  });

  it('rule 62: gives each listener and onSuccess their own copy of the response', async () => {
    const amounts: number[] = [];
    const changeResponse = (response: DonateResponse): void => {
      amounts.push(response.amount);
      response.amount = 9;
      response.projectSplit.length = 0;
    };
    setPageSettings({ onSuccess: changeResponse });
    const form = await testPage.showForm();
    form.addEventListener('donation-form-success', ({ response }) => changeResponse(response));
    form.addEventListener('donation-form-success', ({ response, gift }) => {
      changeResponse(response);
      amounts.push(gift.total);
      (gift as { total: number }).total = 9;
    });
    form.addEventListener('donation-form-success', ({ gift }) => amounts.push(gift.total));
    fillDonor(form);
    await submitForm(form);
    await waitUntil(() => amounts.length === 5);
    expect(amounts).to.deep.equal([50, 50, 5_000, 5_000, 50]);
    expect(getText(form, '[part=thank-you]')).to.contain('Village wells');
  });

  it('rule 58: shows when to retry after too many requests, and keeps the input and the key', async () => {
    const form = await testPage.showFilledForm();
    testPage.responses.push(createProblem(429, 'too-many-requests', { 'Retry-After': '600' }));
    const retryTime = new Date(Date.now() + 600_000);
    const formatTime = (minutes: number): string =>
      new Date(retryTime.getTime() + minutes * 60_000).toLocaleTimeString('en', {
        timeStyle: 'short',
      });
    await submitForm(form);
    expect(
      [formatTime(0), formatTime(1)].some((word) =>
        getText(form, '#notice').includes(`after ${word}`),
      ),
      getText(form, '#notice'),
    ).to.equal(true);
    expect([getValue(form, 'email'), testPage.postedDonations.length]).to.deep.equal([
      'ana@example.org',
      1,
    ]);
    await submitForm(form);
    expect(testPage.keyCount).to.equal(1);
  });

  it('shows that the donor is offline', async () => {
    const form = await testPage.showFilledForm();
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    testPage.responses.push('network error');
    await submitForm(form);
    Reflect.deleteProperty(navigator, 'onLine');
    expect(getText(form, '#notice')).to.contain("You're offline");
    await submitForm(form);
    expect([getText(form, 'h2'), testPage.keyCount]).to.deep.equal(['Thank you, Ana!', 1]);
  });

  it('shows who sends the receipt, and promises none to a donor without an email', async () => {
    for (const [receiptSender, email, message] of [
      ['platform', 'ana@example.org', 'Lanternwell will email you a receipt'],
      ['processor', 'ana@example.org', 'The payment provider will email you a receipt'],
      ['none', 'ana@example.org', 'Save or print this page for your records'],
      ['us', 'ana@example.org', 'Lanternwell will email you a receipt as soon as your payment'],
      ['platform', '', 'Save or print this page for your records'],
      ['us', '', 'Save or print this page for your records'],
    ] as const) {
      testPage.definition = {
        ...testPage.definition,
        receiptSender,
        donorFields: [{ name: 'email', required: false }],
      };
      const form = await testPage.showForm();
      enterText(form, 'email', email);
      await submitForm(form);
      expect(getText(form, '[part=thank-you]')).to.contain(message);
    }
  });

  it("thanks the donor in the organization's words, with the gift's impact", async () => {
    const texts = {
      thanksForImpact: 'Now {organization} can send: {impact}',
      thanksMessage: '{organization} is grateful.',
    };
    for (const [search, thanks, ownTexts = {}] of [
      ['?amt=50', 'Your donation to Lanternwell makes this possible: A water test'],
      ['?amt=60', undefined],
      ['?amt=60', 'Lanternwell is grateful.', texts],
      ['?amt=50', 'Now Lanternwell can send: A water test', texts],
    ] as const) {
      testPage.definition = { ...exampleForm, texts: ownTexts };
      const form = await testPage.showFilledForm(search);
      await submitForm(form);
      expect(getText(form, '[part=thank-you]')).to.contain('Your donation supports Village wells');
      expect(form.shadowRoot!.querySelector('.thanks')?.textContent).to.equal(thanks);
      if (thanks) expect(getComputedStyle(findElement(form, '.thanks')).fontSize).to.equal('18px');
    }
  });

  it('shows the date and total of the next charge', async () => {
    for (const [frequency, first, next] of [
      ['once', '2026-11-20', undefined],
      ['weekly', '2026-12-28', '2027-01-04'],
      ['everyOtherWeek', '2026-11-20', '2026-12-04'],
      ['monthly', '2026-12-20', '2027-01-20'],
      ['quarterly', '2026-11-30', undefined],
      ['biannual', '2026-01-31', '2026-07-31'],
      ['annually', '2026-02-28', '2027-02-28'],
      ['annually', '2028-02-29', undefined],
    ] as const)
      expect(
        getNextCharge(frequency, new Date(`${first}T09:30:00`))?.toLocaleDateString('sv'),
        `${frequency} from ${first}`,
      ).to.equal(next);
    const form = await testPage.showFilledForm('?frequency=annually');
    await submitForm(form);
    expect(getText(form, '.details')).to.contain(
      `Next charge: $50 on ${new Date().toLocaleDateString('en', { month: 'long' })}`,
    );
  });

  /** Splits a donation between two projects, and returns the projects on the thank-you screen. */
  async function donateToTwoProjects(projectName: string): Promise<HTMLElement[]> {
    const form = await testPage.showFilledForm();
    testPage.queueOutcome('succeeded', undefined, {
      response: {
        success: true,
        message: null,
        transactionId: 'ch_1',
        amount: 50,
        projectSplit: [
          { projectId: '1', projectName, amount: '16.67' },
          { projectId: '2', projectName: 'Rivers', amount: '33.33' },
        ],
      },
    });
    await submitForm(form);
    return [...form.shadowRoot!.querySelectorAll<HTMLElement>('.parts li')];
  }

  it('lists the projects of a split donation with their amounts', async () => {
    expect(
      (await donateToTwoProjects('Wells')).map(({ textContent }) => textContent),
    ).to.deep.equal(['Wells $16.67', 'Rivers $33.33']);
  });

  it("shows a project's amount after its name, even if the name is right-to-left", async () => {
    const [part] = await donateToTwoProjects('آبار');
    const amount = document.createRange();
    amount.selectNode(part!.lastChild!);
    expect(amount.getBoundingClientRect().left).to.be.above(
      part!.querySelector('strong')!.getBoundingClientRect().left,
    );
  });

  it("shares the page's URL without its parameters", async () => {
    const form = await testPage.showFilledForm('?email=ana@example.org&src=MAIL26');
    await submitForm(form);
    const shared: unknown[] = [];
    Object.defineProperty(navigator, 'share', {
      value: (data: unknown) => {
        shared.push(data);
        return Promise.resolve();
      },
      configurable: true,
    });
    findElement(form, '.share').click();
    await waitUntil(() => shared.length > 0);
    Reflect.deleteProperty(navigator, 'share');
    expect(shared).to.deep.equal([
      {
        text: 'I gave to Lanternwell. Will you join me?',
        url: location.origin + location.pathname,
      },
    ]);
  });

  it('ignores an invalid success-url with a warning and shows the thank-you screen', async () => {
    const form = await testPage.showForm('', { 'success-url': 'javascript:alert(1)' });
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (text: string) => {
      warnings.push(text);
    };
    fillDonor(form);
    await submitForm(form);
    await waitUntil(() => warnings.length > 0);
    console.warn = warn;
    expect([getText(form, 'h2'), warnings.length]).to.deep.equal(['Thank you, Ana!', 1]);
  });

  it("links recurring donors to the provider's customer portal", async () => {
    const findLink = async (
      frequency: string,
      hasCustomerPortal: boolean,
    ): Promise<HTMLAnchorElement | null> => {
      testPage.definition = {
        ...exampleForm,
        id: 'a&b',
        payments: [{ ...exampleForm.payments[0], hasCustomerPortal }],
      };
      const form = await testPage.showFilledForm(`?frequency=${frequency}`);
      await submitForm(form);
      return form.shadowRoot!.querySelector('[part=thank-you] a');
    };
    const link = await findLink('monthly', true);
    expect([link?.textContent, link?.href, link?.target, link?.rel]).to.deep.equal([
      'Manage your recurring donation',
      'https://give.test/manage?id=a%26b&provider=stub',
      '_blank',
      'noopener',
    ]);
    expect([await findLink('monthly', false), await findLink('once', true)]).to.deep.equal([
      null,
      null,
    ]);
  });

  it("does not mention a processor's receipt for an offline payment", async () => {
    testPage.definition = { ...exampleForm, receiptSender: 'processor' };
    const form = await testPage.showFilledForm();
    testPage.queueOutcome('processing', undefined, { instructions: 'Send it.' });
    await submitForm(form);
    expect(getText(form, '[part=thank-you]')).to.contain('Send it.').and.not.to.contain('receipt');
  });
});
