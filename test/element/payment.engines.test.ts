import { expect } from '@open-wc/testing';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { choose, hint, offline, own, paidBy, sandbox } from './payment-support.ts';
import { StandIn, errorsOf } from './stand-in.ts';
import {
  Stage,
  accessible,
  checked,
  fill,
  inside,
  outcomeOf,
  press,
  ready,
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

  it('leads through several ways with the arrow keys as through any radios', async () => {
    stage.definition = paidBy(sandbox, offline);
    const form = await stage.show();
    await ready(form);
    const [one, other] = form.shadowRoot!.querySelectorAll<HTMLInputElement>(
      '[name="payment.provider"]',
    );
    expect([
      one!.type,
      one!.name === other!.name,
      one!.closest('fieldset')!.querySelector('legend')!.textContent,
    ]).to.deep.equal(['radio', true, 'How you pay']);
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
});
