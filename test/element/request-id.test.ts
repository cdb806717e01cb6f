import { expect } from '@open-wc/testing';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import {
  createOutcome,
  createProblem,
  expectAccessible,
  findElement,
  getText,
  submitForm,
  testPage,
} from './support.ts';

describe('ID of a failed request', () => {
  const createProblemWithRequestId = (status: number, code: string): Response =>
    createProblem(status, code, { 'X-Request-Id': '5f0c2a4e-canary' });

  it('is shown below the message, selectable as a whole and read with it', async () => {
    const form = await testPage.showFilledForm();
    testPage.responses.push(() => createProblemWithRequestId(500, 'internal-error'));
    await submitForm(form);
    expect(getText(form, '#notice')).to.match(
      /We couldn't reach Lanternwell, but .*If you email us, mention 5f0c2a4e-canary\.$/,
    );
    const id = findElement(form, '#notice .request-id bdi');
    const style = getComputedStyle(id);
    expect([
      id.textContent,
      ['user-select', '-webkit-user-select']
        .map((name) => style.getPropertyValue(name))
        .includes('all'),
    ]).to.deep.equal(['5f0c2a4e-canary', true]);
    await expectAccessible(form);
    testPage.responses.push(() => createProblemWithRequestId(422, 'total-mismatch'));
    await submitForm(form);
    expect(getText(form, '#notice')).to.match(
      /couldn't process this donation.*mention 5f0c2a4e-canary\.$/,
    );
  });

  it('is not shown for a decline, a rate limit, a changed definition, or a network error', async () => {
    for (const response of [
      () => createProblem(429, 'too-many-requests', { 'X-Request-Id': 'x', 'Retry-After': '5' }),
      (request: DonationRequest) => createOutcome(request, 'failed', 'card-declined'),
      'network error',
    ] as const) {
      const form = await testPage.showFilledForm();
      testPage.responses.push(response);
      await submitForm(form);
      expect(getText(form, '#notice')).to.not.contain('mention');
      form.remove();
    }
  });
});
