import { expect } from '@open-wc/testing';
import type { DonationFormSettingIgnoredEvent } from '../../src/donation-form/events/setting-ignored-event.ts';
import {
  Stage,
  checked,
  fill,
  inside,
  pageSettings,
  press,
  ready,
  rest,
  type,
  value,
  words,
} from './support.ts';

const button = 'button[type=submit]';
const until = async (happened: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 200 && !happened(); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(happened()).to.equal(true);
};
/** Evaluate the module that registers the element once more, as other script tags would. */
const evaluateSecond = (): Promise<unknown> =>
  // @ts-expect-error -- TypeScript does not support queries.
  import('../../src/donation-form/form/define.ts?second');
const evaluateThird = (): Promise<unknown> =>
  // @ts-expect-error -- TypeScript does not support queries.
  import('../../src/donation-form/form/define.ts?third');

/** What the page's author is told while something is done. */
async function warnings(act: () => Promise<unknown>): Promise<string[]> {
  const said: string[] = [];
  const warn = console.warn;
  console.warn = (text: string) => {
    said.push(text);
  };
  try {
    await act();
  } finally {
    console.warn = warn;
  }
  return said;
}

describe('donation-form, told what to show', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });
  afterEach(() => stage.end());

  it('opens with its attributes, and follows its properties', async () => {
    const form = await stage.show('', {
      amount: '75',
      frequency: 'monthly',
      'cover-costs': '',
      segment: 'SITE',
      'project-preselect': 'WATER',
    });
    expect(words(form, button)).to.equal('Give $77.55 every month');
    expect(value(form, 'project')).to.equal('2');
    form.amount = 25;
    form.coverCosts = false;
    form.project = 'WATER';
    await form.updateComplete;
    expect([words(form, button), words(form, '.purpose')]).to.deep.equal([
      'Give $25 every month',
      'Your gift is for Village wells',
    ]);
    form.settings = {
      donorInfo: { lastName: 'Souza' },
      giftInfo: { giftArrays: [{ value: '25', description: 'A seal' }] },
    };
    await form.updateComplete;
    expect([words(form, '.tiles .choice'), value(form, 'lastName')]).to.deep.equal([
      '$25A seal',
      'Souza',
    ]);
    fill(form);
    await press(form);
    expect(stage.posted[0]?.request.gift).to.include({
      amount: 2_500,
      coverCosts: false,
      segment: 'SITE',
    });
  });

  it('sends custom fields and tracking, as they are when the gift is sent', async () => {
    pageSettings({
      customFieldPreset: [{ id: '12', value: 'event' }],
      analyticsTracking: { utmSource: 'site', utmTerm: 'well' },
    });
    const form = await stage.show('?utm_source=mail');
    fill(form);
    pageSettings({
      customFieldPreset: [{ id: '13', value: 'yes' }],
      analyticsTracking: { utmTerm: 'late' },
    });
    await press(form);
    const [{ request } = { request: undefined }] = stage.posted;
    expect([request?.customFields, request?.tracking]).to.deep.equal([
      [{ id: '13', value: 'true' }],
      { utmSource: 'mail', utmTerm: 'late' },
    ]);
  });

  it("rule 11: an element of the global's name, in eight shapes, is no settings and breaks nothing", async () => {
    const shapes = [
      '<form id="ServiceDonorsForms"><input name="settings"></form>',
      '<form name="ServiceDonorsForms"></form>',
      '<img name="ServiceDonorsForms" alt="">',
      '<a id="ServiceDonorsForms"></a><a id="ServiceDonorsForms" name="settings" href="cid:x"></a>',
      '<iframe name="ServiceDonorsForms" title="x"></iframe>',
      '<form id="ServiceDonorsForms"><fieldset name="settings"></fieldset></form>',
      '<object id="ServiceDonorsForms"></object>',
      '<form id="ServiceDonorsForms"><input id="settings" name="hasOwnProperty"></form>',
    ];
    for (const shape of shapes) {
      const place = document.createElement('div');
      place.innerHTML = shape;
      document.body.append(place);
      const form = await stage.show();
      expect(words(form, button), shape).to.equal('Give $50');
      place.remove();
    }
  });

  it("rule 13: settings that were declared with let are found, the window's own are stronger", async () => {
    const run = (code: string): void => {
      document.head.append(Object.assign(document.createElement('script'), { textContent: code }));
    };
    run('let ServiceDonorsForms = { settings: { giftInfo: { amount: 75 } } };');
    expect(words(await stage.show(), button)).to.equal('Give $75');
    pageSettings({ giftInfo: { amount: 25 } });
    expect(words(await stage.show(), button)).to.equal('Give $25');
    run('ServiceDonorsForms = {};');
  });

  it('rule 14: an onLoad that arrives late is called once, at once', async () => {
    const form = await stage.show();
    let calls = 0;
    pageSettings({
      onLoad: () => {
        calls += 1;
      },
    });
    form.refresh();
    form.refresh();
    expect(calls).to.equal(1);
  });

  it('rules 50 and 52: an onLoad that reads the settings again is called once', async () => {
    let calls = 0;
    pageSettings({
      onLoad: () => {
        calls += 1;
        pageSettings({
          giftInfo: { amount: 75 },
          onLoad: () => {
            calls += 1;
          },
        });
        document.querySelector('donation-form')!.refresh();
      },
    });
    const form = await stage.show();
    expect([calls, words(form, button)]).to.deep.equal([1, 'Give $75']);
  });

  it('rule 39: a late e-mail address or comment that the donor has not seen is shown first', async () => {
    const form = await stage.show();
    fill(form);
    pageSettings({ giftInfo: { comments: 'From the page' } });
    await press(form);
    expect([
      words(form, '#notice').includes('The page has changed this gift'),
      value(form, 'comment'),
      stage.posted.length,
    ]).to.deep.equal([true, 'From the page', 0]);
  });

  it('rule 40: refresh() leaves what a browser filled in without telling', async () => {
    const form = await stage.show();
    inside(form, '[name=firstName]').value = 'Filled';
    pageSettings({ donorInfo: { firstName: 'Set' } });
    form.refresh();
    await form.updateComplete;
    expect(value(form, 'firstName')).to.equal('Filled');
  });

  it('rule 46: an option of one currency is not kept in another', async () => {
    const form = await stage.show();
    inside(form, '[name=amount][value="2"], .tiles .choice:nth-child(3) input').click();
    await form.updateComplete;
    expect(words(form, button)).to.equal('Give $75');
    form.currency = 'JPY';
    await form.updateComplete;
    expect(words(form, button)).to.equal('Give');
  });

  it('reads its switches when they change', async () => {
    const before = location.href;
    const form = await stage.show('?amt=75');
    history.replaceState(null, '', '?amt=75&src=theirs');
    form.urlParams = 'off';
    await form.updateComplete;
    expect(words(form, button)).to.equal('Give $50');
    form.removeAttribute('url-params');
    form.urlParams = undefined;
    form.ignoreParams = 'src';
    await form.updateComplete;
    history.replaceState(null, '', before);
    expect(words(form, button)).to.equal('Give $75');
    form.debug = true;
    await until(() => form.shadowRoot!.querySelector('.debug') !== null);
    form.debug = false;
    await form.updateComplete;
    expect(form.shadowRoot!.querySelector('.debug')).to.equal(null);
  });

  it('a campaign that is no longer kept when the gift is sent is not on it', async () => {
    sessionStorage.setItem('donation-form-landing', '?src=OLD&utm_source=old');
    const kept = await stage.show();
    const taken = await stage.show();
    for (const form of [kept, taken]) fill(form);
    await press(kept);
    sessionStorage.removeItem('donation-form-landing');
    await press(taken);
    expect(
      stage.posted.map(({ request: { gift, tracking } }) => [gift.segment, tracking]),
    ).to.deep.equal([
      ['OLD', { utmSource: 'old' }],
      [undefined, undefined],
    ]);
  });

  it('rules 11 and 32: settings that are no object, and the deprecated name, are told once a page', async () => {
    const said = await warnings(async () => {
      for (const settings of [
        7,
        'text',
        { giftInfo: { projectOverrideCode: 'WATER' } },
        { giftInfo: { projectOverrideCode: 'WATER' } },
      ]) {
        (window as { ServiceDonorsForms?: unknown }).ServiceDonorsForms = { settings };
        const form = await stage.show();
        await rest(form);
      }
    });
    expect(said).to.deep.equal([
      'donation-form: the settings in window.ServiceDonorsForms are no object, so nothing of them is read.',
      'donation-form: projectOverrideCode is deprecated: use projectCodeOverride.',
    ]);
  });

  it('rule 34: an unknown project falls back to the default, and the page and the endpoint hear of it, without the value', async () => {
    const heard: DonationFormSettingIgnoredEvent[] = [];
    const hear = (event: DonationFormSettingIgnoredEvent): void => {
      heard.push(event);
    };
    document.addEventListener('donation-form-setting-ignored', hear);
    const form = await stage.show(
      '?fund-code=WATTER&src=MAIL26&array-amounts=25,x&email=*|EMAIL|*&amt=',
    );
    await until(() => stage.reported.length > 0);
    form.refresh();
    await rest(form);
    document.removeEventListener('donation-form-setting-ignored', hear);
    expect(
      heard.map(({ setting, layer, settingName, reason }) => [setting, layer, settingName, reason]),
    ).to.deep.equal([
      ['giftArray', 'url', 'array-amounts[1]', 'invalid'],
      ['projectOverride', 'url', 'fund-code', 'not-offered'],
      ['email', 'url', 'email', 'merge-tag'],
    ]);
    expect(JSON.stringify(heard)).not.to.contain('WATTER');
    expect(stage.reported).to.deep.equal([
      {
        form: 'main',
        segment: 'MAIL26',
        ignored: [
          { name: 'array-amounts', reason: 'invalid' },
          { name: 'fund-code', reason: 'not-offered' },
          { name: 'email', reason: 'merge-tag' },
        ],
      },
    ]);
    expect(value(form, 'project')).to.equal('1');
  });

  it('counts nothing where the page cancels', async () => {
    const cancel = (event: Event): void => event.preventDefault();
    document.addEventListener('donation-form-setting-ignored', cancel);
    const form = await stage.show('?fund-code=WATTER');
    await rest(form);
    document.removeEventListener('donation-form-setting-ignored', cancel);
    expect(stage.reported).to.deep.equal([]);
  });

  it('rule 35: ignore-params leaves single names to somebody else', async () => {
    const form = await stage.show('?SRC=theirs&amt=75', { 'ignore-params': 'src, comment' });
    fill(form);
    await press(form);
    expect(stage.posted[0]?.request.gift)
      .to.include({ amount: 7_500 })
      .and.not.have.property('segment');
  });

  it('rule 41: the address is stronger than a late setting', async () => {
    const form = await stage.show('?amt=75&src=LINK');
    fill(form);
    pageSettings({ giftInfo: { amount: 25, segmentOverrideCode: 'LATE' } });
    await press(form);
    expect(stage.posted.map(({ request: { gift } }) => [gift.amount, gift.segment])).to.deep.equal([
      [7_500, 'LINK'],
    ]);
  });

  it('rule 42: a link fills what the donor has not touched, and an e-mail that is none is flagged when it is left', async () => {
    const form = await stage.show('?email=ana&fname=Ana');
    expect([value(form, 'email'), form.shadowRoot!.querySelector('#email-problem')]).to.deep.equal([
      'ana',
      null,
    ]);
    await ready(form);
    inside(form, '[name=email]').dispatchEvent(
      new FocusEvent('focusout', { bubbles: true, composed: true }),
    );
    await form.updateComplete;
    expect(words(form, '#email-problem')).to.contain('name@example.org');
  });

  it('rule 43: names, e-mail, phone and street leave the address, the rest and history.state stay, and later forms still get them', async () => {
    history.replaceState({ page: 7 }, '');
    const search =
      '?FName=Ana&lastname=So%20uza&EMAIL=ana@example.org&phone=5&address=Road&city=Bath&state=x&country=GB&utm_source=mail&amt=75&flag&q=a+b%20c';
    const states: unknown[] = [];
    const replace = history.replaceState.bind(history);
    history.replaceState = (state: unknown, ...others: [string, (string | URL)?]) => {
      states.push(state);
      replace(state, ...others);
    };
    const form = await stage.show(search);
    history.replaceState = replace;
    expect(new URL(stage.address).search).to.equal(
      '?city=Bath&state=x&country=GB&utm_source=mail&amt=75&flag&q=a+b%20c',
    );
    expect(states.length).to.equal(3);
    expect(value(form, 'lastName')).to.equal('So uza');
    const later = await stage.show('?amt=25');
    expect([value(later, 'firstName'), value(later, 'email'), words(later, button)]).to.deep.equal([
      'Ana',
      'ana@example.org',
      'Give $25',
    ]);
    const explanation = await later.explain();
    expect(
      explanation?.settings.find(({ setting }) => setting === 'firstName')?.decided?.layer,
    ).to.equal('landing');
  });

  it('rule 43: keep-address leaves the address as it is, and so do names that are not read', async () => {
    await stage.show('?fname=Ana&amt=75', { 'keep-address': '' });
    expect(new URL(stage.address).search).to.equal('?fname=Ana&amt=75');
    await stage.show('?fname=Ana&amt=75', { 'ignore-params': 'fname' });
    expect(new URL(stage.address).search).to.equal('?fname=Ana&amt=75');
    await stage.show('?fname=Ana&amt=75', { 'url-params': 'off' });
    expect(new URL(stage.address).search).to.equal('?fname=Ana&amt=75');
  });

  it('rule 43: personal data leaves the address of a page with another base, too', async () => {
    const base = document.createElement('base');
    base.href = 'https://cdn.example.org/x/';
    document.head.append(base);
    await stage.show('?fname=Bo&amt=75').finally(() => base.remove());
    expect(new URL(stage.address).search).to.equal('?amt=75');
  });

  it('rule 54: address and settings are for all forms, but those that say otherwise', async () => {
    Object.assign(window, {
      ServiceDonorsForms: {
        settings: { giftInfo: { amount: 25 } },
        winter: { giftInfo: { amount: 60, frequency: 'monthly' } },
      },
    });
    expect(words(await stage.show('?amt=75'), button)).to.equal('Give $75');
    expect(words(await stage.show('?amt=75', { 'url-params': 'off' }), button)).to.equal(
      'Give $25',
    );
    expect(words(await stage.show('', { 'settings-key': 'winter' }), button)).to.equal(
      'Give $60 every month',
    );
  });

  it('rule 54: of several forms one sends at a time, and each calls back', async () => {
    const amounts: number[] = [];
    pageSettings({
      onSuccess: ({ amount }: { amount: number }) => {
        amounts.push(amount);
      },
    });
    const first = await stage.show();
    const second = await stage.show('?amt=75');
    let underWay = 0;
    let most = 0;
    const slowly = (total: number) => async (): Promise<Response> => {
      most = Math.max(most, (underWay += 1));
      await new Promise((resolve) => setTimeout(resolve, 100));
      underWay -= 1;
      return Response.json({
        reference: 'R',
        state: 'succeeded',
        gift: { amount: total, costs: 0, total, currency: 'USD', frequency: 'once' },
        response: { success: true, amount: total / 100, projectSplit: [] },
      });
    };
    stage.answers.push(
      () => slowly(5_000)(),
      () => slowly(7_500)(),
    );
    for (const form of [first, second]) fill(form);
    await Promise.all([press(first), press(second)]);
    await until(() => amounts.length === 2);
    expect([most, amounts.toSorted()]).to.deep.equal([1, [50, 75]]);
  });

  it('rule 55: a form that is put in later reads the address of that time, one that is taken out and in again keeps what was typed', async () => {
    const form = await stage.show('?amt=75');
    type(form, 'firstName', 'Zoe');
    const parent = form.parentElement!;
    const before = location.href;
    form.remove();
    history.replaceState(null, '', '?amt=25&fname=Maria');
    parent.append(form);
    await form.updateComplete;
    history.replaceState(null, '', before);
    expect([words(form, button), value(form, 'firstName')]).to.deep.equal(['Give $25', 'Zoe']);
  });

  it("rule 56: of two versions of the script the first stays, and the page's author is told", async () => {
    const { DonationFormElement } = await import('../../src/donation-form/form/donation-form.ts');
    const said = await warnings(evaluateSecond);
    expect(customElements.get('donation-form')).to.equal(DonationFormElement);
    expect(said).to.deep.equal([]);
    const get = customElements.get.bind(customElements);
    customElements.get = () =>
      class extends HTMLElement {
        static readonly version = '0.0.9';
      };
    const told = await warnings(evaluateThird);
    customElements.get = get;
    expect(told).to.deep.equal([
      `donation-form: version 0.0.9 is on this page already, so version ${DonationFormElement.version} does nothing. Keep one of the two script tags.`,
    ]);
  });

  it('shows where its settings came from, where the address or an attribute asks for it', async () => {
    const form = await stage.show('?amt=75&fund-code=WATTER&ammount=5&donation-form-debug');
    await until(() => form.shadowRoot!.querySelector('.debug') !== null);
    expect(words(form, '.debug'))
      .to.contain('75 from the address, as amt')
      .and.to.contain(
        'WATTER from the address, as fund-code, is ignored: this form does not offer it',
      )
      .and.to.contain('ammount')
      .and.to.contain('did you mean amount?');
    const other = await stage.show('', { debug: '' });
    await until(() => other.shadowRoot!.querySelector('.debug') !== null);
    other.frequency = 'annually';
    await until(() => words(other, '.debug').includes('annually from the element, as frequency'));
    expect((await stage.show('?amt=75')).shadowRoot!.querySelector('.debug')).to.equal(null);
  });

  it('an option that is marked is chosen, also where another has its amount', async () => {
    pageSettings({
      giftInfo: {
        giftArrays: [
          { value: '10', description: 'A' },
          { value: '10', description: 'B', isSelected: true },
        ],
      },
    });
    expect(checked(await stage.show(), 'amount')).to.equal('1');
  });

  it("rule 17: a form without an own amount shows the link's as its first option", async () => {
    stage.definition = { ...stage.definition, allowCustomAmount: false };
    const form = await stage.show('?amt=60');
    expect([
      form.shadowRoot!.querySelector('.own'),
      checked(form, 'amount'),
      words(form, '.tiles .choice'),
    ]).to.deep.equal([null, '0', '$60']);
  });
});
