import { expect } from '@open-wc/testing';
import {
  Stage,
  checked,
  fill,
  focused,
  inside,
  outcomeOf,
  press,
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
