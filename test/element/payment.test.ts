import { expect } from '@open-wc/testing';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { choose, hint, offline, own, paidBy, sandbox } from './payment-support.ts';
import { StandIn, errorsOf } from './stand-in.ts';
import {
  Stage,
  checked,
  fill,
  inside,
  outcomeOf,
  press,
  problem,
  ready,
  type,
  waitUntil,
  words,
} from './support.ts';

describe('donation-form, where the donor pays', () => {
  let stage: Stage;
  let provider: StandIn;
  beforeEach(() => {
    stage = new Stage();
    provider = new StandIn('own');
  });
  afterEach(() => stage.end());

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

  it('keeps the chosen way over a declined card and a changed form, and falls back where it is no longer one', async () => {
    stage.definition = paidBy(sandbox, own);
    const form = await stage.show();
    fill(form);
    await choose(form, 'own');
    stage.answers.push(
      (request) => outcomeOf(request, 'declined', 'card-declined'),
      problem(409, 'form-outdated'),
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

  it("offers the provider's own page where its field is blocked", async () => {
    provider.isBlocked = true;
    stage.definition = paidBy({ ...own, hasHostedCheckout: true });
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
