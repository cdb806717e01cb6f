import { expect } from '@open-wc/testing';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import {
  KEY,
  bank,
  comeBack,
  field,
  goesTo,
  heading,
  ownForm,
  paid,
  steps,
  until,
  waiting,
} from './action-support.ts';
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
  ready,
  rest,
  succeeded,
  value,
  waitUntil,
  words,
} from './support.ts';

describe('donation-form, where the donor has to do something first', () => {
  let stage: Stage;
  let provider: StandIn;
  const before = location.href;
  beforeEach(() => {
    stage = new Stage();
    provider = new StandIn('own');
    stage.definition = ownForm;
  });
  afterEach(() => {
    stage.end();
    history.replaceState(null, '', before);
  });

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
    const form = await comeBack(stage);
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
    const form = await comeBack(stage);
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
    steps(form)[0]!.click();
    steps(form)[0]!.click();
    await goesTo('#bank');
    expect(stage.settled.map(({ how }) => how)).to.deep.equal(['confirm', 'confirm']);
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

  it('takes what processors append out of the address when the donor comes back, and leaves the rest; it is no setting', async () => {
    stage.settle = () => paid();
    const returned =
      '?src=MAIL26&payment=p&x=%20a&payment_intent=pi&payment_intent_client_secret=s&redirect_status=succeeded&session_id=cs';
    const form = await comeBack(stage, returned);
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
