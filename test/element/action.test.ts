import { expect, waitUntil } from '@open-wc/testing';
import type { Outcome } from '../../src/contract/outcome.ts';
import type { DonationFormElement } from '../../src/element/donation-form.ts';
import { exampleForm } from '../example-form.ts';
import { StandIn, errorsOf } from './stand-in.ts';
import {
  Stage,
  accessible,
  button,
  fill,
  inside,
  outcomeOf,
  pageSettings,
  press,
  problem,
  ready,
  rest,
  succeeded,
  value,
  words,
} from './support.ts';

const KEY = 'donation-form https://give.test/main 1';
const gift = {
  amount: 5_000,
  costs: 0,
  total: 5_000,
  currency: 'USD',
  frequency: 'monthly',
} as const;
const waiting = (more: Partial<Outcome> = {}): Response =>
  Response.json(
    { reference: '7K4M9-QXD2P', provider: 'own', state: 'action', gift, ...more } satisfies Outcome,
    { status: 202 },
  );
const paid = (): Response =>
  Response.json({
    reference: '7K4M9-QXD2P',
    provider: 'own',
    state: 'succeeded',
    gift,
    response: { success: true, message: null, transactionId: 'ch_1', amount: 50, projectSplit: [] },
  } satisfies Outcome);
const refused = (): Response =>
  Response.json(
    {
      reference: '7K4M9-QXD2P',
      provider: 'own',
      state: 'declined',
      reason: 'not-confirmed',
      gift,
    } satisfies Outcome,
    { status: 402 },
  );
const field = { action: { kind: 'field', secret: 'pi_secret' } } as const;
/** A page to go to that does not leave the tests'. */
const bank = (): Outcome['action'] => ({
  kind: 'redirect',
  url: `${location.href.split('#')[0]}#bank`,
});
const goesTo = (hash: string): Promise<void> => waitUntil(() => location.hash === hash);

const steps = (form: DonationFormElement): HTMLButtonElement[] => [
  ...form.shadowRoot!.querySelectorAll<HTMLButtonElement>('.steps button'),
];
const heading = (form: DonationFormElement): string => words(form, 'h2');
const until = (form: DonationFormElement, title: string): Promise<void> =>
  waitUntil(() => form.shadowRoot!.querySelector('h2')?.textContent === title, title, {
    timeout: 5_000,
  });

describe('donation-form, where the donor has to do something first', () => {
  let stage: Stage;
  let provider: StandIn;
  const before = location.href;
  beforeEach(() => {
    stage = new Stage();
    provider = new StandIn('own');
    stage.definition = {
      ...exampleForm,
      payments: [
        { provider: 'own', methods: [0], hasHostedPage: true, canManage: false, options: {} },
      ],
    };
  });
  afterEach(() => {
    stage.end();
    history.replaceState(null, '', before);
  });

  /** A page that is loaded while a gift waits for its donor. */
  async function comeBack(
    search = '',
    definition = stage.definition,
  ): Promise<DonationFormElement> {
    sessionStorage.setItem(KEY, 'a-key-of-an-earlier-page');
    stage.definition = definition;
    stage.outcome = () => waiting();
    const form = await stage.show(search);
    await form.updateComplete;
    return form;
  }

  /** A page whose gift leads the donor to the bank. */
  async function leaveForBank(): Promise<DonationFormElement> {
    const form = await stage.show();
    fill(form);
    stage.answers.push((request) => outcomeOf(request, 'action', undefined, { action: bank()! }));
    await form.updateComplete;
    button(form).click();
    await goesTo('#bank');
    return form;
  }

  it('lets the donor confirm in the field, says so, and asks the endpoint afterwards', async () => {
    const form = await stage.show();
    await ready(form);
    fill(form);
    let confirm = (): void => undefined;
    provider.act = () =>
      new Promise((resolve) => {
        confirm = resolve;
      });
    stage.answers.push((request) => outcomeOf(request, 'action', undefined, field));
    stage.settle = () => paid();
    await form.updateComplete;
    button(form).click();
    await waitUntil(() => provider.acts.length > 0);
    await form.updateComplete;
    expect([
      words(form, '[role=status]'),
      words(form, 'button[type=submit]'),
      stage.settled.length,
      provider.acts,
    ]).to.deep.equal([
      'Please confirm this payment with your bank',
      'Please confirm this payment with your bank',
      0,
      ['pi_secret'],
    ]);
    expect(inside(form, '.sections').hasAttribute('inert')).to.equal(true);
    await accessible(form);
    confirm();
    await until(form, 'Thank you, Ana!');
    expect(stage.settled).to.deep.equal([
      { how: 'confirm', key: stage.posted[0]!.key, body: '{}', type: 'application/json' },
    ]);
    expect([form.shadowRoot!.activeElement?.localName, sessionStorage.getItem(KEY)]).to.deep.equal([
      'h2',
      null,
    ]);
  });

  it('shows the form again, with everything, where the donor did not confirm', async () => {
    const form = await stage.show();
    fill(form);
    stage.answers.push((request) => outcomeOf(request, 'action', undefined, field));
    stage.settle = refused;
    await press(form);
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(words(form, '#notice')).to.contain(
      'The payment was not confirmed with your bank. Nothing was charged.',
    );
    expect([value(form, 'email'), words(form, 'button[type=submit]')]).to.deep.equal([
      'ana@example.org',
      'Give $50',
    ]);
    await press(form);
    expect(new Set(stage.posted.map(({ key }) => key)).size).to.equal(2);
  });

  it('goes on where the field could not show what the bank asks for', async () => {
    const form = await stage.show();
    fill(form);
    provider.act = () => Promise.reject(new Error('no frame'));
    stage.answers.push((request) => outcomeOf(request, 'action', undefined, field));
    stage.settle = () => waiting(field);
    const said = await errorsOf(async () => {
      await press(form);
      await until(form, 'One more step');
    });
    expect(said).to.contain('no frame');
  });

  it('goes to the page that the processor names, and keeps the key', async () => {
    const form = await leaveForBank();
    expect([
      sessionStorage.getItem(KEY),
      inside(form, 'button[type=submit]').getAttribute('aria-disabled'),
    ]).to.deep.equal([stage.posted[0]!.key, 'true']);
  });

  it('goes to no address that is not of the web', async () => {
    const form = await stage.show();
    fill(form);
    stage.answers.push((request) =>
      outcomeOf(request, 'action', undefined, {
        action: { kind: 'redirect', url: 'javascript:document.title=1' },
      }),
    );
    const said = await errorsOf(async () => {
      await press(form);
      await until(form, 'One more step');
    });
    expect(said).to.contain('javascript:').and.to.contain('no web address');
  });

  it('asks at once what came of it when the donor comes back, and thanks once', async () => {
    let calls = 0;
    let events = 0;
    pageSettings({
      onSuccess: () => {
        calls += 1;
      },
    });
    const count = (): void => {
      events += 1;
    };
    document.addEventListener('donation-form-success', count);
    stage.settle = () => paid();
    const form = await comeBack();
    await until(form, 'Thank you!');
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await rest(form);
    document.removeEventListener('donation-form-success', count);
    expect([stage.settled, calls, events, stage.posted.length]).to.deep.equal([
      [{ how: 'confirm', key: 'a-key-of-an-earlier-page', body: '{}', type: 'application/json' }],
      1,
      1,
      0,
    ]);
  });

  it('says that one more step waits, and leads the donor on', async () => {
    stage.settle = () => waiting({ action: bank()! });
    const form = await comeBack();
    expect([
      heading(form),
      words(form, '.sum'),
      form.shadowRoot!.activeElement?.localName,
    ]).to.deep.equal(['One more step', '$50 every month', 'h2']);
    expect(words(form, '[part=action]'))
      .to.contain('Nothing was charged yet')
      .and.to.contain('7K4M9-QXD2P');
    expect(steps(form).map((step) => step.textContent.trim())).to.deep.equal([
      'Continue',
      'Do not give now',
    ]);
    await accessible(form);
    steps(form)[0]!.click();
    steps(form)[0]!.click();
    await goesTo('#bank');
    expect(stage.settled.map(({ how }) => how)).to.deep.equal(['confirm', 'confirm']);
  });

  it("leads on in the field of the way to pay that the gift has, with the gift's own sum", async () => {
    stage.settle = () => waiting(field);
    const form = await comeBack('', {
      ...stage.definition,
      payments: [exampleForm.payments[0], ...stage.definition.payments],
    });
    provider.act = () => {
      stage.settle = () => paid();
      return Promise.resolve();
    };
    steps(form)[0]!.click();
    await until(form, 'Thank you!');
    expect([provider.acts, provider.mounted[0]!.gift]).to.deep.equal([
      ['pi_secret'],
      { total: 5_000, currency: 'USD', decimals: 2, frequency: 'monthly' },
    ]);
  });

  it('takes the gift back, and shows the form again', async () => {
    stage.settle = (how) => (how === 'cancel' ? refused() : waiting({ action: bank()! }));
    const form = await comeBack();
    steps(form)[1]!.click();
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(words(form, '#notice')).to.contain('The payment was not confirmed');
    expect([stage.settled.map(({ how }) => how), sessionStorage.getItem(KEY)]).to.deep.equal([
      ['confirm', 'cancel'],
      null,
    ]);
  });

  it('thanks where the gift had succeeded before it could be taken back', async () => {
    stage.settle = (how) => (how === 'cancel' ? paid() : waiting({ action: bank()! }));
    const form = await comeBack();
    steps(form)[1]!.click();
    await until(form, 'Thank you!');
  });

  for (const step of [0, 1])
    it(`says that no answer came to ${['going on', 'taking it back'][step]!}, and lets the donor press again`, async () => {
      stage.settle = () => waiting({ action: bank()! });
      const form = await comeBack();
      stage.settle = () => 'no answer';
      steps(form)[step]!.click();
      await form.updateComplete;
      expect([
        steps(form).every((one) => one.getAttribute('aria-disabled') === 'true'),
        words(form, '[part=action] [role=status]'),
      ]).to.deep.equal([true, 'Sending your gift…']);
      await waitUntil(() => words(form, '[role=alert]') !== '');
      expect(words(form, '[role=alert]')).to.equal(
        'We could not reach Lanternwell, so we do not know whether you have paid. Please try again in a moment.',
      );
      expect(words(form, '[part=action]')).not.to.contain('Nothing was charged yet');
      expect(steps(form).some((one) => one.hasAttribute('aria-disabled'))).to.equal(false);
      await accessible(form);
      stage.settle = () => paid();
      steps(form)[step]!.click();
      await until(form, 'Thank you!');
    });

  it('names the request that failed, so that it is found in the log', async () => {
    stage.settle = () => waiting({ action: bank()! });
    const form = await comeBack();
    stage.settle = () => problem(500, 'internal-error', { 'X-Request-Id': '5f0c2a4e' });
    steps(form)[0]!.click();
    await waitUntil(() => words(form, '[role=alert]') !== '');
    expect(words(form, '[role=alert]'))
      .to.contain('so we do not know whether you have paid.')
      .and.to.match(/please mention 5f0c2a4e\.$/);
  });

  it('says the same where no answer comes when the donor comes back', async () => {
    stage.settle = () => 'no answer';
    const form = await comeBack();
    expect([
      heading(form),
      words(form, '[role=alert]').startsWith('We could not reach Lanternwell'),
    ]).to.deep.equal(['One more step', true]);
  });

  it('shows the form again where nobody knows the gift', async () => {
    stage.settle = () => waiting({ action: bank()! });
    const form = await comeBack();
    stage.settle = () => problem(404, 'donation-unknown');
    steps(form)[0]!.click();
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(words(form, '#notice')).to.equal('Nothing was charged. Please try again.');
  });

  it('learns what came of it in another tab', async () => {
    stage.settle = () => waiting({ action: bank()! });
    const form = await comeBack();
    stage.outcome = () => paid();
    await until(form, 'Thank you!');
  });

  it('asks as on load where the donor goes back to it, and the browser shows the page as it was', async () => {
    const form = await leaveForBank();
    stage.outcome = () => waiting();
    stage.settle = () => waiting({ action: bank()! });
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await until(form, 'One more step');
    stage.settle = () => paid();
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await until(form, 'Thank you, Ana!');
  });

  it('shows the form as it was where nothing comes back then, and charges once at most', async () => {
    const form = await stage.show();
    fill(form);
    stage.answers.push(
      (request) => outcomeOf(request, 'action', undefined, { action: bank()! }),
      succeeded,
    );
    await form.updateComplete;
    button(form).click();
    await goesTo('#bank');
    stage.outcome = () => 'no answer';
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await rest(form);
    expect(value(form, 'email')).to.equal('ana@example.org');
    await press(form);
    expect([heading(form), new Set(stage.posted.map(({ key }) => key)).size]).to.deep.equal([
      'Thank you, Ana!',
      1,
    ]);
  });

  it('is not emptied by reset() while a gift waits for its donor', async () => {
    stage.settle = () => waiting({ action: bank()! });
    const form = await comeBack();
    form.reset();
    await form.updateComplete;
    expect(heading(form)).to.equal('One more step');
  });

  it('takes what processors append out of the address when the donor comes back, and leaves the rest; it is no setting', async () => {
    stage.settle = () => paid();
    const returned =
      '?src=MAIL26&payment=p&x=%20a&payment_intent=pi&payment_intent_client_secret=s&redirect_status=succeeded&session_id=cs';
    const form = await comeBack(returned);
    await until(form, 'Thank you!');
    expect(new URL(stage.address).search).to.equal('?src=MAIL26&x=%20a');
    expect((await form.explain())!.unread.map(({ name }) => name)).to.deep.equal(['x']);
  });

  it("takes only what is a processor's alone out of the address of a donor who does not come back", async () => {
    const form = await stage.show(
      '?payment=mine&session_id=mine&payment_intent=pi&redirect_status=failed',
      {},
      false,
    );
    await ready(form);
    expect(location.search).to.equal('?payment=mine&session_id=mine');
  });
});
