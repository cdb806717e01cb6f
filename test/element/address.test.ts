import { aTimeout, expect, fixture, html } from '@open-wc/testing';
import { LitElement, type TemplateResult } from 'lit';
import { ADDRESS_FIELDS } from '../../src/core/donor/address.ts';
import type { DonorField } from '../../src/core/donor/donor.ts';
import {
  type AddressError,
  convertStateToFormat,
  validateAddress,
} from '../../src/core/form-state/address.ts';
import { enAddress } from '../../src/core/i18n/en-address.ts';
import { enForm } from '../../src/core/i18n/en-form.ts';
import type { AddressFormat } from '../../src/core/schemas/address-format.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { skeletonStyles } from '../../src/donation-form/form/skeleton-styles.ts';
import { styles } from '../../src/donation-form/form/styles.ts';
import { themeStyles } from '../../src/donation-form/form/theme-styles.ts';
import type { View } from '../../src/donation-form/form/view-model.ts';
import { getAddressErrorMessage, renderAddress } from '../../src/donation-form/sections/address.ts';
import { AddressFormatLoader } from '../../src/donation-form/sections/address-format-loader.ts';
import { expectAccessible, waitUntil } from './support.ts';

const labels = { city: 'city', state: 'province', postal: 'postal' } as const;
const street: AddressFormat['lines'] = [['address1'], ['address2']];
/** Formats as the endpoint returns them, with two states each. */
const FORMATS: Readonly<Record<string, AddressFormat>> = {
  US: {
    lines: [...street, ['city', 'state', 'postal']],
    required: ['address1', 'city', 'state', 'postal'],
    labels: { city: 'city', state: 'state', postal: 'zip' },
    states: [
      { code: 'CA', name: 'California' },
      { code: 'WA', name: 'Washington' },
    ],
    postal: { pattern: '(\\d{5})(?:[ \\-](\\d{4}))?', example: '95014' },
  },
  AU: {
    lines: [...street, ['city', 'state', 'postal']],
    required: ['address1', 'city', 'state', 'postal'],
    labels: { city: 'suburb', state: 'state', postal: 'postal' },
    states: [
      { code: 'NSW', name: 'New South Wales' },
      { code: 'WA', name: 'Western Australia' },
    ],
    postal: { pattern: '\\d{4}', example: '2060' },
  },
  DE: {
    lines: [...street, ['postal', 'city']],
    required: ['address1', 'city', 'postal'],
    labels,
    postal: { pattern: '\\d{5}', example: '26133' },
  },
  JP: {
    lines: [['postal'], ['state'], ...street],
    required: ['address1', 'state', 'postal'],
    labels: { ...labels, state: 'prefecture' },
    states: [
      { code: '01', name: '北海道', latin: 'Hokkaido' },
      { code: '13', name: '東京都', latin: 'Tokyo' },
    ],
    postal: { pattern: '\\d{3}-?\\d{4}', example: '154-0023' },
  },
  GB: {
    lines: [...street, ['city'], ['postal']],
    required: ['address1', 'city', 'postal'],
    labels: { ...labels, city: 'post_town' },
    postal: { pattern: '[A-Z\\d ]{5,8}', example: 'EC1Y 8SE' },
  },
};
const FIELDS: FormDefinition['donorFields'] = [...ADDRESS_FIELDS, 'country' as const].map(
  (name) => ({ name, required: name !== 'address2' }),
);

/** A form with address fields only. */
class AddressForm extends LitElement {
  static override styles = [themeStyles, styles, skeletonStyles];
  donor: Partial<Record<DonorField, string>> = {};
  problems: readonly AddressError[] = [];
  language = 'en';
  base = '';
  source!: AddressFormatLoader;

  override connectedCallback(): void {
    super.connectedCallback();
    this.source = new AddressFormatLoader(this.base, this.language, (former) => {
      this.donor = {
        ...this.donor,
        state: convertStateToFormat(this.donor.state ?? '', former, this.source.format),
      };
      this.requestUpdate();
    });
  }

  protected override willUpdate(): void {
    void this.source.selectCountry(this.donor.country ?? '');
  }

  validate(): void {
    this.problems = validateAddress(this.donor, this.source.format, FIELDS);
    this.requestUpdate();
  }

  readonly #read = (): void => {
    this.donor = {
      ...this.donor,
      ...Object.fromEntries(new FormData(this.renderRoot.querySelector('form')!)),
    };
    this.requestUpdate();
  };

  protected override render(): TemplateResult {
    const view = {
      texts: enForm,
      context: { definition: { donorFields: FIELDS } },
      state: { donor: this.donor },
      fieldErrors: this.problems.map((problem) => ({
        control: problem.control,
        message: getAddressErrorMessage(problem, enForm, enAddress, this.source.format),
      })),
    } as unknown as View;
    return html`<div class="root"><form novalidate @input=${this.#read} @change=${this.#read}><div class="fields">${renderAddress(view, enAddress, this.source)}</div></form></div>`;
  }
}
customElements.define('address-form', AddressForm);

describe('address fields', () => {
  const originalFetch = window.fetch.bind(window);
  let requestedPaths: string[];
  let isDown: boolean;
  let wait: Promise<unknown> | undefined;
  let base = 0;
  beforeEach(() => {
    requestedPaths = [];
    isDown = false;
    wait = undefined;
    base += 1;
    window.fetch = async (input) => {
      const { pathname } = new URL(input as string);
      const [, , , code] = pathname.split('/');
      requestedPaths.push(pathname.split('/').slice(2).join('/'));
      await wait;
      if (isDown) throw new TypeError('Failed to fetch');
      return code === undefined
        ? Response.json(
            ['US', 'AU', 'DE', 'JP', 'GB'].map((code) => ({ code, alpha3: `${code}X` })),
          )
        : Response.json(FORMATS[code]);
    };
  });
  afterEach(() => {
    window.fetch = originalFetch;
  });

  /** Shows an address with preset values and waits for its format. */
  async function showAddress(
    donor: AddressForm['donor'] = {},
    language = 'en',
  ): Promise<AddressForm> {
    const form = new AddressForm();
    form.donor = donor;
    form.language = language;
    form.base = `https://give.test/${base}/`;
    (await fixture<HTMLElement>(html`<div></div>`)).append(form);
    await form.updateComplete;
    if (donor.country && !isDown) await waitUntil(() => form.source.format);
    await form.updateComplete;
    return form;
  }
  const getControl = (form: AddressForm, name: string): HTMLInputElement =>
    form.shadowRoot!.querySelector<HTMLInputElement>(`[name=${name}]`)!;
  const getFieldOrder = (form: AddressForm): string =>
    Array.from(
      form.shadowRoot!.querySelectorAll<HTMLInputElement>('[name]'),
      ({ name }) => name,
    ).join(' ');
  const getLabel = (form: AddressForm, name: string): string =>
    form
      .shadowRoot!.querySelector(`[for=${name}-control]`)!
      .textContent.trim()
      .replace(/\s+/g, ' ');
  const listOptions = (form: AddressForm, name: string): string[] =>
    Array.from(
      form.shadowRoot!.querySelectorAll(`[name=${name}] option`),
      ({ textContent }) => textContent,
    );
  async function enterValue(form: AddressForm, name: string, value: string): Promise<void> {
    const entered = getControl(form, name);
    entered.value = value;
    entered.dispatchEvent(
      new Event(entered.matches('select') ? 'change' : 'input', { bubbles: true, composed: true }),
    );
    await form.updateComplete;
  }
  async function selectCountry(form: AddressForm, code: string): Promise<void> {
    await form.source.loadCountries();
    await form.updateComplete;
    await enterValue(form, 'country', code);
    await waitUntil(() => form.source.format);
    await form.updateComplete;
  }

  for (const [code, order, names] of [
    ['US', 'country address1 address2 city state postal', ['City', 'State', 'ZIP code']],
    ['DE', 'country address1 address2 postal city', ['Postal code', 'City']],
    ['JP', 'country postal state address1 address2', ['Postal code', 'Prefecture']],
    ['GB', 'country address1 address2 city postal', ['Town or city', 'Postal code']],
  ] as const) {
    it(`follow the order and labels of ${code}`, async () => {
      const form = await showAddress({ country: code });
      expect(getFieldOrder(form)).to.equal(order);
      expect(
        order
          .split(' ')
          .filter((name) => ['city', 'state', 'postal'].includes(name))
          .map((name) => getLabel(form, name)),
      ).to.deep.equal(names);
      expect(getLabel(form, 'address2')).to.equal('Apartment, suite, etc. optional');
      await expectAccessible(form);
    });
  }

  it('keep the fields of a row together', async () => {
    const form = await showAddress({ country: 'DE' });
    form.style.width = '34em';
    const getTop = (name: string): number => getControl(form, name).getBoundingClientRect().top;
    expect(getTop('postal')).to.equal(getTop('city'));
    expect(getControl(form, 'postal').getBoundingClientRect().left).to.be.below(
      getControl(form, 'city').getBoundingClientRect().left,
    );
    expect(getTop('address2')).to.be.above(getTop('address1'));
  });

  it('list states by name and submit their codes', async () => {
    const form = await showAddress({ country: 'JP' });
    expect(listOptions(form, 'state')).to.deep.equal([
      'Choose',
      '北海道 (Hokkaido)',
      '東京都 (Tokyo)',
    ]);
    await enterValue(form, 'state', '13');
    expect(form.donor.state).to.equal('13');
    expect(getControl(form, 'state').autocomplete).to.equal('address-level1');
  });

  it('select a state preset by name', async () => {
    const form = await showAddress({ country: 'US', state: 'california' });
    expect(getControl(form, 'state').value).to.equal('CA');
  });

  it('load the country names on demand, sorted for the language', async () => {
    const form = await showAddress({ country: 'DE' }, 'de');
    expect(listOptions(form, 'country')).to.deep.equal(['Choose', 'DE']);
    expect(requestedPaths).to.deep.equal(['countries/DE']);
    getControl(form, 'country').dispatchEvent(new PointerEvent('pointerdown'));
    await waitUntil(() => form.source.countries);
    await form.updateComplete;
    expect(listOptions(form, 'country')).to.deep.equal([
      'Choose',
      'Australien',
      'Deutschland',
      'Japan',
      'Vereinigte Staaten',
      'Vereinigtes Königreich',
    ]);
    expect(getControl(form, 'country').value).to.equal('DE');
    expect(getControl(form, 'country').autocomplete).to.equal('country');
  });

  it('load the country names when the browser is idle', async () => {
    const form = await showAddress();
    form.source.loadCountriesWhenIdle();
    await waitUntil(() => form.source.countries);
    await form.updateComplete;
    expect(listOptions(form, 'country').length).to.equal(6);
    expect(getControl(form, 'country').value).to.equal('');
    await expectAccessible(form);
  });

  it('keep input and focus when the country changes', async () => {
    const form = await showAddress({ country: 'US' });
    for (const [name, value] of [
      ['address1', '1 Main St'],
      ['city', 'Springfield'],
      ['postal', '97477'],
      ['state', 'CA'],
    ] as const)
      await enterValue(form, name, value);
    getControl(form, 'address1').focus();
    await selectCountry(form, 'JP');
    expect([getControl(form, 'address1').value, getControl(form, 'postal').value]).to.deep.equal([
      '1 Main St',
      '97477',
    ]);
    expect(form.shadowRoot!.activeElement?.id).to.equal('address1-control');
    await selectCountry(form, 'DE');
    expect([getControl(form, 'city').value, getControl(form, 'postal').value]).to.deep.equal([
      'Springfield',
      '97477',
    ]);
    expect(requestedPaths.filter((path) => path === 'countries/US').length).to.equal(1);
  });

  it('clear a state of another country, even with the same code', async () => {
    const form = await showAddress({ country: 'US', state: 'WA' });
    await selectCountry(form, 'DE');
    await selectCountry(form, 'US');
    expect(getControl(form, 'state').value).to.equal('WA');
    await selectCountry(form, 'AU');
    expect([getControl(form, 'state').value, form.donor.state]).to.deep.equal(['', '']);
    await selectCountry(form, 'US');
    expect(getControl(form, 'state').value).to.equal('');
  });

  it('keep the previous format until the new one loads, without its requirements', async () => {
    const form = await showAddress({ country: 'US', address1: '1', city: '2', postal: 'x' });
    await form.source.loadCountries();
    await form.updateComplete;
    wait = aTimeout(100);
    await enterValue(form, 'country', 'GB');
    expect(getFieldOrder(form)).to.equal('country address1 address2 city state postal');
    form.validate();
    expect(form.problems).to.deep.equal([]);
    await waitUntil(() => form.source.format);
    await form.updateComplete;
    expect(getFieldOrder(form)).to.equal('country address1 address2 city postal');
  });

  it('show the last selected country, regardless of response order', async () => {
    const form = await showAddress();
    await form.source.loadCountries();
    await form.updateComplete;
    const slow = (wait = aTimeout(60));
    await enterValue(form, 'country', 'US');
    wait = undefined;
    await selectCountry(form, 'JP');
    await slow;
    await aTimeout(10);
    await form.updateComplete;
    expect(getFieldOrder(form)).to.equal('country postal state address1 address2');
  });

  it('fall back to text inputs if the endpoint does not respond', async () => {
    isDown = true;
    const form = await showAddress({ country: 'DE', state: 'Bayern' });
    await form.source.loadCountries();
    await form.updateComplete;
    expect(getFieldOrder(form)).to.equal('country address1 address2 city state postal');
    expect(form.shadowRoot!.querySelectorAll('select').length).to.equal(0);
    expect([
      getControl(form, 'country').value,
      getControl(form, 'country').autocomplete,
      getControl(form, 'state').value,
    ]).to.deep.equal(['DE', 'country-name', 'Bayern']);
    expect(getLabel(form, 'state')).to.equal('State or province');
    form.donor = { ...form.donor, address1: 'Am Markt 1', city: 'Bremen' };
    form.validate();
    expect(form.problems).to.deep.equal([]);
    await expectAccessible(form);
  });

  it('retry after a failed request', async () => {
    isDown = true;
    const form = await showAddress({ country: 'US' });
    await form.source.loadCountries();
    isDown = false;
    await form.source.selectCountry('');
    await form.source.selectCountry('US');
    await form.source.loadCountries();
    await form.updateComplete;
    expect(getControl(form, 'state').matches('select')).to.equal(true);
    expect(listOptions(form, 'country').length).to.equal(6);
  });

  it('name errors with the labels of the country', async () => {
    const form = await showAddress({
      country: 'US',
      address1: '1 Main St',
      city: 'Springfield',
      postal: '9501',
    });
    form.validate();
    await form.updateComplete;
    expect(
      Array.from(
        form.shadowRoot!.querySelectorAll('.error'),
        ({ id, textContent }) => `${id}: ${textContent.trim()}`,
      ),
    ).to.deep.equal([
      'state-error: “State” is required.',
      'postal-error: Check “ZIP code”. It should look like 95014.',
    ]);
    expect(
      ['state', 'postal'].map((name) => getControl(form, name).getAttribute('aria-describedby')),
    ).to.deep.equal(['state-error', 'postal-error']);
    expect(getControl(form, 'postal').getAttribute('aria-invalid')).to.equal('true');
    await expectAccessible(form);
  });
});
