import { expect, waitUntil } from '@open-wc/testing';
import type { FormDefinition, PaymentOffer } from '../../src/contract/form-definition.ts';
import type { DonationFormElement } from '../../src/element/donation-form.ts';
import { exampleForm } from '../example-form.ts';
import { StandIn, errorsOf } from './stand-in.ts';
import {
  Stage,
  accessible,
  checked,
  fill,
  inside,
  outcomeOf,
  press,
  problem,
  ready,
  type,
  words,
} from './support.ts';

const sandbox = exampleForm.payments[0];
const own: PaymentOffer = {
  provider: 'own',
  methods: [1],
  hasHostedPage: false,
  canManage: false,
  options: { key: 'k' },
};
const offline: PaymentOffer = {
  provider: 'offline',
  label: 'Bank transfer',
  methods: [],
  hasHostedPage: false,
  canManage: false,
  options: { instructions: 'Send it to:\n<b>DE00 1234</b> https://example.org' },
};
const paidBy = (...payments: FormDefinition['payments']): FormDefinition => ({
  ...exampleForm,
  payments,
});
const choose = async (form: DonationFormElement, provider: string): Promise<void> => {
  inside(form, `[name="payment.provider"][value=${provider}]`).click();
  await form.updateComplete;
};
const hint = (form: DonationFormElement): boolean =>
  form.shadowRoot!.querySelector('.hosted') !== null &&
  inside(form, '.hosted').getClientRects().length > 0;

describe('donation-form, where the donor pays', () => {
  let stage: Stage;
  let provider: StandIn;
  beforeEach(() => {
    stage = new Stage();
    provider = new StandIn('own');
  });
  afterEach(() => stage.end());

  it("offers the sandbox's ways by what the definition says, and sends how it was paid", async () => {
    stage.definition = paidBy({ ...sandbox, methods: [0, 1] });
    stage.card = { type: 'token', token: 'tok_bank', method: 'bank' };
    const form = await stage.show();
    fill(form);
    await press(form);
    expect(stage.offered).to.deep.equal(['card', 'bank']);
    expect(stage.posted[0]?.request.payment).to.deep.equal({
      provider: 'sandbox',
      token: 'tok_bank',
      method: 1,
      returnUrl: location.href,
    });
    stage.definition = paidBy({ ...sandbox, methods: [0, 1], options: { methods: 'bank' } });
    await ready(await stage.show());
    await waitUntil(() => stage.offered?.length === 1);
    expect(stage.offered).to.deep.equal(['bank']);
  });

  it('mounts a provider that the page has registered, and tells it of the gift, of every change, and of who pays', async () => {
    stage.definition = paidBy(own);
    const form = await stage.show();
    await ready(form);
    await waitUntil(() => provider.hosts.length > 0);
    const { options, methods, gift, organization, asked, label, language } = provider.mounted[0]!;
    expect({ options, methods, gift, organization, asked, label, language }).to.deep.equal({
      options: { key: 'k' },
      methods: [1],
      gift: { total: 5_000, currency: 'USD', decimals: 2, frequency: 'once' },
      organization: 'Lanternwell',
      asked: ['name', 'email'],
      label: 'Payment',
      language: 'en',
    });
    type(form, 'customAmount', '80');
    await form.updateComplete;
    inside(form, '[name=frequency][value=monthly]').click();
    await form.updateComplete;
    type(form, 'firstName', 'Ana');
    type(form, 'customAmount', '');
    await form.updateComplete;
    expect(provider.updates.map(({ total, frequency }) => `${total} ${frequency}`)).to.deep.equal([
      '8000 once',
      '8000 monthly',
      '500 monthly',
    ]);
    type(form, 'customAmount', '80');
    fill(form);
    await press(form);
    expect(provider.payers).to.deep.equal([
      { name: 'Ana Souza', email: 'ana@example.org', returnUrl: location.href },
    ]);
    expect(stage.posted[0]?.request.payment).to.deep.equal({
      provider: 'own',
      token: 'tok_own',
      method: 1,
      returnUrl: location.href,
    });
    expect(provider.destroyed).to.equal(1);
  });

  it('says on the console which provider is not known, what is, and what to do', async () => {
    stage.definition = paidBy({ ...own, provider: 'nobody' });
    let form: DonationFormElement;
    const said = await errorsOf(async () => {
      form = await stage.show();
      await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    });
    expect(said)
      .to.contain('"nobody"')
      .and.to.contain('sandbox, stripe, own')
      .and.to.contain("registerPaymentProvider('nobody'");
    expect(words(form!, '#notice')).to.contain('The payment field could not be loaded.');
  });

  it("lets the donor choose among several ways, each by its label or the form's own word, and keeps what is entered in each", async () => {
    stage.definition = paidBy(
      own,
      { ...sandbox, label: 'Credit card' },
      { ...offline, label: undefined! },
    );
    const form = await stage.show();
    await ready(form);
    expect(
      [...form.shadowRoot!.querySelectorAll('.ways label')].map((label) =>
        label.textContent.trim(),
      ),
    ).to.deep.equal(['Bank account', 'Credit card', 'Other ways']);
    expect(checked(form, '"payment.provider"')).to.equal('own');
    await waitUntil(() => provider.hosts.length > 0);
    const [host] = provider.hosts;
    await choose(form, 'sandbox');
    await waitUntil(() => form.querySelector('[slot=payment] iframe'));
    expect([host!.isConnected, host!.getClientRects().length]).to.deep.equal([true, 0]);
    await choose(form, 'own');
    expect([provider.mounted.length, host!.slot, host!.getClientRects().length > 0]).to.deep.equal([
      1,
      'payment',
      true,
    ]);
    fill(form);
    await press(form);
    expect(stage.posted[0]?.request.payment.provider).to.equal('own');
  });

  it('passes axe with several ways, and leads through them with the arrow keys as through any radios', async () => {
    stage.definition = paidBy(sandbox, offline);
    const form = await stage.show();
    await ready(form);
    await accessible(form);
    await choose(form, 'offline');
    await accessible(form);
    const [one, other] = form.shadowRoot!.querySelectorAll<HTMLInputElement>(
      '[name="payment.provider"]',
    );
    expect([
      one!.type,
      one!.name === other!.name,
      one!.closest('fieldset')!.querySelector('legend')!.textContent,
    ]).to.deep.equal(['radio', true, 'How you pay']);
  });

  it('keeps the chosen way over a declined card and a changed form, and falls back where it is no longer one', async () => {
    stage.definition = paidBy(sandbox, own);
    const form = await stage.show();
    fill(form);
    await choose(form, 'own');
    stage.answers.push(
      (request) => outcomeOf(request, 'declined', 'card-declined'),
      problem(409, 'definition-changed'),
    );
    await press(form);
    expect(checked(form, '"payment.provider"')).to.equal('own');
    stage.definition = { ...stage.definition, payments: [stage.definition.payments[0], offline] };
    await press(form);
    expect(checked(form, '"payment.provider"')).to.equal('sandbox');
    await press(form);
    expect(stage.posted.map(({ request }) => request.payment.provider)).to.deep.equal([
      'own',
      'own',
      'sandbox',
    ]);
  });

  it('shows how to pay where nothing is paid here, sends no token and no method, and shows what to do after it', async () => {
    stage.definition = paidBy(sandbox, offline);
    const form = await stage.show();
    await ready(form);
    fill(form);
    expect(words(form, '.promise')).to.contain(
      'Your payment details go straight to the payment processor.',
    );
    await choose(form, 'offline');
    const shown = inside(form, '.instructions');
    expect([
      shown.textContent,
      getComputedStyle(shown).whiteSpace.startsWith('pre'),
      shown.querySelector('a, b'),
    ]).to.deep.equal([offline.options.instructions, true, null]);
    expect([
      words(form, '.promise'),
      words(form, 'button[type=submit]'),
      form.querySelector('[slot=payment]'),
    ]).to.deep.equal(['Your gift goes to Lanternwell.', 'Give $50', null]);
    stage.answers.push((request) =>
      outcomeOf(request, 'pending', undefined, { instructions: 'Send $50 to:\nDE00 1234' }),
    );
    await press(form);
    expect(stage.posted[0]?.request.payment).to.deep.equal({ provider: 'offline' });
    expect(inside(form, '.instructions').textContent).to.equal('Send $50 to:\nDE00 1234');
    expect(words(form, '[part=thanks]'))
      .to.contain('Thank you! Here is how to pay')
      .and.to.contain('7K4M9-QXD2P')
      .and.not.to.contain('Your bank has accepted it');
    await accessible(form);
  });

  it('shows the instructions of a form that has no other way, without a choice', async () => {
    stage.definition = paidBy(offline);
    const form = await stage.show();
    fill(form);
    expect([
      form.shadowRoot!.querySelector('.ways'),
      words(form, '.instructions').startsWith('Send it to'),
    ]).to.deep.equal([null, true]);
    await press(form);
    expect(stage.posted[0]?.request.payment).to.deep.equal({ provider: 'offline' });
  });

  it('comes back to the page without its fragment and without what processors append', async () => {
    const form = await stage.show();
    fill(form);
    const before = location.href;
    history.replaceState(
      null,
      '',
      '?a=1&payment=p&b=%20x&payment_intent=pi&payment_intent_client_secret=s&redirect_status=succeeded&session_id=cs&c#there',
    );
    await press(form);
    history.replaceState(null, '', before);
    expect(stage.posted[0]?.request.payment.returnUrl).to.equal(
      `${location.origin}${location.pathname}?a=1&b=%20x&c`,
    );
  });

  it("pays on the provider's own page where it stands in a shadow root", async () => {
    const place = document.createElement('div');
    document.body.append(place);
    stage.place = place.attachShadow({ mode: 'open' });
    const form = await stage.show();
    await waitUntil(() => hint(form));
    expect(words(form, '.hosted')).to.equal(
      'You pay in the next step, on a secure page of the payment processor.',
    );
    await accessible(form);
    fill(form);
    await press(form);
    expect([form.querySelector('[slot=payment]'), stage.posted[0]?.request.payment]).to.deep.equal([
      null,
      { provider: 'sandbox', returnUrl: location.href },
    ]);
    place.remove();
  });

  it('takes no gift in a shadow root where the provider has no page of its own, and says why', async () => {
    const place = document.createElement('div');
    document.body.append(place);
    stage.place = place.attachShadow({ mode: 'open' });
    stage.definition = paidBy(own);
    let form: DonationFormElement;
    const said = await errorsOf(async () => {
      form = await stage.show();
      await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    });
    expect(said).to.contain('shadow root').and.to.contain('Put <donation-form> into the page');
    fill(form!);
    await errorsOf(() => press(form!));
    expect([
      stage.posted.length,
      words(form!, '#notice').startsWith('The payment field could not be loaded.'),
      provider.mounted.length,
    ]).to.deep.equal([0, true, 0]);
    place.remove();
  });

  it("offers the provider's own page where its field is blocked", async () => {
    provider.isBlocked = true;
    stage.definition = paidBy({ ...own, hasHostedPage: true });
    let form: DonationFormElement;
    await errorsOf(async () => {
      form = await stage.show();
      await waitUntil(() => hint(form));
    });
    expect(form!.shadowRoot!.querySelector('#notice')).to.equal(null);
    fill(form!);
    await press(form!);
    expect(stage.posted[0]?.request.payment).to.deep.equal({
      provider: 'own',
      returnUrl: location.href,
    });
  });

  it('does not try a blocked field again at every key', async () => {
    provider.isBlocked = true;
    stage.definition = paidBy(own);
    await errorsOf(async () => {
      const form = await stage.show();
      await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
      fill(form);
    });
    expect(provider.mounted.length).to.equal(1);
  });
});
