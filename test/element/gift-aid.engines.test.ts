import { expect } from '@open-wc/testing';
import { giftAidForm } from '../gift-aid-form.ts';
import { stubPayment } from './forms.ts';
import {
  clickControls,
  enterText,
  expectAccessible,
  getText,
  selectOption,
  submitForm,
  testPage,
} from './support.ts';

const SECTION = '.gift-aid';
const DECLARED = '[name="giftAid.declared"]';

describe('Gift Aid', () => {
  beforeEach(() => {
    testPage.definition = { ...giftAidForm, payments: [stubPayment] };
  });

  it('shows what the donation becomes, and is never selected in advance', async () => {
    const form = await testPage.showFilledForm();
    const checkbox = form.shadowRoot!.querySelector<HTMLInputElement>(DECLARED)!;
    expect(checkbox.checked).to.equal(false);
    expect(getText(form, '.gift-aid strong')).to.equal('£62.50');
    expect(getText(form, SECTION)).to.contain('your £50 becomes £62.50.');
    await clickControls(form, '[name=amount][value="0"]');
    expect(getText(form, SECTION)).to.contain('your £25 becomes £31.25.');
    await expectAccessible(form);
  });

  it('sends the declaration that the donor saw, after the home address in the UK is complete', async () => {
    const form = await testPage.showFilledForm();
    await clickControls(form, DECLARED);
    expect(getText(form, '[lang=en-GB]')).to.equal(giftAidForm.giftAid!.single);
    await submitForm(form);
    expect(getText(form, '#notice')).to.contain('Enter the name or number of your home.');
    expect(getText(form, '[id="giftAid.postcode-error"]')).to.contain('such as SW1A 1AA');
    await expectAccessible(form);
    enterText(form, '"giftAid.house"', 'Rose Cottage');
    enterText(form, '"giftAid.postcode"', 's192bd');
    await clickControls(form, '[name="giftAid.scope"][value=all]');
    expect(getText(form, '[lang=en-GB]')).to.equal(giftAidForm.giftAid!.all);
    await submitForm(form);
    expect(testPage.requests[0]?.giftAid).to.deep.equal({
      scope: 'all',
      text: giftAidForm.giftAid!.all,
      house: 'Rose Cottage',
      postcode: 'S19 2BD',
    });
  });

  it('thanks the donor for what the donation becomes, if the donor declared it', async () => {
    for (const isDeclared of [true, false]) {
      const form = await testPage.showFilledForm();
      if (isDeclared) {
        await clickControls(form, DECLARED);
        enterText(form, '"giftAid.house"', '12');
        enterText(form, '"giftAid.postcode"', 'S19 2BD');
      }
      await submitForm(form);
      const thanks = 'With Gift Aid, your £50 becomes £62.50 for Lanternwell.';
      expect(getText(form, '[part=thank-you]').includes(thanks)).to.equal(isDeclared);
    }
  });

  it('asks no donor of a monthly donation which payments the declaration covers', async () => {
    const form = await testPage.showFilledForm();
    await clickControls(form, '[name=frequency][value=monthly]', DECLARED);
    expect(form.shadowRoot!.querySelector('[name="giftAid.scope"]')).to.equal(null);
    expect(getText(form, '[lang=en-GB]')).to.equal(giftAidForm.giftAid!.all);
  });

  it('is offered only to people who give in pounds', async () => {
    const form = await testPage.showFilledForm();
    const isShown = (): boolean => form.shadowRoot!.querySelector(SECTION) !== null;
    await clickControls(form, '[name="organization.enabled"]');
    expect(isShown()).to.equal(false);
    await clickControls(form, '[name="organization.enabled"]');
    expect(isShown()).to.equal(true);
    await selectOption(form, '[name=currency]', 'USD');
    expect(isShown()).to.equal(false);
  });
});
