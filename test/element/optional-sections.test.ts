import { expect } from '@open-wc/testing';
import { DONATION_FREQUENCIES } from '../../src/core/donation/frequency.ts';
import { ADDRESS_FIELDS } from '../../src/core/donor/address.ts';
import { exampleForm } from './forms.ts';
import { formWithAllSections } from './optional-sections-support.ts';
import {
  clickControls,
  createProblem,
  enterText,
  fillDonor,
  findElement,
  getButtonText,
  getCheckedValue,
  getText,
  getValue,
  selectCountry,
  selectOption,
  setPageSettings,
  submitForm,
  testPage,
  waitForPaymentField,
  waitUntil,
} from './support.ts';

describe('optional sections', () => {
  beforeEach(() => {
    testPage.definition = formWithAllSections;
  });

  it('rule 36: splits a donation between projects and submits parts that add up to it', async () => {
    const form = await testPage.showFilledForm();
    await selectOption(form, '[name="custom.14"]', 'tv');
    await clickControls(form, '[name="consent.terms"]', '[name="split.enabled"]');
    await submitForm(form);
    expect(getText(form, '#notice')).to.contain('Choose at least one project.');
    for (const id of ['1', '2', '3'])
      await clickControls(form, `[name="split.projects"][value="${id}"]`);
    enterText(form, '"split.amount.2"', '20');
    await form.updateComplete;
    expect(
      [...form.shadowRoot!.querySelectorAll('.part .hint')].map((hint) => hint.textContent),
    ).to.deep.equal(['$15', '$15']);
    enterText(form, '"split.amount.1"', '40');
    await submitForm(form);
    expect(getText(form, '[id="split.projects-error"]')).to.contain(
      'The amounts add up to $60, but your donation is $50.',
    );
    enterText(form, '"split.amount.1"', '10');
    await submitForm(form);
    expect(testPage.requests[0]?.gift.projects).to.deep.equal([
      { id: '1', amount: 1_000 },
      { id: '2', amount: 2_000 },
      { id: '3', amount: 2_000 },
    ]);
  });

  it('promises to send the message of a tribute only if the server sends mail', async () => {
    for (const [sendsTributeMail, hint] of [
      [true, 'Lanternwell will email them your message, but not the amount.'],
      [undefined, 'Lanternwell can pass your message on to them.'],
    ] as const) {
      testPage.definition = { ...formWithAllSections, sendsTributeMail };
      const form = await testPage.showForm();
      await clickControls(form, '[name="tribute.kind"][value=honor]');
      expect(getText(form, '[id="tribute.notify-hint"]')).to.contain(hint);
    }
  });

  it('shows three of many frequencies, one of them selected, and the others after a press', async () => {
    testPage.definition = { ...formWithAllSections, frequencies: [...DONATION_FREQUENCIES] };
    setPageSettings({ giftInfo: { frequency: 'annually' } });
    const form = await testPage.showForm();
    const listFrequencies = (): string[] =>
      [...form.shadowRoot!.querySelectorAll<HTMLInputElement>('[name=frequency]')].map(
        ({ value }) => value,
      );
    expect(listFrequencies()).to.deep.equal(['once', 'weekly', 'annually']);
    await clickControls(form, '[name=frequency][value=once]');
    expect(listFrequencies()).to.deep.equal(['once', 'weekly', 'annually']);
    await clickControls(form, '.segments button');
    expect(listFrequencies()).to.deep.equal([...DONATION_FREQUENCIES]);
    await waitUntil(() => form.shadowRoot!.activeElement !== null);
    expect([
      (form.shadowRoot!.activeElement as HTMLInputElement).value,
      getCheckedValue(form, 'frequency'),
    ]).to.deep.equal(['everyOtherWeek', 'once']);
  });

  it('suggests a monthly donation to one-time donors until they accept it', async () => {
    const form = await testPage.showForm();
    expect(getText(form, '.upsell button')).to.equal('Yes, give $15 a month');
    await clickControls(form, '.upsell button');
    expect([
      getCheckedValue(form, 'frequency'),
      getCheckedValue(form, 'amount'),
      getButtonText(form),
    ]).to.deep.equal(['monthly', '1', 'Give $15 a month']);
    expect(getText(form, '.upsell')).to.contain('Your donation is now $15 a month.');
    expect(form.shadowRoot!.querySelector('.upsell button')).to.equal(null);
  });

  it('suggests a described monthly amount with what it does', async () => {
    const [usd] = testPage.definition.currencies;
    const monthly = [{ value: 500 }, { value: 1_000, description: 'Soap for a class, all year' }];
    testPage.definition = {
      ...testPage.definition,
      currencies: [{ ...usd, giftArrays: { monthly } }],
    };
    const form = await testPage.showForm();
    expect([getText(form, '.upsell p'), getText(form, '.upsell button')]).to.deep.equal([
      'What $10 a month does: Soap for a class, all year',
      'Yes, give $10 a month',
    ]);
    await clickControls(form, '.upsell button');
    expect(getText(form, '.impact .selected')).to.equal('Soap for a class, all year');
  });

  it('announces the monthly suggestion once, not at each change of the amount', async () => {
    const form = await testPage.showForm();
    expect(findElement(form, '.upsell').ariaLive).to.equal('polite');
    for (const index of [2, 1]) {
      await clickControls(form, `[name=amount][value="${index}"]`);
      expect(findElement(form, '.upsell').ariaLive).to.equal('off');
    }
  });

  it('shows the progress of a project with a goal', async () => {
    const form = await testPage.showForm();
    expect(form.shadowRoot!.querySelector('progress')).to.equal(null);
    await selectOption(form, '#project', '2');
    expect([
      getText(form, '.goal'),
      findElement(form, 'progress').getAttribute('value'),
    ]).to.deep.equal(['$12,000 of $50,000 raised', '1200000']);
  });

  it('keeps all other input when the suggestion is accepted', async () => {
    const form = await testPage.showFilledForm();
    await waitForPaymentField(form);
    await selectOption(form, '#project', '2');
    await clickControls(form, '[name=coverCosts]', '.upsell button');
    expect([
      getValue(form, 'firstName'),
      getValue(form, 'project'),
      findElement(form, '[name=coverCosts]').checked,
    ]).to.deep.equal(['Ana', '2', true]);
  });

  it('keeps the selected currency and amount if the definition changes', async () => {
    testPage.definition = exampleForm;
    const form = await testPage.showFilledForm();
    await selectOption(form, '#currency', 'JPY');
    enterText(form, 'customAmount', '4000');
    testPage.responses.push(createProblem(409, 'form-outdated'));
    testPage.etag = '"2"';
    await submitForm(form);
    expect(getButtonText(form)).to.equal('Give ¥4,000');
    await submitForm(form);
    expect(testPage.requests.map(({ gift }) => [gift.currency, gift.amount])).to.deep.equal([
      ['JPY', 4_000],
      ['JPY', 4_000],
    ]);
  });

  it('removes no field while a changed definition loads', async () => {
    const fields = [...ADDRESS_FIELDS, 'country' as const];
    testPage.definition = {
      ...formWithAllSections,
      donorFields: [
        ...formWithAllSections.donorFields.filter(
          ({ name }) => !fields.some((own) => own === name),
        ),
        ...fields.map((name) => ({ name, required: false })),
      ],
    };
    const form = await testPage.showFilledForm();
    await selectCountry(form, 'US');
    await selectOption(form, '[name=state]', 'NY');
    await selectOption(form, '[name="custom.14"]', 'tv');
    await clickControls(form, '[name="consent.terms"]');
    const removed: string[] = [];
    const observer = new MutationObserver((records) => {
      for (const { removedNodes } of records)
        for (const node of removedNodes)
          if (node instanceof Element && node.matches('option, :has([name])'))
            removed.push(node.outerHTML);
    });
    observer.observe(form.shadowRoot!, { subtree: true, childList: true });
    testPage.responses.push(createProblem(409, 'form-outdated'));
    testPage.etag = '"2"';
    await submitForm(form);
    observer.disconnect();
    expect(getText(form, '#notice')).to.contain('This form was updated');
    expect(removed).to.deep.equal([]);
    expect([getValue(form, 'state'), getValue(form, '"custom.14"')]).to.deep.equal(['NY', 'tv']);
  });

  it('rule 39: replaces a split by a late project setting only after the donor has seen it', async () => {
    const form = await testPage.showFilledForm();
    await selectOption(form, '[name="custom.14"]', 'tv');
    await clickControls(form, '[name="consent.terms"]', '[name="split.enabled"]');
    for (const id of ['1', '2'])
      await clickControls(form, `[name="split.projects"][value="${id}"]`);
    setPageSettings({ giftInfo: { projectCodeOverride: 'GENERAL' } });
    await submitForm(form);
    expect([
      testPage.postedDonations.length,
      getText(form, '#notice').includes('This page updated your donation'),
    ]).to.deep.equal([0, true]);
  });

  it('uses the text overrides of the definition', async () => {
    testPage.definition = {
      ...exampleForm,
      texts: {
        donor: 'Your details',
        'fields.firstName': 'Given name',
        'required.firstName': 'Please tell us your given name.',
        give: 'Donate {amount}',
      },
    };
    const form = await testPage.showForm();
    expect([
      getText(form, '[part=donor] legend'),
      getText(form, '[for=firstName-control]'),
      getButtonText(form),
    ]).to.deep.equal(['Your details', 'Given name', 'Donate $50']);
    await submitForm(form);
    expect(getText(form, '#firstName-error')).to.equal('Please tell us your given name.');
  });

  it('dispatches every change of the donation without personal data', async () => {
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    const changes: unknown[] = [];
    form.addEventListener('donation-form-change', ({ gift }) => changes.push(gift));
    await clickControls(form, '[name=frequency][value=annually]');
    enterText(form, 'firstName', 'Ana');
    await clickControls(form, '[name=amount][value="2"]', '[name=coverCosts]');
    expect(changes).to.deep.equal([
      {
        amount: 5_000,
        coveredFees: 0,
        total: 5_000,
        currency: 'USD',
        decimals: 2,
        frequency: 'annually',
        projectId: '1',
      },
      {
        amount: 7_500,
        coveredFees: 0,
        total: 7_500,
        currency: 'USD',
        decimals: 2,
        frequency: 'annually',
        projectId: '1',
      },
      {
        amount: 7_500,
        coveredFees: 255,
        total: 7_755,
        currency: 'USD',
        decimals: 2,
        frequency: 'annually',
        projectId: '1',
      },
    ]);
  });

  it('resets to its settings before and after a donation', async () => {
    testPage.definition = exampleForm;
    const form = await testPage.showForm('?fname=Ana');
    enterText(form, 'lastName', 'Souza');
    enterText(form, 'customAmount', '33');
    await submitForm(form);
    form.reset();
    await form.updateComplete;
    expect([
      getValue(form, 'firstName'),
      getValue(form, 'lastName'),
      getCheckedValue(form, 'amount'),
      form.shadowRoot!.querySelector('#notice'),
    ]).to.deep.equal(['Ana', '', '1', null]);
    fillDonor(form);
    await submitForm(form);
    expect(getText(form, 'h2')).to.equal('Thank you, Ana!');
    form.reset();
    await waitUntil(() => form.querySelector('[slot=payment]'));
    fillDonor(form);
    await submitForm(form);
    expect(testPage.keyCount).to.equal(2);
  });
});
