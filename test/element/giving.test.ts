import { expect } from '@open-wc/testing';
import { exampleForm } from '../example-form.ts';
import { Stage, checked, fill, inside, press, problem, type, value, words } from './support.ts';

describe('donation-form, while a donor gives', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });
  afterEach(() => stage.end());

  it('shows the values of a campaign link', async () => {
    const form = await stage.show(
      '?amt=75&Frequency=monthly&FName=Ana&segmentcode=MAIL26&fund-code=WATER',
    );
    expect([
      checked(form, 'amount'),
      checked(form, 'frequency'),
      value(form, 'firstName'),
    ]).to.deep.equal(['2', 'monthly', 'Ana']);
    expect(words(form, '.purpose')).to.equal('Your gift is for Village wells');
    expect(words(form, 'button[type=submit]')).to.equal('Give $75 every month');
  });

  it('lets the button say what will be charged', async () => {
    const form = await stage.show();
    expect(words(form, 'button[type=submit]')).to.equal('Give $50');
    inside(form, '[name=coverCosts]').click();
    await form.updateComplete;
    expect(words(form, 'button[type=submit]')).to.equal('Give $51.81');
    inside(form, '[name=frequency][value=annually], [name=frequency]:last-of-type').click();
    type(form, 'customAmount', '1,000');
    await form.updateComplete;
    expect(checked(form, 'amount')).to.equal('custom');
    expect(words(form, 'button[type=submit]')).to.contain('Give $1,030.18');
    type(form, 'customAmount', '1.000');
    await form.updateComplete;
    expect(words(form, 'button[type=submit]')).to.equal('Give');
  });

  it('shows a changed form, keeps what was chosen, and asks again', async () => {
    const form = await stage.show('?amt=75');
    fill(form);
    stage.answers.push(problem(409, 'form-outdated'));
    const [usd, ...others] = exampleForm.currencies;
    stage.definition = {
      ...stage.definition,
      currencies: [{ ...usd, giftArray: [{ value: 9_000 }, { value: 7_500 }] }, ...others],
    };
    stage.etag = '"2"';
    await press(form);
    expect(words(form, '#notice')).to.contain('This form was changed');
    expect([checked(form, 'amount'), value(form, 'email')]).to.deep.equal(['1', 'ana@example.org']);
    await press(form);
    expect(
      stage.posted.map(({ request }) => [request.definition, request.gift.amount]),
    ).to.deep.equal([
      ['"1"', 7_500],
      ['"2"', 7_500],
    ]);
    expect(new Set(stage.posted.map(({ key }) => key)).size).to.equal(1);
  });

  it('keeps the chosen project where a changed form lists it elsewhere', async () => {
    const form = await stage.show();
    fill(form);
    const select = inside(form, '#project');
    select.value = '2';
    select.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    stage.answers.push(problem(409, 'form-outdated'));
    stage.definition = {
      ...stage.definition,
      projects: [
        { id: '2', name: 'Village wells' },
        { id: '3', name: 'River watch' },
        { id: '1', name: 'Where it is needed most' },
      ],
    };
    await press(form);
    await press(form);
    expect(stage.posted.map(({ request }) => request.gift.projects[0]?.id)).to.deep.equal([
      '2',
      '2',
    ]);
  });
});
