import { expect } from '@open-wc/testing';
import { exampleForm } from '../example-form.ts';
import {
  Stage,
  accessible,
  checked,
  fill,
  focused,
  inside,
  outcomeOf,
  press,
  problem,
  ready,
  type,
  value,
  words,
} from './support.ts';

describe('donation-form, while a donor gives', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });
  afterEach(() => stage.end());

  it('passes axe as it is shown, and with every message at its place', async () => {
    const form = await stage.show();
    await accessible(form);
    await press(form);
    await accessible(form);
  });

  it('passes axe after a declined card, and while a gift is checked', async () => {
    const form = await stage.show();
    fill(form);
    stage.answers.push(
      (request) => outcomeOf(request, 'declined', 'card-declined'),
      (request) => outcomeOf(request, 'checking'),
    );
    await press(form);
    await accessible(form);
    await press(form);
    expect(words(form, 'h2')).to.equal('We are checking your gift');
    await accessible(form);
  });

  it('passes axe when it thanks', async () => {
    const form = await stage.show();
    fill(form);
    await press(form);
    expect(words(form, 'h2')).to.equal('Thank you, Ana!');
    await accessible(form);
  });

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

  it('posts what is shown, with a key, and thanks', async () => {
    const form = await stage.show('?segmentcode=MAIL26');
    fill(form);
    inside(form, '[name=coverCosts]').click();
    await press(form);
    const [{ key, request } = { key: '', request: undefined }] = stage.posted;
    expect(key).to.match(/^[\w-]{24}$/);
    expect(request?.gift).to.deep.equal({
      amount: 5_000,
      costs: 181,
      total: 5_181,
      currency: 'USD',
      frequency: 'once',
      coverCosts: true,
      segment: 'MAIL26',
      projects: [{ id: '1', amount: 5_000 }],
    });
    expect(request?.donor).to.deep.equal({
      firstName: 'Ana',
      lastName: 'Souza',
      email: 'ana@example.org',
    });
    expect(request?.payment.token).to.equal('tok_1');
    expect(request?.definition).to.equal('"1"');
    expect(request?.form.page).to.equal(location.origin + location.pathname);
    expect(words(form, '.sum')).to.equal('$51.81');
    expect(words(form, '.reference')).to.contain('7K4M9-QXD2P');
    expect(form.shadowRoot!.activeElement?.localName).to.equal('h2');
    expect(form.querySelector('[slot=payment]')).to.equal(null);
  });

  it('names each thing that is missing at its place, keeps the rest and sends nothing', async () => {
    const form = await stage.show();
    type(form, 'firstName', 'Ana');
    type(form, 'email', 'ana@');
    type(form, 'customAmount', '1');
    await press(form);
    expect(words(form, '#amount-problem')).to.equal('The smallest gift here is $5.');
    expect(words(form, '#lastName-problem')).to.equal('Write your last name.');
    expect(words(form, '#email-problem')).to.contain('name@example.org');
    expect(inside(form, '#email-control').getAttribute('aria-describedby')).to.equal(
      'email-problem',
    );
    expect(inside(form, '#email-control').getAttribute('aria-invalid')).to.equal('true');
    expect(words(form, '[role=alert]')).to.contain('3 things are missing or need a correction.');
    expect(focused(form)).to.equal('notice');
    inside(form, '#notice li:nth-child(2) button').click();
    expect(focused(form)).to.equal('lastName-control');
    expect([value(form, 'firstName'), value(form, 'email'), stage.posted.length]).to.deep.equal([
      'Ana',
      'ana@',
      0,
    ]);
    type(form, 'email', 'ana@example.org');
    await form.updateComplete;
    expect(form.shadowRoot!.querySelector('#email-problem')).to.equal(null);
  });

  it('keeps everything after a declined card, and takes a new key for the next try', async () => {
    const form = await stage.show('?amt=75');
    fill(form);
    type(form, 'phone', '555 0100');
    stage.answers.push((request) => outcomeOf(request, 'declined', 'card-declined'));
    await press(form);
    expect(words(form, '#notice')).to.contain('Your bank declined this card. Nothing was charged.');
    expect(focused(form)).to.equal('notice');
    expect([checked(form, 'amount'), value(form, 'firstName'), value(form, 'phone')]).to.deep.equal(
      ['2', 'Ana', '555 0100'],
    );
    await press(form);
    expect(new Set(stage.posted.map(({ key }) => key)).size).to.equal(2);
    expect(words(form, 'h2')).to.equal('Thank you, Ana!');
  });

  it('shows a changed form, keeps what was chosen, and asks again', async () => {
    const form = await stage.show('?amt=75');
    fill(form);
    stage.answers.push(problem(409, 'definition-changed'));
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

  it('leads to the card where its details are incomplete', async () => {
    const form = await stage.show();
    fill(form);
    stage.card = { type: 'incomplete' };
    await press(form);
    expect(words(form, '#notice')).to.contain('Check your payment details above.');
    expect(stage.posted.length).to.equal(0);
    stage.card = { type: 'token', token: 'tok_2' };
    await press(form);
    expect(stage.posted.length).to.equal(1);
  });

  it('keeps the chosen project where a changed form lists it elsewhere', async () => {
    const form = await stage.show();
    fill(form);
    const select = inside(form, '#project');
    select.value = '2';
    select.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    stage.answers.push(problem(409, 'definition-changed'));
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

  it('flags an e-mail address that cannot be one when the donor leaves it, and says what is wrong now', async () => {
    const form = await stage.show();
    await press(form);
    expect(words(form, '#email-problem')).to.equal('Write your e-mail address.');
    type(form, 'email', 'ana');
    await form.updateComplete;
    expect(words(form, '#email-problem')).to.contain('name@example.org');
    const other = await stage.show('?email=ana');
    await ready(other);
    inside(other, '[name=email]').dispatchEvent(
      new FocusEvent('focusout', { bubbles: true, composed: true }),
    );
    await other.updateComplete;
    expect(words(other, '#email-problem')).to.contain('name@example.org');
  });
});
