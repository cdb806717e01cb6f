import { expect } from '@open-wc/testing';
import { DonationFormElement } from '../../src/element/donation-form.ts';
import type { DonationFormErrorEvent, DonationFormSuccessEvent } from '../../src/element/events.ts';
import { exampleForm } from '../example-form.ts';
import { Stage, accessible, button, fill, inside, outcomeOf, press, problem, rest, succeeded, type, words } from './support.ts';

type Settings = Record<string, unknown>;
const pageSettings = (settings: Settings): void => { (window as unknown as { ServiceDonorsForms: { settings: Settings } }).ServiceDonorsForms = { settings }; };
const checked = (form: DonationFormElement, name: string): string | undefined => form.shadowRoot!.querySelector<HTMLInputElement>(`[name=${name}]:checked`)?.value;
const value = (form: DonationFormElement, name: string): string => inside(form, `[name=${name}]`).value;
const focused = (form: DonationFormElement): string | undefined => form.shadowRoot!.activeElement?.id;

describe('donation-form', () => {
  let stage: Stage;
  beforeEach(() => { stage = new Stage(); });
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
    stage.answers.push((request) => outcomeOf(request, 'declined', 'card-declined'), (request) => outcomeOf(request, 'checking'));
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
    const form = await stage.show('?amt=75&Frequency=monthly&FName=Ana&segmentcode=MAIL26&fund-code=WATER');
    expect([checked(form, 'amount'), checked(form, 'frequency'), value(form, 'firstName')]).to.deep.equal(['2', 'monthly', 'Ana']);
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
    type(form, 'customAmount', '5,00');
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
    expect(request?.gift).to.deep.equal({ amount: 5_000, costs: 181, total: 5_181, currency: 'USD', frequency: 'once', coverCosts: true, segment: 'MAIL26', projects: [{ id: '1', amount: 5_000 }] });
    expect(request?.donor).to.deep.equal({ firstName: 'Ana', lastName: 'Souza', email: 'ana@example.org' });
    expect(request?.payment.token).to.equal('tok_1');
    expect(request?.definition).to.equal('"1"');
    expect(request?.form.page).to.equal(location.origin + location.pathname);
    expect(words(form, '.sum')).to.equal('$51.81');
    expect(words(form, '.reference')).to.contain('7K4M9-QXD2P');
    expect(form.shadowRoot!.activeElement?.localName).to.equal('h2');
    expect(form.querySelector('[slot=payment]')).to.equal(null);
  });

  it('names each thing that is missing at its place, keeps the rest, and sends nothing', async () => {
    const form = await stage.show();
    type(form, 'firstName', 'Ana');
    type(form, 'email', 'ana@');
    type(form, 'customAmount', '1');
    await press(form);
    expect(words(form, '#amount-problem')).to.equal('The smallest gift here is $5.');
    expect(words(form, '#lastName-problem')).to.equal('Write your last name.');
    expect(words(form, '#email-problem')).to.contain('name@example.org');
    expect(inside(form, '#email-control').getAttribute('aria-describedby')).to.equal('email-problem');
    expect(inside(form, '#email-control').getAttribute('aria-invalid')).to.equal('true');
    expect(words(form, '[role=alert]')).to.equal('3 things are missing or need a correction.');
    expect(focused(form)).to.equal('amount-control');
    expect([value(form, 'firstName'), value(form, 'email'), stage.posted.length]).to.deep.equal(['Ana', 'ana@', 0]);
    type(form, 'email', 'ana@example.org');
    await form.updateComplete;
    expect(form.shadowRoot!.querySelector('#email-problem')).to.equal(null);
  });

  it('sends one gift however often the button is pressed', async () => {
    const form = await stage.show();
    fill(form);
    for (let presses = 0; presses < 20; presses += 1) button(form).click();
    inside(form, '[name=email]').form!.requestSubmit();
    await rest(form);
    expect(stage.posted.length).to.equal(1);
  });

  it('keeps everything after a declined card, and takes a new key for the next try', async () => {
    const form = await stage.show('?amt=75');
    fill(form);
    type(form, 'phone', '555 0100');
    stage.answers.push((request) => outcomeOf(request, 'declined', 'card-declined'));
    await press(form);
    expect(words(form, '#notice')).to.contain('Your bank declined this card. Nothing was charged.');
    expect(focused(form)).to.equal('notice');
    expect([checked(form, 'amount'), value(form, 'firstName'), value(form, 'phone')]).to.deep.equal(['2', 'Ana', '555 0100']);
    await press(form);
    expect(new Set(stage.posted.map(({ key }) => key)).size).to.equal(2);
    expect(words(form, 'h2')).to.equal('Thank you, Ana!');
  });

  it('keeps everything and the key when no answer comes', async () => {
    const form = await stage.show();
    fill(form);
    stage.answers.push('no answer', Response.json({}, { status: 502 }), problem(503, 'unavailable'));
    while (stage.answers.length > 0) {
      await press(form);
      expect(words(form, '#notice')).to.contain('We could not reach Lanternwell.');
      expect(value(form, 'email')).to.equal('ana@example.org');
    }
    await press(form);
    expect(stage.posted.length).to.equal(4);
    expect(new Set(stage.posted.map(({ key }) => key)).size).to.equal(1);
  });

  it('shows the earlier gift where the key already belongs to one', async () => {
    const form = await stage.show();
    fill(form);
    stage.answers.push('no answer', problem(422, 'idempotency-key-reused'));
    await press(form);
    const [{ request } = { request: undefined }] = stage.posted;
    stage.outcome = () => succeeded(request!);
    type(form, 'customAmount', '80');
    await press(form);
    expect(words(form, '.sum')).to.equal('$50');
  });

  it('asks first about a gift whose outcome was not known when the page was left', async () => {
    sessionStorage.setItem('donation-form https://give.test/main 1', 'a-key-of-an-earlier-page');
    let calls = 0;
    pageSettings({ onSuccess: () => { calls += 1; } });
    stage.outcome = () => Response.json({ reference: 'R', state: 'succeeded', gift: { amount: 5_000, costs: 0, total: 5_000, currency: 'USD', frequency: 'monthly' }, response: { success: true, projectSplit: [] } });
    const form = await stage.show();
    await rest(form);
    expect(words(form, 'h2')).to.equal('Thank you!');
    expect(words(form, '.sum')).to.equal('$50 every month');
    expect(calls).to.equal(1);
    expect(sessionStorage.getItem('donation-form https://give.test/main 1')).to.equal(null);
  });

  it('reuses the key of an earlier page where nothing was accepted under it', async () => {
    sessionStorage.setItem('donation-form https://give.test/main 1', 'a-key-of-an-earlier-page');
    const form = await stage.show();
    fill(form);
    await press(form);
    expect(stage.posted[0]?.key).to.equal('a-key-of-an-earlier-page');
  });

  it('says "do not give again" while the charge is not known, and shows the answer when it is', async function () {
    this.timeout(8_000);
    const form = await stage.show();
    fill(form);
    stage.answers.push((request) => outcomeOf(request, 'checking'));
    await press(form);
    expect(words(form, '.screen')).to.contain('Please do not give again').and.to.contain('7K4M9-QXD2P');
    stage.outcome = () => succeeded(stage.posted[0]!.request);
    for (let tries = 0; tries < 60 && words(form, 'h2') !== 'Thank you, Ana!'; tries += 1) await new Promise((resolve) => setTimeout(resolve, 100));
    expect(words(form, 'h2')).to.equal('Thank you, Ana!');
  });

  it('shows a changed form, keeps what was chosen, and asks again', async () => {
    const form = await stage.show('?amt=75');
    fill(form);
    stage.answers.push(problem(409, 'definition-changed'));
    const [usd, ...others] = exampleForm.currencies;
    stage.definition = { ...stage.definition, currencies: [{ ...usd, giftArray: [{ value: 9_000 }, { value: 7_500 }] }, ...others] };
    stage.etag = '"2"';
    await press(form);
    expect(words(form, '#notice')).to.contain('This form was changed');
    expect([checked(form, 'amount'), value(form, 'email')]).to.deep.equal(['1', 'ana@example.org']);
    await press(form);
    expect(stage.posted.map(({ request }) => [request.definition, request.gift.amount])).to.deep.equal([['"1"', 7_500], ['"2"', 7_500]]);
    expect(new Set(stage.posted.map(({ key }) => key)).size).to.equal(1);
  });

  it('leads to the card where its details are incomplete', async () => {
    const form = await stage.show();
    fill(form);
    stage.card = { type: 'incomplete' };
    await press(form);
    expect(words(form, '#notice')).to.equal('Check your card details above.');
    expect(stage.posted.length).to.equal(0);
    stage.card = { type: 'token', token: 'tok_2' };
    await press(form);
    expect(stage.posted.length).to.equal(1);
  });

  it('mounts the payment field in the light DOM', async () => {
    const form = await stage.show();
    for (let tries = 0; tries < 100 && !form.querySelector('iframe'); tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    const host = form.querySelector('iframe')?.parentElement;
    expect(host?.slot).to.equal('payment');
    expect(host?.parentElement).to.equal(form);
  });

  it('raises its events before it calls the page, each once', async () => {
    const heard: string[] = [];
    pageSettings({ onLoad: () => heard.push('onLoad'), onSuccess: ({ amount }: { amount: number }) => heard.push(`onSuccess ${amount}`) });
    document.addEventListener('donation-form-load', () => heard.push('load'), { once: true });
    document.addEventListener('donation-form-success', ({ reference, response }: DonationFormSuccessEvent) => heard.push(`success ${reference} ${response.amount}`), { once: true });
    const form = await stage.show();
    form.addEventListener('donation-form-submit', () => heard.push('submit'));
    fill(form);
    await press(form);
    expect(heard).to.deep.equal(['load', 'onLoad', 'submit', 'success 7K4M9-QXD2P 50', 'onSuccess 50']);
  });

  it('rule 52: a callback that throws or rejects leaves the gift alone', async () => {
    const failed: string[] = [];
    pageSettings({ onLoad: async () => { throw new Error('page'); }, onSuccess: () => { throw new Error('page'); } });
    const hear = ({ callback }: { callback: string }): void => { failed.push(callback); };
    document.addEventListener('donation-form-callback-error', hear);
    const form = await stage.show();
    fill(form);
    await press(form);
    document.removeEventListener('donation-form-callback-error', hear);
    expect(words(form, 'h2')).to.equal('Thank you, Ana!');
    expect(failed).to.deep.equal(['onLoad', 'onSuccess']);
  });

  it('sends nothing where the page cancels the submission', async () => {
    const form = await stage.show();
    form.addEventListener('donation-form-submit', (event) => event.preventDefault());
    fill(form);
    await press(form);
    expect(stage.posted.length).to.equal(0);
    expect(value(form, 'email')).to.equal('ana@example.org');
  });

  it('reports what went wrong by a stable code', async () => {
    const codes: string[] = [];
    const form = await stage.show();
    form.addEventListener('donation-form-error', ({ code }: DonationFormErrorEvent) => codes.push(code));
    await press(form);
    fill(form);
    stage.answers.push((request) => outcomeOf(request, 'declined', 'card-declined'), problem(422, 'total-mismatch'), 'no answer');
    await press(form);
    await press(form);
    expect(words(form, '#notice')).to.contain('giving@lanternwell.example');
    await press(form);
    expect(codes).to.deep.equal(['fields', 'card-declined', 'total-mismatch', 'no-answer']);
  });

  it('rule 60: shows what the page put into the element where the endpoint is down, and tries again', async () => {
    stage.isDown = true;
    const form = document.createElement('donation-form');
    form.endpoint = 'https://give.test';
    form.innerHTML = '<a href="https://example.org/give">Give another way</a>';
    document.body.append(form);
    await new Promise((resolve) => { form.addEventListener('donation-form-error', resolve, { once: true }); });
    await form.updateComplete;
    expect(form.querySelector('a')?.assignedSlot).to.not.equal(null);
    expect(form.querySelector('a')?.getBoundingClientRect().height).to.be.above(0);
    stage.isDown = false;
    inside(form, 'button').click();
    await new Promise((resolve) => { form.addEventListener('donation-form-load', resolve, { once: true }); });
    expect(words(form, 'button[type=submit]')).to.equal('Give $50');
    form.remove();
  });

  it('treats texts of the definition and of settings as text', async () => {
    const script = '<img src=x onerror="window.broken = true">';
    pageSettings({ giftInfo: { giftArrays: [{ value: '30', description: script, displayValue: script }] }, donorInfo: { firstName: script } });
    stage.definition = { ...stage.definition, projects: [{ id: '1', name: script }, { id: '2', name: script }], organization: { name: script, contact: script } };
    const form = await stage.show();
    fill(form);
    await press(form);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((window as { broken?: boolean }).broken).to.equal(undefined);
    expect(form.shadowRoot!.querySelector('img')).to.equal(null);
  });
});
