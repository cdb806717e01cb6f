import { expect, oneEvent } from '@open-wc/testing';
import type { DonationFormSuccessEvent } from '../../src/donation-form/index.ts';
import {
  fillDonor,
  findElement,
  getButtonText,
  getText,
  getValue,
  setPageSettings,
  submitForm,
  testPage,
  waitUntil,
} from './support.ts';

describe('page integration', () => {
  it('mounts the payment field in the light DOM', async () => {
    const form = await testPage.showForm();
    const { hosts } = testPage.paymentProvider;
    await waitUntil(() => hosts.length > 0);
    expect([hosts[0]!.slot, hosts[0]!.parentElement]).to.deep.equal(['payment', form]);
  });

  it("leaves a payment field's own form and buttons to the field", async () => {
    await testPage.showForm();
    const { hosts } = testPage.paymentProvider;
    await waitUntil(() => hosts.length > 0);
    const host = hosts[0]!.firstElementChild!;
    host.innerHTML =
      '<form id="own"><button>Look up</button></form><button>Use another card</button>';
    const submittedForms: string[] = [];
    const recordSubmit = (event: Event): void => {
      event.preventDefault();
      submittedForms.push((event.target as Element).id);
    };
    addEventListener('submit', recordSubmit, { capture: true });
    for (const button of host.querySelectorAll('button')) button.click();
    removeEventListener('submit', recordSubmit, { capture: true });
    expect(submittedForms).to.deep.equal(['own']);
  });

  it('rules 50, 51, and 53: dispatches each event once, before the callbacks', async () => {
    const calls: string[] = [];
    setPageSettings({
      onLoad: () => calls.push('onLoad'),
      onSuccess: ({ amount }: { amount: number }) => calls.push(`onSuccess ${amount}`),
    });
    document.addEventListener('donation-form-load', () => calls.push('load'), { once: true });
    document.addEventListener(
      'donation-form-success',
      ({ reference, response }: DonationFormSuccessEvent) =>
        calls.push(`success ${reference} ${response.amount}`),
      { once: true },
    );
    for (const step of ['ready', 'donor-start', 'submit'] as const)
      document.addEventListener(
        `donation-form-${step}`,
        ({ gift, isTest }) => calls.push(`${step} ${gift.amount} ${isTest}`),
        { once: true },
      );
    const form = await testPage.showFilledForm();
    await submitForm(form);
    await waitUntil(() => calls.includes('onSuccess 50'));
    expect(calls).to.deep.equal([
      'load',
      'onLoad',
      'ready 5000 true',
      'donor-start 5000 true',
      'submit 5000 true',
      'success 7K4M9-QXD2P 50',
      'onSuccess 50',
    ]);
  });

  it('rule 52: completes the donation if a callback throws or rejects', async () => {
    const failures = testPage.recordEvents('donation-form-callback-error');
    setPageSettings({
      onLoad: async () => {
        throw new Error('page');
      },
      onSuccess: () => {
        throw new Error('page');
      },
    });
    const form = await testPage.showForm();
    // The form loads the code that reports errors.
    await waitUntil(() => failures.length === 1);
    fillDonor(form);
    await submitForm(form);
    await waitUntil(() => failures.length === 2);
    expect(getText(form, 'h2')).to.equal('Thank you, Ana!');
    expect(failures.map(({ callback }) => callback)).to.deep.equal(['onLoad', 'onSuccess']);
  });

  it('sends nothing if the page cancels the submit event', async () => {
    const form = await testPage.showForm();
    form.addEventListener('donation-form-submit', (event) => event.preventDefault());
    fillDonor(form);
    await submitForm(form);
    expect(testPage.postedDonations.length).to.equal(0);
    expect(getValue(form, 'email')).to.equal('ana@example.org');
  });

  it('rule 60: shows the fallback content while the endpoint is down, and can retry', async () => {
    testPage.isOffline = true;
    const form = document.createElement('donation-form');
    form.endpoint = 'https://give.test';
    form.innerHTML = '<a href="https://example.org/give">Give another way</a>';
    document.body.append(form);
    await oneEvent(form, 'donation-form-error');
    await form.updateComplete;
    expect(form.querySelector('a')?.assignedSlot).to.not.equal(null);
    expect(form.querySelector('a')?.getBoundingClientRect().height).to.be.above(0);
    testPage.isOffline = false;
    findElement(form, 'button').click();
    await oneEvent(form, 'donation-form-load');
    expect(getButtonText(form)).to.equal('Give $50');
    form.remove();
  });

  it('escapes texts of the definition and the settings', async () => {
    const script = '"><img src=x onerror="window.broken = true">';
    setPageSettings({
      giftInfo: { giftArrays: [{ value: '30', description: script, displayValue: script }] },
      donorInfo: { firstName: script },
    });
    testPage.definition = {
      ...testPage.definition,
      projects: [
        { id: '1', name: script },
        { id: '2', name: script },
      ],
      organization: { name: script, contact: script },
    };
    const form = await testPage.showFilledForm();
    await submitForm(form);
    for (const root of [document, form.shadowRoot!])
      expect(root.querySelector('img')).to.equal(null);
    // A later image fails after those of the texts.
    await oneEvent(Object.assign(new Image(), { src: 'x' }), 'error');
    expect((window as { broken?: boolean }).broken).to.equal(undefined);
  });

  it('keeps its width in any parent without overflowing it, also with long texts', async () => {
    const giftArrays = [{ value: '30', displayValue: 'W'.repeat(300) }, { value: '50' }];
    setPageSettings({ giftInfo: { giftArrays } });
    const form = await testPage.showForm();
    const parent = form.parentElement!;
    for (const style of [
      'display: flex; flex-direction: column; align-items: center',
      'display: grid; place-items: center',
      'display: flex',
      'display: inline-block',
      'float: left',
      'width: 300px',
    ]) {
      parent.style.cssText = style;
      const { width } = form.getBoundingClientRect();
      expect(width, style).to.be.within(200, 700);
      const [tile] = form.shadowRoot!.querySelectorAll('.tiles .money');
      expect(tile!.textContent).to.have.length(300);
      expect(tile!.getBoundingClientRect().right, style).to.be.at.most(
        form.getBoundingClientRect().right,
      );
      expect(form.shadowRoot!.querySelector('form')!.scrollWidth, style).to.be.at.most(
        Math.ceil(width),
      );
    }
  });

  it('prints the receipt in a temporary frame', async () => {
    const form = await testPage.showFilledForm();
    await submitForm(form);
    const printed: string[] = [];
    const append = document.body.append.bind(document.body);
    document.body.append = (...nodes) => {
      append(...nodes);
      const [frame] = nodes;
      if (frame instanceof HTMLIFrameElement)
        frame.contentWindow!.print = () => {
          printed.push(frame.contentDocument!.body.textContent.replace(/\s+/g, ' '));
          frame.contentWindow!.dispatchEvent(new Event('afterprint'));
        };
    };
    findElement(form, '.foot > button').click();
    document.body.append = append;
    expect(printed).to.have.length(1);
    expect(printed[0])
      .to.contain('Lanternwell')
      .and.to.contain('$50')
      .and.to.contain('7K4M9-QXD2P')
      .and.to.contain(String(new Date().getFullYear()));
    expect(document.querySelector('body > iframe[aria-hidden]')).to.equal(null);
  });
});
