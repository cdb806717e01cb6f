import { aTimeout, expect, oneEvent } from '@open-wc/testing';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { exampleForm } from './forms.ts';
import {
  clickControls,
  createProblem,
  createSuccess,
  enterText,
  fillDonor,
  findElement,
  getCheckedValue,
  getText,
  getValue,
  setPageSettings,
  submitForm,
  testPage,
  waitForPaymentField,
  waitUntil,
  waitUntilIdle,
} from './support.ts';

const button = 'button[type=submit]';
/** Evaluates the registering module again, like a second script tag. */
const loadSecondCopy = (): Promise<unknown> =>
  // @ts-expect-error -- TypeScript does not support queries.
  import('../../src/donation-form/form/define.ts?second');
const loadThirdCopy = (): Promise<unknown> =>
  // @ts-expect-error -- TypeScript does not support queries.
  import('../../src/donation-form/form/define.ts?third');

/** Returns the console warnings logged during a task. */
async function collectWarnings(
  task: (messages: readonly string[]) => Promise<unknown>,
): Promise<string[]> {
  const messages: string[] = [];
  const warn = console.warn;
  console.warn = (text: string) => {
    messages.push(text);
  };
  try {
    await task(messages);
  } finally {
    console.warn = warn;
  }
  return messages;
}

const listIgnored = (form: DonationFormElement): string[] =>
  [...form.shadowRoot!.querySelectorAll('.debug .ignored')].map(({ textContent }) => textContent);

describe('settings of the form', () => {
  // These two tests must be the first: a form of an earlier test may still read the saved URL, and
  // its warnings would not be repeated.
  it('does not read the saved URL with url-params="off"', async () => {
    const getItem = Object.getOwnPropertyDescriptor(Storage.prototype, 'getItem')!;
    const names: string[] = [];
    Storage.prototype.getItem = (name) => {
      names.push(name);
      return null;
    };
    try {
      await testPage.showForm('', { 'url-params': 'off' });
    } finally {
      Object.defineProperty(Storage.prototype, 'getItem', getItem);
    }
    expect(names).not.to.include('donation-form-landing');
  });

  it('rules 11 and 32: warns once per page about settings that are not an object and about the deprecated name', async () => {
    const messages = await collectWarnings(async () => {
      for (const settings of [
        7,
        'text',
        { giftInfo: { projectOverrideCode: 'WATER' } },
        { giftInfo: { projectOverrideCode: 'WATER' } },
      ]) {
        (window as { ServiceDonorsForms?: unknown }).ServiceDonorsForms = { settings };
        const isReady = oneEvent(document, 'donation-form-ready');
        await testPage.showForm();
        await isReady;
        // The form logs its warnings as soon as it has loaded this module.
        await import('../../src/donation-form/debug/report-settings.ts');
      }
    });
    expect(messages).to.deep.equal([
      'donation-form: Ignored the settings in window.ServiceDonorsForms: expected an object.',
      'donation-form: projectOverrideCode is deprecated; use projectCodeOverride.',
    ]);
  });

  it('reads attributes and follows properties', async () => {
    const form = await testPage.showForm('', {
      amount: '75',
      frequency: 'monthly',
      'cover-costs': '',
      segment: 'SITE',
      'project-preselect': 'WATER',
    });
    expect(getText(form, button)).to.equal('Give $77.55 a month');
    expect(getValue(form, 'project')).to.equal('2');
    form.amount = 25;
    form.coverCosts = false;
    form.project = 'WATER';
    await form.updateComplete;
    expect([getText(form, button), getText(form, '.fixed-project')]).to.deep.equal([
      'Give $25 a month',
      'Your donation supports Village wells',
    ]);
    form.settings = {
      donorInfo: { lastName: 'Souza' },
      giftInfo: { giftArrays: [{ value: '25', description: 'A seal' }] },
    };
    await form.updateComplete;
    expect([getText(form, '.tiles .choice'), getValue(form, 'lastName')]).to.deep.equal([
      '$25A seal',
      'Souza',
    ]);
    fillDonor(form);
    await submitForm(form);
    expect(testPage.requests[0]?.gift).to.include({
      amount: 2_500,
      coverCosts: false,
      segment: 'SITE',
    });
  });

  it('follows properties that change while a donation is submitted', async () => {
    const form = await testPage.showFilledForm();
    testPage.responses.push(() => {
      form.amount = '75';
      return createProblem(429, 'too-many-requests');
    });
    await submitForm(form);
    expect(getText(form, button)).to.equal('Try again · $75');
    await submitForm(form);
    expect(testPage.requests.map((request) => request.gift.total)).to.deep.equal([5_000, 7_500]);
  });

  it('submits custom fields and tracking as they are on submit', async () => {
    setPageSettings({
      customFieldPreset: [{ id: '12', value: 'event' }],
      analyticsTracking: { utmSource: 'site', utmTerm: 'well' },
    });
    const form = await testPage.showFilledForm('?utm_source=mail');
    setPageSettings({
      customFieldPreset: [{ id: '13', value: 'yes' }],
      analyticsTracking: { utmTerm: 'late' },
    });
    await submitForm(form);
    const [request] = testPage.requests;
    expect([request?.customFields, request?.tracking]).to.deep.equal([
      [{ id: '13', value: 'true' }],
      { utmSource: 'mail', utmTerm: 'late' },
    ]);
  });

  it('rule 11: ignores elements with the name of the global, in eight variants', async () => {
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
      const container = document.createElement('div');
      container.innerHTML = shape;
      document.body.append(container);
      const form = await testPage.showForm();
      expect(getText(form, button), shape).to.equal('Give $50');
      container.remove();
    }
  });

  it('rule 13: reads settings declared with let, unless window has its own', async () => {
    const runPageScript = (code: string): void => {
      document.head.append(Object.assign(document.createElement('script'), { textContent: code }));
    };
    runPageScript('let ServiceDonorsForms = { settings: { giftInfo: { amount: 75 } } };');
    expect(getText(await testPage.showForm(), button)).to.equal('Give $75');
    setPageSettings({ giftInfo: { amount: 25 } });
    expect(getText(await testPage.showForm(), button)).to.equal('Give $25');
    runPageScript('ServiceDonorsForms = {};');
  });

  it('rule 14: calls a late onLoad once, immediately', async () => {
    const form = await testPage.showForm();
    let calls = 0;
    setPageSettings({
      onLoad: () => {
        calls += 1;
      },
    });
    form.refresh();
    form.refresh();
    expect(calls).to.equal(1);
  });

  it('rules 50 and 52: calls an onLoad that refreshes the form once', async () => {
    let calls = 0;
    const countCall = (): void => {
      calls += 1;
    };
    setPageSettings({
      onLoad: () => {
        countCall();
        setPageSettings({ giftInfo: { amount: 75 }, onLoad: countCall });
        document.querySelector('donation-form')!.refresh();
      },
    });
    const form = await testPage.showForm();
    expect([calls, getText(form, button)]).to.deep.equal([1, 'Give $75']);
  });

  it('rule 39: shows a late email or comment before submitting it', async () => {
    const form = await testPage.showFilledForm();
    setPageSettings({ giftInfo: { comments: 'From the page' } });
    await submitForm(form);
    expect([
      getText(form, '#notice').includes('This page updated your donation'),
      getValue(form, 'comment'),
      testPage.requests.length,
    ]).to.deep.equal([true, 'From the page', 0]);
  });

  it('rule 40: refresh() keeps values that autofill entered without an event', async () => {
    const form = await testPage.showForm();
    findElement(form, '[name=firstName]').value = 'Filled';
    setPageSettings({ donorInfo: { firstName: 'Set' } });
    form.refresh();
    await form.updateComplete;
    expect(getValue(form, 'firstName')).to.equal('Filled');
  });

  it('rule 46: does not keep a suggested amount in another currency', async () => {
    const form = await testPage.showForm();
    await clickControls(form, '[name=amount][value="2"], .tiles .choice:nth-child(3) input');
    expect(getText(form, button)).to.equal('Give $75');
    form.currency = 'JPY';
    await form.updateComplete;
    expect(getText(form, button)).to.equal('Give');
  });

  it("reads the form's own URL parameters, and names them in the debug panel", async () => {
    testPage.definition = { ...exampleForm, urlAliases: { amount: ['donate'], segment: ['sc'] } };
    const form = await testPage.showForm('?donate=75&sc=MAIL26', { debug: '' });
    expect(getText(form, button)).to.equal('Give $75');
    await waitUntil(() => form.shadowRoot!.querySelector('.debug'));
    expect(getText(form, '.debug')).to.match(/segment.*MAIL26.*sc/s);
  });

  it('follows changes of url-params and ignore-params', async () => {
    const originalUrl = location.href;
    const form = await testPage.showForm('?amt=75');
    history.replaceState(null, '', '?amt=75&src=theirs');
    form.urlParams = 'off';
    await form.updateComplete;
    expect(getText(form, button)).to.equal('Give $50');
    form.removeAttribute('url-params');
    form.urlParams = undefined;
    form.ignoreParams = 'src';
    await form.updateComplete;
    history.replaceState(null, '', originalUrl);
    expect(getText(form, button)).to.equal('Give $75');
    form.debug = true;
    await waitUntil(() => form.shadowRoot!.querySelector('.debug'));
    form.debug = false;
    await waitUntil(() => !form.shadowRoot!.querySelector('.debug'));
  });

  it('does not submit a campaign that is no longer saved', async () => {
    sessionStorage.setItem('donation-form-landing', '?src=OLD&utm_source=old');
    const firstForm = await testPage.showForm();
    const secondForm = await testPage.showForm();
    for (const form of [firstForm, secondForm]) fillDonor(form);
    await submitForm(firstForm);
    sessionStorage.removeItem('donation-form-landing');
    await submitForm(secondForm);
    expect(testPage.requests.map(({ gift, tracking }) => [gift.segment, tracking])).to.deep.equal([
      ['OLD', { utmSource: 'old' }],
      [undefined, undefined],
    ]);
  });

  describe('rule 11: settings that throw never stop a donation, explain(), or the debug panel', () => {
    const createRevokedProxy = (target: object): object => {
      const { proxy, revoke: revokeProxy } = Proxy.revocable(target, {});
      revokeProxy();
      return proxy;
    };
    const throwPageError = (): never => {
      throw new Error('page');
    };
    const THROWING_TRAPS = {
      get: throwPageError,
      has: throwPageError,
      ownKeys: throwPageError,
      getOwnPropertyDescriptor: throwPageError,
    };
    const createObjectWithThrowingGetter = (name: string): object =>
      Object.defineProperty({}, name, { get: throwPageError, enumerable: true });
    const SETTING_NAMES =
      'donorInfo giftInfo customFieldPreset analyticsTracking onLoad onSuccess'.split(' ');
    const page = window as { ServiceDonorsForms?: unknown };
    const holders: Readonly<Record<string, unknown>> = {
      'the holder is a revoked proxy': createRevokedProxy({}),
      'settings has a throwing getter': createObjectWithThrowingGetter('settings'),
      ...Object.fromEntries(
        Object.entries({
          'settings is a revoked object': createRevokedProxy({}),
          'settings is a revoked array': createRevokedProxy([]),
          'settings is a revoked function': createRevokedProxy(throwPageError),
          ...Object.fromEntries(
            SETTING_NAMES.map((name) => [
              `${name} has a throwing getter`,
              createObjectWithThrowingGetter(name),
            ]),
          ),
          'settings is a proxy whose traps all throw': new Proxy({}, THROWING_TRAPS),
          'donorInfo is revoked': { donorInfo: createRevokedProxy({}) },
          'giftInfo is revoked': { giftInfo: createRevokedProxy({}) },
          'giftArrays is revoked': { giftInfo: { giftArrays: createRevokedProxy([]) } },
          'items of giftArrays throw': {
            giftInfo: {
              giftArrays: [createRevokedProxy({}), createObjectWithThrowingGetter('value')],
            },
          },
          'fields of giftInfo are revoked': {
            giftInfo: {
              amount: createRevokedProxy({}),
              frequency: createRevokedProxy([]),
              comments: createRevokedProxy(throwPageError),
            },
          },
          'customFieldPreset is revoked': { customFieldPreset: createRevokedProxy([]) },
          'items of customFieldPreset throw': {
            customFieldPreset: [createRevokedProxy({}), createObjectWithThrowingGetter('id')],
          },
          'analyticsTracking is revoked': { analyticsTracking: createRevokedProxy({}) },
          'callbacks are revoked': {
            onLoad: createRevokedProxy(throwPageError),
            onSuccess: createRevokedProxy(throwPageError),
          },
        }).map(([title, settings]) => [title, { settings }]),
      ),
    };

    const expectDonationSucceeds = async (form: DonationFormElement) => {
      fillDonor(form);
      await submitForm(form);
      expect(getText(form, 'h2')).to.equal('Thank you, Ana!');
      // Formatting a revoked proxy would throw.
      expect(Array.isArray((await form.explain())?.settings)).to.equal(true);
      await waitUntil(() => form.shadowRoot!.querySelector('[part=debug]') !== null);
    };

    afterEach(() => {
      delete page.ServiceDonorsForms;
    });

    for (const [title, holder] of Object.entries(holders))
      it(title, async () => {
        page.ServiceDonorsForms = holder;
        await expectDonationSucceeds(await testPage.showForm('', { debug: '' }));
      });

    for (const [title, holder] of Object.entries(holders).slice(0, 3))
      it(`${title}, set after the form was loaded`, async () => {
        const form = await testPage.showForm('', { debug: '' });
        page.ServiceDonorsForms = holder;
        await expectDonationSucceeds(form);
      });

    it("the element's settings are revoked", async () => {
      const form = await testPage.showForm('', { debug: '' });
      form.settings = createRevokedProxy({});
      await waitUntilIdle(form);
      await expectDonationSucceeds(form);
      expect(
        (await form.explain())?.unrecognized.filter(({ source }) => source === 'element'),
      ).to.deep.equal([{ source: 'element', name: 'settings', reason: 'wrong-type' }]);
    });
  });

  it('rules 3, 11, 12, 19, and 28: logs misspelled, repeated, and unreadable settings once per page', async () => {
    const messages = await collectWarnings(async () => {
      for (let count = 0; count < 2; count += 1) {
        const wrongSettings: object = {
          giftinfo: { amount: 75 },
          onsuccess: () => undefined,
          giftInfo: {
            frequency: 'one-time',
            get comments(): string {
              throw new Error('page');
            },
            giftArrays: [
              { value: '25', isDefault: true },
              { value: '50', isDefault: true },
            ],
          },
          onLoad: 'later',
        };
        setPageSettings(wrongSettings);
        const form = await testPage.showForm('?ammount=75&page_id=7&amt=25&AMT=50&FName=Ana');
        await waitUntilIdle(form);
      }
      await aTimeout(100);
    });
    expect(messages.toSorted()).to.deep.equal([
      'donation-form: Ignored a repeated AMT in the URL: only the first value applies.',
      'donation-form: Ignored a repeated giftInfo.giftArrays[1].isDefault in window.ServiceDonorsForms.settings: only the first value applies.',
      'donation-form: Ignored ammount in the URL: unknown name; the closest name is amount.',
      'donation-form: Ignored giftInfo.comments in window.ServiceDonorsForms.settings: reading the value throws an error.',
      'donation-form: Ignored giftinfo in window.ServiceDonorsForms.settings: unknown name; the closest name is giftInfo.',
      'donation-form: Ignored onLoad in window.ServiceDonorsForms.settings: the value has the wrong type.',
      'donation-form: Ignored onsuccess in window.ServiceDonorsForms.settings: unknown name; the closest name is onSuccess.',
      'donation-form: The value of giftInfo.frequency in window.ServiceDonorsForms.settings is a synonym; use once, monthly, quarterly, or annually instead.',
    ]);
  });

  it('rule 34: reports an unknown project to the page and the endpoint without its value, and uses the default', async () => {
    const events = testPage.recordEvents('donation-form-setting-ignored');
    const form = await testPage.showForm(
      '?fund-code=WATTER&src=MAIL26&array-amounts=25,x&email=*|EMAIL|*&amt=',
    );
    await waitUntil(() => testPage.settingsReports.length > 0);
    form.refresh();
    await waitUntilIdle(form);
    expect(
      events.map((event) => [event.setting, event.source, event.settingName, event.reason]),
    ).to.deep.equal([
      ['giftArray', 'url', 'array-amounts[1]', 'invalid'],
      ['projectOverride', 'url', 'fund-code', 'not-offered'],
      ['email', 'url', 'email', 'merge-tag'],
    ]);
    expect(JSON.stringify(events)).not.to.contain('WATTER');
    expect(testPage.settingsReports).to.deep.equal([
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
    expect(getValue(form, 'project')).to.equal('1');
  });

  it('reports nothing if the page cancels the event', async () => {
    const preventDefault = (event: Event): void => event.preventDefault();
    document.addEventListener('donation-form-setting-ignored', preventDefault);
    const form = await testPage.showForm('?fund-code=WATTER');
    await waitUntilIdle(form);
    document.removeEventListener('donation-form-setting-ignored', preventDefault);
    expect(testPage.settingsReports).to.deep.equal([]);
  });

  it('rule 35: ignore-params excludes single parameters', async () => {
    const form = await testPage.showFilledForm('?SRC=theirs&amt=75', {
      'ignore-params': 'src, comment',
    });
    await submitForm(form);
    expect(testPage.requests[0]?.gift)
      .to.include({ amount: 7_500 })
      .and.not.have.property('segment');
  });

  it('rule 41: prefers the URL to a late setting', async () => {
    const form = await testPage.showFilledForm('?amt=75&src=LINK');
    setPageSettings({ giftInfo: { amount: 25, segmentOverrideCode: 'LATE' } });
    await submitForm(form);
    expect(testPage.requests.map(({ gift }) => [gift.amount, gift.segment])).to.deep.equal([
      [7_500, 'LINK'],
    ]);
  });

  it('rule 42: ignores an invalid email of a link, and validates a typed one on blur', async () => {
    const form = await testPage.showForm('?email=ana&fname=Ana');
    expect([getValue(form, 'email'), getValue(form, 'firstName')]).to.deep.equal(['', 'Ana']);
    await waitForPaymentField(form);
    enterText(form, 'email', 'ana');
    findElement(form, '[name=email]').dispatchEvent(
      new FocusEvent('focusout', { bubbles: true, composed: true }),
    );
    await form.updateComplete;
    expect(getText(form, '#email-error')).to.contain('name@example.org');
  });

  it('reads, and removes from the URL, values that a mailer encoded in another way', async () => {
    const form = await testPage.showForm('?email=ana%2540example.org&amp;fname=Jos%E9');
    expect([getValue(form, 'email'), getValue(form, 'firstName')]).to.deep.equal([
      'ana@example.org',
      'José',
    ]);
    expect(location.search).not.to.match(/email|fname/);
  });

  it('rule 43: removes personal data from the URL, keeps the rest and history.state, and passes it to later forms', async () => {
    history.replaceState({ page: 7 }, '');
    const search =
      '?FName=Ana&lastname=So%20uza&EMAIL=ana@example.org&phone=5&address=Road&city=Bath&state=x&country=GB&utm_source=mail&amt=75&flag&q=a+b%20c';
    const states: unknown[] = [];
    const replace = history.replaceState.bind(history);
    history.replaceState = (state: unknown, ...others: [string, (string | URL)?]) => {
      states.push(state);
      replace(state, ...others);
    };
    const form = await testPage.showForm(search);
    history.replaceState = replace;
    expect(new URL(testPage.urlAfterLoad).search).to.equal(
      '?city=Bath&state=x&country=GB&utm_source=mail&amt=75&flag&q=a+b%20c',
    );
    expect(states.length).to.equal(3);
    expect(getValue(form, 'lastName')).to.equal('So uza');
    const later = await testPage.showForm('?amt=25');
    expect([
      getValue(later, 'firstName'),
      getValue(later, 'email'),
      getText(later, button),
    ]).to.deep.equal(['Ana', 'ana@example.org', 'Give $25']);
    const explanation = await later.explain();
    expect(
      explanation?.settings.find(({ setting }) => setting === 'firstName')?.applied?.source,
    ).to.equal('landing');
  });

  it('rules 43, 64, 65, and 66: fills optional sections from a link, and removes the name of a tribute from the URL', async () => {
    testPage.definition = {
      ...exampleForm,
      allowTribute: true,
      consents: [{ id: 'news', text: 'Email me.', required: false }],
    };
    const link = '?tribute=memory&tribute-name=Rosa&consent.news=yes&field.13=true&city=Lima';
    const form = await testPage.showForm(link, {}, false);
    expect(location.search).to.equal('?tribute=memory&consent.news=yes&field.13=true&city=Lima');
    const next = await testPage.showForm();
    for (const shown of [form, next]) {
      expect(findElement(shown, '[name="tribute.kind"][value=memory]').checked).to.equal(true);
      expect(findElement(shown, '[name="tribute.name"]').value).to.equal('Rosa');
      expect(findElement(shown, '[name="consent.news"]').checked).to.equal(false);
    }
    fillDonor(form);
    await submitForm(form);
    const [request] = testPage.requests;
    expect([
      request?.gift.tribute,
      request?.consents?.[0]?.given,
      request?.customFields,
    ]).to.deep.equal([{ kind: 'memory', name: 'Rosa' }, false, [{ id: '13', value: 'true' }]]);
    history.replaceState(null, '', location.pathname);
  });

  it('rule 43: keeps the URL with keep-url-params, and parameters that are ignored', async () => {
    for (const [name, value] of Object.entries({
      'keep-url-params': '',
      'ignore-params': 'fname',
      'url-params': 'off',
    })) {
      await testPage.showForm('?fname=Ana&amt=75', { [name]: value });
      expect(new URL(testPage.urlAfterLoad).search, name).to.equal('?fname=Ana&amt=75');
    }
  });

  it('rule 43: removes personal data from the URL of a page with another base URL', async () => {
    const base = document.createElement('base');
    base.href = 'https://cdn.example.org/x/';
    document.head.append(base);
    await testPage.showForm('?fname=Bo&amt=75').finally(() => base.remove());
    expect(new URL(testPage.urlAfterLoad).search).to.equal('?amt=75');
  });

  it('rule 54: applies URL and settings to all forms that do not opt out', async () => {
    Object.assign(window, {
      ServiceDonorsForms: {
        settings: { giftInfo: { amount: 25 } },
        winter: { giftInfo: { amount: 60, frequency: 'monthly' } },
      },
    });
    expect(getText(await testPage.showForm('?amt=75'), button)).to.equal('Give $75');
    expect(getText(await testPage.showForm('?amt=75', { 'url-params': 'off' }), button)).to.equal(
      'Give $25',
    );
    expect(getText(await testPage.showForm('', { 'settings-key': 'winter' }), button)).to.equal(
      'Give $60 a month',
    );
  });

  it('rule 54: submits several forms one at a time, each with its callback', async () => {
    const amounts: number[] = [];
    setPageSettings({
      onSuccess: ({ amount }: { amount: number }) => {
        amounts.push(amount);
      },
    });
    const first = await testPage.showForm();
    const second = await testPage.showForm('?amt=75');
    let underWay = 0;
    let most = 0;
    const respondSlowly = async (request: DonationRequest): Promise<Response> => {
      most = Math.max(most, (underWay += 1));
      await aTimeout(100);
      underWay -= 1;
      return createSuccess(request);
    };
    testPage.responses.push(respondSlowly, respondSlowly);
    for (const form of [first, second]) fillDonor(form);
    await Promise.all([submitForm(first), submitForm(second)]);
    await waitUntil(() => amounts.length === 2);
    const posted = testPage.requests.map((request) => request.gift.total);
    expect([most, posted.toSorted(), amounts.toSorted()]).to.deep.equal([
      1,
      [5_000, 7_500],
      [50, 75],
    ]);
  });

  it('rule 55: reads the URL when a form is added, and keeps the input of a form that is moved', async () => {
    const form = await testPage.showForm('?amt=75');
    enterText(form, 'firstName', 'Zoe');
    const parent = form.parentElement!;
    const originalUrl = location.href;
    form.remove();
    history.replaceState(null, '', '?amt=25&fname=Maria');
    parent.append(form);
    await form.updateComplete;
    history.replaceState(null, '', originalUrl);
    expect([getText(form, button), getValue(form, 'firstName')]).to.deep.equal(['Give $25', 'Zoe']);
  });

  it('rule 56: keeps the first of two script versions and logs a warning', async () => {
    const { DonationFormElement } = await import('../../src/donation-form/form/donation-form.ts');
    const messages = await collectWarnings(loadSecondCopy);
    expect(customElements.get('donation-form')).to.equal(DonationFormElement);
    expect(messages).to.deep.equal([]);
    const get = customElements.get.bind(customElements);
    customElements.get = () =>
      class extends HTMLElement {
        static readonly version = '0.0.9';
      };
    const laterMessages = await collectWarnings(async (warnings) => {
      await loadThirdCopy();
      await waitUntil(() => warnings.length > 0);
    });
    customElements.get = get;
    expect(laterMessages).to.deep.equal([
      'donation-form: This page already has version 0.0.9, so version ' +
        `${DonationFormElement.version} is ignored. Remove one of the two script tags.`,
    ]);
  });

  it('shows the debug panel on request by URL or attribute', async () => {
    const form = await testPage.showForm('?amt=75&fund-code=WATTER&ammount=5&donation-form-debug');
    await waitUntil(() => form.shadowRoot!.querySelector('.debug'));
    expect(getText(form, '.debug'))
      .to.contain('75 from the URL, as amt')
      .and.to.contain(
        'WATTER from the URL, as fund-code, ignored: this form does not offer this value; ' +
          'it offers GENERAL, WATER',
      )
      .and.to.contain('ammount')
      .and.to.contain('did you mean amount?');
    const other = await testPage.showForm('', { debug: '' });
    await waitUntil(() => other.shadowRoot!.querySelector('.debug') !== null);
    other.frequency = 'annually';
    await waitUntil(() =>
      getText(other, '.debug').includes('annually from the element, as frequency'),
    );
    expect((await testPage.showForm('?amt=75')).shadowRoot!.querySelector('.debug')).to.equal(null);
  });

  it('names mistakes in HTML and CSS on the console and in the debug panel', async () => {
    const section = document.createElement('section');
    section.innerHTML = `
      <donation-form endpoint="https://give.test/" formId="winter" settingsKey="other" debug />
      <p>Thank you.</p>
      <footer>We write to you in spring.</footer>`;
    const page = document.createElement('div');
    page.innerHTML =
      '<donation-button coverCosts="true" style="--donation-accent: currentColor"></donation-button>' +
      '<div data-donation-form data-endpoint="https://give.test/" data-ignoreParams="id" style="--donation-accent: transparent"></div>';
    const form = section.querySelector('donation-form')!;
    form.style.cssText =
      '--donation-accent: 7a2e8e; --donation-surface: whitte; --donation-radius: 7; ' +
      '--donation-gap: 2; --donation-field-border-width: 1; --donation-danger: none';
    const warnings = await collectWarnings(async (messages) => {
      document.body.append(page, section);
      await waitUntil(() => form.shadowRoot?.querySelector('.debug'));
      await waitUntil(() => messages.some((message) => message.includes('may contain')));
    });
    const panel = listIgnored(form);
    page.remove();
    section.remove();
    const mistakes = [
      '<donation-form> ignores the attribute formid; write form-id.',
      '<donation-form> ignores the attribute settingskey; write settings-key.',
      '--donation-accent is invalid (7a2e8e); write a color, such as #7a2e8e.',
      '--donation-danger is invalid (none); write a color, such as #7a2e8e.',
      '--donation-surface is invalid (whitte); write a color, such as #7a2e8e.',
      '--donation-field-border-width is invalid (1); write lengths with units, such as 1px.',
      '--donation-radius is invalid (7); write a length with a unit, such as .5em.',
      '--donation-gap is invalid (2); write a length with a unit, such as .5em.',
      '<donation-button> ignores the attribute covercosts; write cover-costs.',
      '--donation-accent is invalid (currentColor); write a color, such as #7a2e8e.',
      '<div> ignores the attribute data-ignoreparams; write data-ignore-params.',
      '--donation-accent is invalid (transparent); write a color, such as #7a2e8e.',
      '<donation-form> may contain what follows it, because HTML ignores the slash in <donation-form … />; write <donation-form …></donation-form>.',
    ];
    expect(panel).to.deep.equal(mistakes);
    for (const mistake of mistakes) expect(warnings).to.contain(`donation-form: ${mistake}`);
  });

  it('warns about no valid HTML and CSS', async () => {
    const page = document.createElement('div');
    page.innerHTML = `
      <donation-form endpoint="https://give.test/" form-id="winter" class="a" data-url="b" debug
        style="--donation-accent: light-dark(#7a2e8e, #e3a6f2); --donation-surface: none;
          --donation-text: inherit; --donation-border: color-mix(in srgb, currentcolor 60%, white);
          --donation-muted: var(--missing); --donation-choice-background: var(--missing);
          --donation-field-border-width: 0 0 1px; --donation-radius: 0;
          --donation-heading-font: 'Arial Narrow', sans-serif">
        <p>You can also write to us.</p>
        <p><a href="/other">Other ways to give</a></p>
      </donation-form>
      <div><donation-form endpoint="https://give.test/" debug><b>Or</b><a href="/other">Other ways to give</a></donation-form></div>
      <div><donation-form endpoint="https://give.test/" debug>Loading… <a href="/card">By card</a> or <a href="/bank">by bank</a></donation-form></div>`;
    const inBody = document.createElement('donation-form');
    inBody.setAttribute('endpoint', 'https://give.test/');
    inBody.setAttribute('debug', '');
    const placeholder = document.createElement('div');
    placeholder.setAttribute('data-donation-form', '');
    for (const element of [inBody, placeholder])
      element.innerHTML = '\n<p>Give by card.</p>\n<p>Give by bank.</p>\n';
    const footers = [document.createElement('footer'), document.createElement('footer')] as const;
    const forms = [inBody, ...page.querySelectorAll('donation-form')];
    const warnings = await collectWarnings(async () => {
      document.body.append(inBody, footers[0], placeholder, footers[1], page);
      await waitUntil(() => forms.every((form) => form.shadowRoot?.querySelector('.debug')));
    });
    expect(forms.flatMap(listIgnored)).to.deep.equal([]);
    expect(warnings).to.deep.equal([]);
    for (const element of [inBody, placeholder, ...footers, page]) element.remove();
  });

  it('selects the marked suggestion, even if another has the same amount', async () => {
    setPageSettings({
      giftInfo: {
        giftArrays: [
          { value: '10', description: 'A' },
          { value: '10', description: 'B', isSelected: true },
        ],
      },
    });
    expect(getCheckedValue(await testPage.showForm(), 'amount')).to.equal('1');
  });

  it('rule 17: shows the amount of a link as first suggestion if custom amounts are not allowed', async () => {
    testPage.definition = { ...testPage.definition, allowCustomAmount: false };
    const form = await testPage.showForm('?amt=60');
    expect([
      form.shadowRoot!.querySelector('.custom-amount'),
      getCheckedValue(form, 'amount'),
      getText(form, '.tiles .choice'),
    ]).to.deep.equal([null, '0', '$60']);
  });
});
