import { expect } from '@open-wc/testing';
import { IMPACT_DRAWINGS } from '../../src/core/donation/impact-drawing.ts';
import { exampleForm } from './forms.ts';
import {
  clickControls,
  createProblem,
  enterText,
  findElement,
  getButtonText,
  getCheckedValue,
  getText,
  getValue,
  submitForm,
  testPage,
  waitForPaymentField,
  waitUntil,
} from './support.ts';

describe('making a donation', () => {
  it('shows the values of a campaign link', async () => {
    const form = await testPage.showForm(
      '?amt=75&Frequency=monthly&FName=Ana&segmentcode=MAIL26&fund-code=WATER',
    );
    expect([
      getCheckedValue(form, 'amount'),
      getCheckedValue(form, 'frequency'),
      getValue(form, 'firstName'),
    ]).to.deep.equal(['2', 'monthly', 'Ana']);
    expect(getText(form, '.fixed-project')).to.equal('Your donation supports Village wells');
    expect(getButtonText(form)).to.equal('Give $75 a month');
  });

  it('shows the drawing that the organization chose beside the impact, or a heart', async () => {
    const drawings: string[] = [];
    const [usd] = exampleForm.currencies;
    for (const drawing of [undefined, ...IMPACT_DRAWINGS]) {
      const giftArray = [{ value: 5_000, description: 'A water test', drawing, isDefault: true }];
      testPage.definition = { ...exampleForm, currencies: [{ ...usd, giftArray }] };
      const form = await testPage.showForm();
      await waitUntil(() => form.shadowRoot!.querySelector('.impact svg'));
      drawings.push(findElement(form, '.impact svg').innerHTML.replace(/<!--.*?-->/g, ''));
    }
    const [heart, ...named] = drawings;
    expect([named.indexOf(heart!), new Set(named).size]).to.deep.equal([0, IMPACT_DRAWINGS.length]);
  });

  it('shows the total on the button', async () => {
    const form = await testPage.showForm();
    expect(getButtonText(form)).to.equal('Give $50');
    await waitForPaymentField(form);
    await clickControls(form, '[name=coverCosts]');
    expect(getButtonText(form)).to.equal('Give $51.81');
    findElement(form, '[name=frequency][value=annually], [name=frequency]:last-of-type').click();
    enterText(form, 'customAmount', '1,000');
    await form.updateComplete;
    expect(getCheckedValue(form, 'amount')).to.equal('custom');
    expect(getButtonText(form)).to.contain('Give $1,030.18');
    enterText(form, 'customAmount', '1.000');
    await form.updateComplete;
    expect(getButtonText(form)).to.equal('Give');
  });

  it('shows a changed definition, keeps the selection, and asks for confirmation', async () => {
    const form = await testPage.showFilledForm('?amt=75');
    testPage.responses.push(createProblem(409, 'form-outdated'));
    const [usd, ...others] = exampleForm.currencies;
    testPage.definition = {
      ...testPage.definition,
      currencies: [{ ...usd, giftArray: [{ value: 9_000 }, { value: 7_500 }] }, ...others],
    };
    testPage.etag = '"2"';
    await submitForm(form);
    expect(getText(form, '#notice')).to.contain('This form was updated');
    expect([getCheckedValue(form, 'amount'), getValue(form, 'email')]).to.deep.equal([
      '1',
      'ana@example.org',
    ]);
    await submitForm(form);
    expect(
      testPage.requests.map((request) => [request.definition, request.gift.amount]),
    ).to.deep.equal([
      ['"1"', 7_500],
      ['"2"', 7_500],
    ]);
    expect(testPage.keyCount).to.equal(1);
  });

  it('keeps the selected project if a changed definition lists it elsewhere', async () => {
    const form = await testPage.showFilledForm();
    const select = findElement(form, '#project');
    select.value = '2';
    select.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    testPage.responses.push(createProblem(409, 'form-outdated'));
    testPage.definition = {
      ...testPage.definition,
      projects: [
        { id: '2', name: 'Village wells' },
        { id: '3', name: 'River watch' },
        { id: '1', name: 'Where it is needed most' },
      ],
    };
    await submitForm(form);
    await submitForm(form);
    expect(testPage.requests.map((request) => request.gift.projects[0]?.id)).to.deep.equal([
      '2',
      '2',
    ]);
  });
});
