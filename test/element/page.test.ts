import { aTimeout, expect, oneEvent } from '@open-wc/testing';
import {
  createOutcome,
  createProblem,
  enterText,
  fillDonor,
  getButtonText,
  getText,
  getValue,
  setPageSettings,
  submitForm,
  testPage,
  waitForPaymentField,
  waitUntil,
} from './support.ts';

describe('page integration', () => {
  it('sends the amount that the page sets during the submit event', async () => {
    const form = await testPage.showFilledForm();
    form.addEventListener('donation-form-submit', () => {
      setPageSettings({ giftInfo: { amount: 75 } });
      form.refresh();
    });
    await submitForm(form);
    expect(testPage.requests.map((request) => request.gift.amount)).to.deep.equal([7_500]);
  });

  it('dispatches errors with stable codes', async () => {
    const errors = testPage.recordEvents('donation-form-error');
    const form = await testPage.showForm();
    await submitForm(form);
    fillDonor(form);
    testPage.responses.push(
      (request) => createOutcome(request, 'failed', 'card-declined'),
      createProblem(422, 'total-mismatch'),
      'network error',
    );
    await submitForm(form);
    await submitForm(form);
    expect(getText(form, '#notice')).to.contain('giving@lanternwell.example');
    await submitForm(form);
    expect(errors.map(({ code }) => code)).to.deep.equal([
      'fields',
      'card-declined',
      'total-mismatch',
      'network-error',
    ]);
  });

  it('rule 38: submits hidden values that the page sets late', async () => {
    const form = await testPage.showFilledForm();
    setPageSettings({ giftInfo: { segmentOverrideCode: 'LATE' } });
    await submitForm(form);
    expect(testPage.requests[0]?.gift.segment).to.equal('LATE');
  });

  it('rule 39: shows late settings that change the displayed donation and asks for confirmation', async () => {
    const form = await testPage.showFilledForm();
    setPageSettings({ giftInfo: { amount: 75, frequency: 'monthly' } });
    await submitForm(form);
    expect(getText(form, '#notice')).to.contain('This page updated your donation');
    expect([getButtonText(form), testPage.postedDonations.length]).to.deep.equal([
      'Give $75 a month',
      0,
    ]);
    await submitForm(form);
    expect(testPage.requests[0]?.gift.total).to.equal(7_500);
  });

  it("rule 40: prefers the donor's input to a late setting", async () => {
    const form = await testPage.showFilledForm();
    enterText(form, 'customAmount', '33');
    setPageSettings({ giftInfo: { amount: 75 }, donorInfo: { firstName: 'Maria' } });
    await submitForm(form);
    expect(
      testPage.requests.map((request) => [request.gift.amount, request.donor.firstName]),
    ).to.deep.equal([[3_300, 'Ana']]);
  });

  it('handles no events of fields that the page adds to its slots', async () => {
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    // A suggestion would appear without waiting for this module.
    await import('../../src/donation-form/submission/email-suggestion.ts');
    const newsletter = document.createElement('form');
    newsletter.innerHTML =
      '<div class="field"><input type="email" name="email"></div><input name="company">';
    const email = newsletter.querySelector('input')!;
    const pressEnter = (): boolean =>
      email.dispatchEvent(
        new KeyboardEvent('keydown', {
          key: 'Enter',
          bubbles: true,
          cancelable: true,
          composed: true,
        }),
      );
    const expectUntouchedField = async (slot: string): Promise<void> => {
      newsletter.slot = slot;
      form.append(newsletter);
      email.focus();
      email.value = 'ana@gmial.com';
      expect([document.activeElement === email, email.enterKeyHint, pressEnter()]).to.deep.equal([
        true,
        '',
        true,
      ]);
      email.blur();
      await aTimeout(60);
      expect([
        newsletter.querySelector('.suggestion'),
        form.shadowRoot!.querySelector('[aria-invalid=true]'),
      ]).to.deep.equal([null, null]);
    };
    await expectUntouchedField('payment');
    fillDonor(form);
    await submitForm(form);
    await waitUntil(() => form.shadowRoot!.querySelector('[part=thank-you]'));
    await expectUntouchedField('thank-you');
  });

  it('loads another form when form-id changes', async () => {
    const form = await testPage.showForm();
    testPage.definition = {
      ...testPage.definition,
      id: 'second',
      projects: [{ id: '9', name: 'Only this' }],
    };
    form.formId = 'second';
    await oneEvent(form, 'donation-form-load');
    fillDonor(form);
    await submitForm(form);
    expect(testPage.requests[0]?.form.id).to.equal('second');
  });

  it('explains the origin of each setting, and which values were overridden or ignored', async () => {
    setPageSettings({
      giftInfo: { amount: 75, frequency: 'monthly', projectCodeOverride: 'WATTER' },
      donorInfo: { firstName: 'Ana' },
    });
    Object.assign(window.ServiceDonorsForms!.settings!, { giftinfo: {}, onSucces: () => 0 });
    const form = await testPage.showForm(
      '?amt=25&Amount=1&ammount=5&utm_source=mail&FName=*|FNAME|*',
    );
    const explanation = await form.explain();
    const findSetting = (name: string) =>
      explanation?.settings.find(({ setting }) => setting === name);
    expect(findSetting('amount')).to.deep.equal({
      setting: 'amount',
      applied: { source: 'url', name: 'amt', value: '25' },
      overridden: [{ source: 'global', name: 'giftInfo.amount', value: 75 }],
      ignored: [{ source: 'url', name: 'Amount', value: '1', reason: 'out-of-range' }],
    });
    expect(findSetting('frequency')?.applied?.name).to.equal('giftInfo.frequency');
    expect(findSetting('firstName')?.applied?.value).to.equal('Ana');
    expect(findSetting('projectOverride')).to.deep.equal({
      setting: 'projectOverride',
      overridden: [],
      ignored: [
        {
          source: 'global',
          name: 'giftInfo.projectCodeOverride',
          value: 'WATTER',
          reason: 'not-offered',
        },
      ],
    });
    expect(findSetting('firstName')?.ignored).to.deep.equal([
      { source: 'url', name: 'FName', value: '*|FNAME|*', reason: 'merge-tag' },
    ]);
    expect(explanation?.unrecognized).to.deep.equal([
      { source: 'url', name: 'ammount', reason: 'unknown', suggestion: 'amount' },
      { source: 'global', name: 'giftinfo', reason: 'unknown', suggestion: 'giftInfo' },
      { source: 'global', name: 'onSucces', reason: 'unknown', suggestion: 'onSuccess' },
    ]);
  });

  it("rule 14: refresh() reads late settings and keeps the donor's input", async () => {
    const form = await testPage.showForm();
    enterText(form, 'firstName', 'Ana');
    setPageSettings({
      giftInfo: { amount: 75, frequency: 'annually' },
      donorInfo: { firstName: 'Maria', lastName: 'Souza' },
    });
    form.refresh();
    await form.updateComplete;
    expect(getButtonText(form)).to.equal('Give $75 a year');
    expect([getValue(form, 'firstName'), getValue(form, 'lastName')]).to.deep.equal([
      'Ana',
      'Souza',
    ]);
  });
});
