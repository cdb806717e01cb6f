import { expect } from '@open-wc/testing';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import { Stage, accessible, fill, inside, outcomeOf, press, problem, words } from './support.ts';

describe('a request that failed', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });
  afterEach(() => stage.end());

  const unexpected = (status: number, code: string): Response =>
    problem(status, code, { 'X-Request-Id': '5f0c2a4e-canary' });

  it('is named in small print, so that whoever is written to finds it in the log: selected as a whole, and read with the message', async () => {
    const form = await stage.show();
    fill(form);
    stage.answers.push(() => unexpected(500, 'internal-error'));
    await press(form);
    expect(words(form, '#notice')).to.match(
      /We could not reach Lanternwell\..*If you write to us, please mention 5f0c2a4e-canary\.$/,
    );
    const id = inside(form, '#notice .mention bdi');
    const style = getComputedStyle(id);
    expect([
      id.textContent,
      ['user-select', '-webkit-user-select']
        .map((name) => style.getPropertyValue(name))
        .includes('all'),
    ]).to.deep.equal(['5f0c2a4e-canary', true]);
    await accessible(form);
    stage.answers.push(() => unexpected(422, 'total-mismatch'));
    await press(form);
    expect(words(form, '#notice')).to.match(/was not accepted.*please mention 5f0c2a4e-canary\.$/);
  });

  it('is not named where nothing is wrong: a decline, a wait, a form that changed, and where no server answered', async () => {
    for (const answer of [
      () => problem(429, 'too-many-requests', { 'X-Request-Id': 'x', 'Retry-After': '5' }),
      (request: DonationRequest) => outcomeOf(request, 'declined', 'card-declined'),
      'no answer',
    ] as const) {
      const form = await stage.show();
      fill(form);
      stage.answers.push(answer);
      await press(form);
      expect(words(form, '#notice')).to.not.contain('mention');
      form.remove();
    }
  });
});
