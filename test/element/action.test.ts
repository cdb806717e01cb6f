import { expect } from '@open-wc/testing';
import { exampleForm } from '../example-form.ts';
import {
  KEY,
  bank,
  comeBack,
  field,
  heading,
  ownForm,
  paid,
  refused,
  steps,
  until,
  waiting,
} from './action-support.ts';
import { StandIn, errorsOf } from './stand-in.ts';
import { Stage, fill, outcomeOf, press, problem, value, waitUntil, words } from './support.ts';

/** Milliseconds until the form asks by itself. */
const FIRST_CHECK = 2_000;

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

  it("leads on in the field of the way to pay that the gift has, with the gift's own sum", async () => {
    stage.settle = () => waiting(field);
    const form = await comeBack(stage, '', {
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
    const form = await comeBack(stage);
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
    const form = await comeBack(stage);
    steps(form)[1]!.click();
    await until(form, 'Thank you!');
  });

  for (const step of [0, 1])
    it(`says that no answer came to ${['going on', 'taking it back'][step]!}, and lets the donor press again`, async () => {
      stage.settle = () => waiting({ action: bank()! });
      const form = await comeBack(stage);
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
      stage.settle = () => paid();
      steps(form)[step]!.click();
      await until(form, 'Thank you!');
    });

  it('names the request that failed, so that it is found in the log', async () => {
    stage.settle = () => waiting({ action: bank()! });
    const form = await comeBack(stage);
    stage.settle = () => problem(500, 'internal-error', { 'X-Request-Id': '5f0c2a4e' });
    steps(form)[0]!.click();
    await waitUntil(() => words(form, '[role=alert]') !== '');
    expect(words(form, '[role=alert]'))
      .to.contain('so we do not know whether you have paid.')
      .and.to.match(/please mention 5f0c2a4e\.$/);
  });

  it('says the same where no answer comes when the donor comes back', async () => {
    stage.settle = () => 'no answer';
    const form = await comeBack(stage);
    expect([
      heading(form),
      words(form, '[role=alert]').startsWith('We could not reach Lanternwell'),
    ]).to.deep.equal(['One more step', true]);
  });

  it('shows the form again where nobody knows the gift', async () => {
    stage.settle = () => waiting({ action: bank()! });
    const form = await comeBack(stage);
    stage.settle = () => problem(404, 'donation-not-found');
    steps(form)[0]!.click();
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(words(form, '#notice')).to.equal('Nothing was charged. Please try again.');
  });

  it('learns what came of it in another tab', async () => {
    const timers = stage.holdTimers();
    stage.settle = () => waiting({ action: bank()! });
    const form = await comeBack(stage);
    stage.outcome = () => paid();
    timers.run(FIRST_CHECK);
    await until(form, 'Thank you!');
  });

  it('is not emptied by reset() while a gift waits for its donor', async () => {
    stage.settle = () => waiting({ action: bank()! });
    const form = await comeBack(stage);
    form.reset();
    await form.updateComplete;
    expect(heading(form)).to.equal('One more step');
  });
});
