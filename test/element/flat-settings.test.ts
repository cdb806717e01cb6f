import { expect } from '@open-wc/testing';
import { getText, getValue, testPage } from './support.ts';

// Its own file, because the script changes the page for all later tests.
describe("the older embed's flat settings", () => {
  it('apply once the page has loaded their script, until the page sets its own settings', async () => {
    const button = 'button[type=submit]';
    const VirtuousForms = { settings: { firstName: 'Ana', amount: 60 } };
    Object.assign(window, { VirtuousForms });
    const form = await testPage.showForm();
    expect(getText(form, button)).to.equal('Give $50');
    await import('../../src/donation-form/flat-settings/embed.ts');
    await form.updateComplete;
    expect([getText(form, button), getValue(form, 'firstName')]).to.deep.equal(['Give $60', 'Ana']);
    VirtuousForms.settings = { ...VirtuousForms.settings, amount: 80 };
    form.refresh();
    await form.updateComplete;
    expect(getText(form, button)).to.equal('Give $80');
    window.ServiceDonorsForms!.settings = { giftInfo: { amount: 90 } };
    form.refresh();
    await form.updateComplete;
    expect(getText(form, button)).to.equal('Give $90');
  });
});
