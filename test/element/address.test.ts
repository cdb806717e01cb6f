import { aTimeout, expect, fixture, html } from '@open-wc/testing';
import { LitElement, type TemplateResult } from 'lit';
import type { AddressFormat } from '../../src/core/schemas/address-format.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { AddressSource } from '../../src/donation-form/sections/address-format-loader.ts';
import { addressSection, addressWords } from '../../src/donation-form/sections/address.ts';
import { styles } from '../../src/donation-form/form/styles.ts';
import {
  addressProblems,
  stateAfter,
  type AddressProblem,
} from '../../src/donation-form/state/address.ts';
import { ADDRESS_FIELDS } from '../../src/core/donor/address.ts';
import type { DonorField } from '../../src/core/donor/donor.ts';
import { enAddress } from '../../src/core/i18n/en-address.ts';
import { en } from '../../src/core/i18n/en.ts';
import { accessible, waitUntil } from './support.ts';

const labels = { city: 'city', state: 'province', postal: 'postal' } as const;
const street: AddressFormat['lines'] = [['address1'], ['address2']];
/** As the endpoint has them, with two states each. */
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

/** A form that is only an address, as the donation form would hold one. */
class AddressForm extends LitElement {
  static override styles = styles;
  donor: Partial<Record<DonorField, string>> = {};
  problems: readonly AddressProblem[] = [];
  language = 'en';
  base = '';
  source!: AddressSource;

  override connectedCallback(): void {
    super.connectedCallback();
    this.source = new AddressSource(this.base, this.language, (former) => {
      this.donor = {
        ...this.donor,
        state: stateAfter(this.donor.state ?? '', former, this.source.format),
      };
      this.requestUpdate();
    });
  }

  protected override willUpdate(): void {
    void this.source.choose(this.donor.country ?? '');
  }

  check(): void {
    this.problems = addressProblems(this.donor, this.source.format, FIELDS);
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
    return html`<div class="root"><form novalidate @input=${this.#read} @change=${this.#read}><div class="fields">${addressSection({ form: en, texts: enAddress, fields: FIELDS, donor: this.donor, fieldErrors: this.problems.map((problem) => ({ control: problem.control, message: addressWords(problem, en, enAddress, this.source.format) })), source: this.source })}</div></form></div>`;
  }
}
customElements.define('address-form', AddressForm);

describe('the address', () => {
  const fetchOfPage = window.fetch.bind(window);
  let asked: string[];
  let isDown: boolean;
  let wait: Promise<unknown> | undefined;
  let base = 0;
  beforeEach(() => {
    asked = [];
    isDown = false;
    wait = undefined;
    base += 1;
    window.fetch = async (input) => {
      const { pathname } = new URL(input as string);
      const [, , , code] = pathname.split('/');
      asked.push(pathname.split('/').slice(2).join('/'));
      await wait;
      if (isDown) throw new TypeError('Failed to fetch');
      return code === undefined
        ? Response.json(
            ['US', 'AU', 'DE', 'JP', 'GB'].map((one) => ({ code: one, alpha3: `${one}X` })),
          )
        : Response.json(FORMATS[code]);
    };
  });
  afterEach(() => {
    window.fetch = fetchOfPage;
  });

  /** Shows an address with a preset, once its country's format is there. */
  async function show(donor: AddressForm['donor'] = {}, language = 'en'): Promise<AddressForm> {
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
  const control = (form: AddressForm, name: string): HTMLInputElement =>
    form.shadowRoot!.querySelector<HTMLInputElement>(`[name=${name}]`)!;
  const shown = (form: AddressForm): string =>
    Array.from(
      form.shadowRoot!.querySelectorAll<HTMLInputElement>('[name]'),
      ({ name }) => name,
    ).join(' ');
  const label = (form: AddressForm, name: string): string =>
    form
      .shadowRoot!.querySelector(`[for=${name}-control]`)!
      .textContent.trim()
      .replace(/\s+/g, ' ');
  const options = (form: AddressForm, name: string): string[] =>
    Array.from(
      form.shadowRoot!.querySelectorAll(`[name=${name}] option`),
      ({ textContent }) => textContent,
    );
  async function enter(form: AddressForm, name: string, value: string): Promise<void> {
    const entered = control(form, name);
    entered.value = value;
    entered.dispatchEvent(
      new Event(entered.matches('select') ? 'change' : 'input', { bubbles: true, composed: true }),
    );
    await form.updateComplete;
  }
  async function chooseCountry(form: AddressForm, code: string): Promise<void> {
    await form.source.nameCountries();
    await form.updateComplete;
    await enter(form, 'country', code);
    await waitUntil(() => form.source.format);
    await form.updateComplete;
  }

  for (const [code, order, names] of [
    ['US', 'country address1 address2 city state postal', ['City', 'State', 'ZIP code']],
    ['DE', 'country address1 address2 postal city', ['Postal code', 'City']],
    ['JP', 'country postal state address1 address2', ['Postal code', 'Prefecture']],
    ['GB', 'country address1 address2 city postal', ['Town or city', 'Postal code']],
  ] as const) {
    it(`stands in the order and the words of ${code}`, async () => {
      const form = await show({ country: code });
      expect(shown(form)).to.equal(order);
      expect(
        order
          .split(' ')
          .filter((name) => ['city', 'state', 'postal'].includes(name))
          .map((name) => label(form, name)),
      ).to.deep.equal(names);
      expect(label(form, 'address2')).to.equal('Address, second line optional');
      await accessible(form);
    });
  }

  it('keeps the fields of one row beside each other', async () => {
    const form = await show({ country: 'DE' });
    form.style.width = '34em';
    const top = (name: string): number => control(form, name).getBoundingClientRect().top;
    expect(top('postal')).to.equal(top('city'));
    expect(control(form, 'postal').getBoundingClientRect().left).to.be.below(
      control(form, 'city').getBoundingClientRect().left,
    );
    expect(top('address2')).to.be.above(top('address1'));
  });

  it('offers the states of a country, by name, and sends their codes', async () => {
    const form = await show({ country: 'JP' });
    expect(options(form, 'state')).to.deep.equal(['Choose', '北海道 (Hokkaido)', '東京都 (Tokyo)']);
    await enter(form, 'state', '13');
    expect(form.donor.state).to.equal('13');
    expect(control(form, 'state').autocomplete).to.equal('address-level1');
  });

  it('chooses a state that was preset by its name', async () => {
    const form = await show({ country: 'US', state: 'california' });
    expect(control(form, 'state').value).to.equal('CA');
  });

  it('names the countries only when they are needed, in the order of the language', async () => {
    const form = await show({ country: 'DE' }, 'de');
    expect(options(form, 'country')).to.deep.equal(['Choose', 'DE']);
    expect(asked).to.deep.equal(['countries/DE']);
    control(form, 'country').dispatchEvent(new PointerEvent('pointerdown'));
    await waitUntil(() => form.source.countries);
    await form.updateComplete;
    expect(options(form, 'country')).to.deep.equal([
      'Choose',
      'Australien',
      'Deutschland',
      'Japan',
      'Vereinigte Staaten',
      'Vereinigtes Königreich',
    ]);
    expect(control(form, 'country').value).to.equal('DE');
    expect(control(form, 'country').autocomplete).to.equal('country');
  });

  it('names the countries when the browser is idle', async () => {
    const form = await show();
    form.source.nameCountriesWhenIdle();
    await waitUntil(() => form.source.countries);
    await form.updateComplete;
    expect(options(form, 'country').length).to.equal(6);
    expect(control(form, 'country').value).to.equal('');
    await accessible(form);
  });

  it('keeps what was typed, and the focus, when the country changes', async () => {
    const form = await show({ country: 'US' });
    for (const [name, value] of [
      ['address1', '1 Main St'],
      ['city', 'Springfield'],
      ['postal', '97477'],
      ['state', 'CA'],
    ] as const)
      await enter(form, name, value);
    control(form, 'address1').focus();
    await chooseCountry(form, 'JP');
    expect([control(form, 'address1').value, control(form, 'postal').value]).to.deep.equal([
      '1 Main St',
      '97477',
    ]);
    expect(form.shadowRoot!.activeElement?.id).to.equal('address1-control');
    await chooseCountry(form, 'DE');
    expect([control(form, 'city').value, control(form, 'postal').value]).to.deep.equal([
      'Springfield',
      '97477',
    ]);
    expect(asked.filter((path) => path === 'countries/US').length).to.equal(1);
  });

  it('drops a state of another country, even where it has the same code', async () => {
    const form = await show({ country: 'US', state: 'WA' });
    await chooseCountry(form, 'DE');
    await chooseCountry(form, 'US');
    expect(control(form, 'state').value).to.equal('WA');
    await chooseCountry(form, 'AU');
    expect([control(form, 'state').value, form.donor.state]).to.deep.equal(['', '']);
    await chooseCountry(form, 'US');
    expect(control(form, 'state').value).to.equal('');
  });

  it('stays as it was until the new country is known, and demands nothing of the former meanwhile', async () => {
    const form = await show({ country: 'US', address1: '1', city: '2', postal: 'x' });
    await form.source.nameCountries();
    await form.updateComplete;
    wait = aTimeout(100);
    await enter(form, 'country', 'GB');
    expect(shown(form)).to.equal('country address1 address2 city state postal');
    form.check();
    expect(form.problems).to.deep.equal([]);
    await waitUntil(() => form.source.format);
    await form.updateComplete;
    expect(shown(form)).to.equal('country address1 address2 city postal');
  });

  it('draws the country that was chosen last, whichever answers first', async () => {
    const form = await show();
    await form.source.nameCountries();
    await form.updateComplete;
    const slow = (wait = aTimeout(60));
    await enter(form, 'country', 'US');
    wait = undefined;
    await chooseCountry(form, 'JP');
    await slow;
    await aTimeout(10);
    await form.updateComplete;
    expect(shown(form)).to.equal('country postal state address1 address2');
  });

  it('is plain text fields where the endpoint does not answer', async () => {
    isDown = true;
    const form = await show({ country: 'DE', state: 'Bayern' });
    await form.source.nameCountries();
    await form.updateComplete;
    expect(shown(form)).to.equal('country address1 address2 city state postal');
    expect(form.shadowRoot!.querySelectorAll('select').length).to.equal(0);
    expect([
      control(form, 'country').value,
      control(form, 'country').autocomplete,
      control(form, 'state').value,
    ]).to.deep.equal(['DE', 'country-name', 'Bayern']);
    expect(label(form, 'state')).to.equal('State or province');
    form.donor = { ...form.donor, address1: 'Am Markt 1', city: 'Bremen' };
    form.check();
    expect(form.problems).to.deep.equal([]);
    await accessible(form);
  });

  it('asks again after a failure', async () => {
    isDown = true;
    const form = await show({ country: 'US' });
    await form.source.nameCountries();
    isDown = false;
    await form.source.choose('');
    await form.source.choose('US');
    await form.source.nameCountries();
    await form.updateComplete;
    expect(control(form, 'state').matches('select')).to.equal(true);
    expect(options(form, 'country').length).to.equal(6);
  });

  it('says what is missing or wrong in the words of the country', async () => {
    const form = await show({
      country: 'US',
      address1: '1 Main St',
      city: 'Springfield',
      postal: '9501',
    });
    form.check();
    await form.updateComplete;
    expect(
      Array.from(
        form.shadowRoot!.querySelectorAll('.problem'),
        ({ id, textContent }) => `${id}: ${textContent.trim()}`,
      ),
    ).to.deep.equal([
      'state-problem: Please fill in “State”.',
      'postal-problem: Check “ZIP code”; it should look like 95014.',
    ]);
    expect(
      ['state', 'postal'].map((name) => control(form, name).getAttribute('aria-describedby')),
    ).to.deep.equal(['state-problem', 'postal-problem']);
    expect(control(form, 'postal').getAttribute('aria-invalid')).to.equal('true');
    await accessible(form);
  });
});
