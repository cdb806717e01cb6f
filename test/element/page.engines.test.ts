import { expect } from '@open-wc/testing';
import type { DonationFormSuccessEvent } from '../../src/donation-form/index.ts';
import { Stage, fill, inside, pageSettings, press, value, words } from './support.ts';

describe('donation-form, on its page', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });
  afterEach(() => stage.end());

  it('mounts the payment field in the light DOM', async () => {
    const form = await stage.show();
    for (let tries = 0; tries < 800 && !form.querySelector('iframe'); tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const host = form.querySelector('iframe')?.parentElement;
    expect(host?.slot).to.equal('payment');
    expect(host?.parentElement).to.equal(form);
  });

  it('rules 50, 51 and 53: raises its events before it calls the page, each once', async () => {
    const heard: string[] = [];
    pageSettings({
      onLoad: () => heard.push('onLoad'),
      onSuccess: ({ amount }: { amount: number }) => heard.push(`onSuccess ${amount}`),
    });
    document.addEventListener('donation-form-load', () => heard.push('load'), { once: true });
    document.addEventListener(
      'donation-form-success',
      ({ reference, response }: DonationFormSuccessEvent) =>
        heard.push(`success ${reference} ${response.amount}`),
      { once: true },
    );
    for (const step of ['ready', 'details', 'submit'] as const)
      document.addEventListener(
        `donation-form-${step}`,
        ({ gift, isTest }) => heard.push(`${step} ${gift.amount} ${isTest}`),
        { once: true },
      );
    const form = await stage.show();
    fill(form);
    await press(form);
    expect(heard).to.deep.equal([
      'load',
      'onLoad',
      'ready 5000 true',
      'details 5000 true',
      'submit 5000 true',
      'success 7K4M9-QXD2P 50',
      'onSuccess 50',
    ]);
  });

  it('rule 52: a callback that throws or rejects leaves the gift alone', async () => {
    const failed: string[] = [];
    pageSettings({
      onLoad: async () => {
        throw new Error('page');
      },
      onSuccess: () => {
        throw new Error('page');
      },
    });
    const hear = ({ callback }: { callback: string }): void => {
      failed.push(callback);
    };
    document.addEventListener('donation-form-callback-error', hear);
    const form = await stage.show();
    fill(form);
    await press(form);
    document.removeEventListener('donation-form-callback-error', hear);
    expect(words(form, 'h2')).to.equal('Thank you, Ana!');
    expect(failed).to.deep.equal(['onLoad', 'onSuccess']);
  });

  it('sends nothing where the page cancels the submission', async () => {
    const form = await stage.show();
    form.addEventListener('donation-form-submit', (event) => event.preventDefault());
    fill(form);
    await press(form);
    expect(stage.posted.length).to.equal(0);
    expect(value(form, 'email')).to.equal('ana@example.org');
  });

  it('rule 60: shows what the page put into the element where the endpoint is down, and tries again', async () => {
    stage.isDown = true;
    const form = document.createElement('donation-form');
    form.endpoint = 'https://give.test';
    form.innerHTML = '<a href="https://example.org/give">Give another way</a>';
    document.body.append(form);
    await new Promise((resolve) => {
      form.addEventListener('donation-form-error', resolve, { once: true });
    });
    await form.updateComplete;
    expect(form.querySelector('a')?.assignedSlot).to.not.equal(null);
    expect(form.querySelector('a')?.getBoundingClientRect().height).to.be.above(0);
    stage.isDown = false;
    inside(form, 'button').click();
    await new Promise((resolve) => {
      form.addEventListener('donation-form-load', resolve, { once: true });
    });
    expect(words(form, 'button[type=submit]')).to.equal('Give $50');
    form.remove();
  });

  it('treats texts of the definition and of settings as text', async () => {
    const script = '<img src=x onerror="window.broken = true">';
    pageSettings({
      giftInfo: { giftArrays: [{ value: '30', description: script, displayValue: script }] },
      donorInfo: { firstName: script },
    });
    stage.definition = {
      ...stage.definition,
      projects: [
        { id: '1', name: script },
        { id: '2', name: script },
      ],
      organization: { name: script, contact: script },
    };
    const form = await stage.show();
    fill(form);
    await press(form);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((window as { broken?: boolean }).broken).to.equal(undefined);
    expect(form.shadowRoot!.querySelector('img')).to.equal(null);
  });

  it('has its width in any parent, and no wider than it', async () => {
    const form = await stage.show();
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
      expect(form.shadowRoot!.querySelector('form')!.scrollWidth, style).to.be.at.most(
        Math.ceil(width),
      );
    }
  });

  it('prints the thank-you alone, in a frame of its own that goes again', async () => {
    const form = await stage.show();
    fill(form);
    await press(form);
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
    inside(form, '.keep button').click();
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
