import '../../src/donation-form/button/define.ts';
import '../../src/donation-form/goal/define.ts';
import { expect } from '@open-wc/testing';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { registerColors } from '../../src/donation-form/page/register-colors.ts';
import { fillDonor, findElement, submitForm, testPage, waitUntil } from './support.ts';

/** Converts any CSS color to red, green, and blue, 0 to 255. */
function readPixel(color: string): readonly number[] {
  const context = document.createElement('canvas').getContext('2d')!;
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
}

/** WCAG 2.2, 'relative luminance'. */
function getLuminance(color: string): number {
  const [r = 0, g = 0, b = 0] = readPixel(color).map((value) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG 2.2, 'contrast ratio'. */
function getContrast(first: string, second: string): number {
  const [darker = 0, lighter = 0] = [getLuminance(first), getLuminance(second)].sort(
    (a, b) => a - b,
  );
  return (lighter + 0.05) / (darker + 0.05);
}

const getStyle = (
  form: DonationFormElement,
  selector: string,
  pseudo?: string,
): CSSStyleDeclaration => getComputedStyle(findElement(form, selector), pseudo);

describe('theming', () => {
  let form: DonationFormElement;
  beforeEach(async () => {
    form = await testPage.showForm();
    const noMotion = new CSSStyleSheet();
    noMotion.replaceSync('* { transition: none !important }');
    form.shadowRoot!.adoptedStyleSheets.push(noMotion);
  });

  it("stays below a page's header with z-index 1", async () => {
    const choice = [...form.shadowRoot!.querySelectorAll('.tiles .choice')].find((one) =>
      one.querySelector(':checked'),
    )!;
    choice.scrollIntoView({ block: 'center' });
    // The check mark ignores the pointer, so elementFromPoint() does not find it otherwise.
    const isHit = new CSSStyleSheet();
    isHit.replaceSync('.tiles .choice::before { pointer-events: auto !important }');
    form.shadowRoot!.adoptedStyleSheets.push(isHit);
    const { right, top } = choice.getBoundingClientRect();
    const findTopElement = (): Element | null => document.elementFromPoint(right - 18, top - 2);
    // The check mark comes with the styles that load at the first input.
    choice.querySelector('input')!.focus();
    await waitUntil(() => getComputedStyle(choice, '::before').content !== 'none');
    expect(findTopElement()?.localName).to.equal('donation-form');
    const header = document.createElement('header');
    header.style.cssText = 'position: fixed; z-index: 1; inset: 0';
    document.body.prepend(header);
    const topElement = findTopElement();
    header.remove();
    expect(topElement?.localName).to.equal('header');
  });

  it('applies each custom property', async () => {
    const setProperty = (name: string, value: string): void =>
      form.style.setProperty(`--donation-${name}`, value);
    for (const [index, name] of [
      'accent',
      'on-accent',
      'text',
      'muted',
      'surface',
      'field-background',
      'border',
      'danger',
      'success',
    ].entries())
      setProperty(name, `rgb(100, 100, ${100 + index})`);
    setProperty('radius', '7px');
    setProperty('gap', '51px');
    const createColor = (index: number): string => `rgb(100, 100, ${100 + index})`;
    const button = getStyle(form, 'button[type=submit]');
    const field = getStyle(form, '#firstName-control');
    expect([
      button.backgroundColor,
      button.color,
      getStyle(form, 'legend').color,
      getStyle(form, '.hint').color,
    ]).to.deep.equal([0, 1, 2, 3].map(createColor));
    expect([
      getComputedStyle(form).backgroundColor,
      field.backgroundColor,
      field.borderTopColor,
    ]).to.deep.equal([4, 5, 6].map(createColor));
    expect([
      button.borderTopLeftRadius,
      field.borderTopLeftRadius,
      getStyle(form, '.tiles .face').borderTopLeftRadius,
      getStyle(form, 'form').rowGap,
    ]).to.deep.equal(['8.4px', '7px', '8.4px', '51px']);
    await submitForm(form);
    expect(getStyle(form, '.error').color).to.equal(createColor(7));
    fillDonor(form);
    await submitForm(form);
    expect(getStyle(form, '.status-icon').stroke).to.equal(createColor(8));
  });

  const INVALID_COLORS = [
    '7a2e8e',
    '#7a2e8',
    'purpel',
    '12px',
    'var(--missing)',
    'var(--missing,)',
  ];
  const VALID_COLORS = [
    '#7a2e8e',
    'light-dark(#7a2e8e, #e3a6f2)',
    'lab(30 40 -40)',
    'var(--brand)',
  ];

  for (const scheme of ['light', 'dark'])
    it(`shows its own colors instead of invalid ones, ${scheme}`, async () => {
      form.style.colorScheme = scheme;
      await submitForm(form);
      const usual = readPaint(form);
      for (const name of [
        'accent',
        'on-accent',
        'text',
        'muted',
        'surface',
        'field-background',
        'border',
        'danger',
        'success',
      ]) {
        for (const value of INVALID_COLORS) {
          form.style.setProperty(`--donation-${name}`, value);
          expect(readPaint(form), `${name}: ${value}`).to.equal(usual);
          form.style.removeProperty(`--donation-${name}`);
        }
      }
    });

  it('has readable text on a light accent color if its text color is invalid', () => {
    form.style.cssText = '--donation-accent: #ffe600; --donation-on-accent: 1a1a1a';
    const button = getStyle(form, 'button[type=submit]');
    expect(getContrast(button.color, button.backgroundColor)).to.be.at.least(4.5);
  });

  for (const value of VALID_COLORS)
    it(`accepts ${value}`, () => {
      for (const [scheme, color] of [
        ['light', '#7a2e8e'],
        ['dark', value.startsWith('light-dark') ? '#e3a6f2' : '#7a2e8e'],
      ] as const) {
        form.style.cssText = `color-scheme: ${scheme}; --brand: #7a2e8e; --donation-accent: ${value}`;
        const [red, green, blue] = readPixel(getStyle(form, 'button[type=submit]').backgroundColor);
        expect([red, green, blue]).to.deep.equal(
          value.startsWith('lab') ? readPixel(value) : readPixel(color),
        );
      }
    });

  /** Shows a form in a container with the given styles. */
  const showFormInContainer = async (
    styles: string,
  ): Promise<[DonationFormElement, HTMLElement]> => {
    const container = document.createElement('div');
    container.style.cssText = styles;
    document.body.append(container);
    testPage.container = container;
    const shown = await testPage.showForm();
    await waitUntil(() => shown.shadowRoot!.querySelector('[name=website]'));
    return [shown, container];
  };

  it('shows its own accent color instead of an invalid one on a dark page that does not set color-scheme', async () => {
    const [shown, container] = await showFormInContainer(
      'background: #101820; color: #eee; --donation-accent: 7a2e8e',
    );
    expect(getStyle(shown, 'button[type=submit]').backgroundColor).to.equal('rgb(111, 220, 177)');
    container.remove();
  });

  for (const scheme of ['light', 'dark'])
    it(`shows the colors of a goal, a button, and its dialog instead of invalid ones, ${scheme}`, async () => {
      registerColors(); // As a second script on the page does.
      const root = document.documentElement;
      root.style.colorScheme = scheme;
      const goal = document.createElement('donation-goal');
      const button = document.createElement('donation-button');
      button.innerHTML = '<a href="/give">Give</a>';
      for (const element of [goal, button]) element.setAttribute('endpoint', 'https://give.test/');
      document.body.append(goal, button);
      await button.open();
      await waitUntil(() => goal.shadowRoot!.querySelector('progress'));
      const link = button.querySelector('a')!;
      const dialog = document.querySelector('.donation-dialog')!;
      const readColors = (): string[] => [
        getComputedStyle(goal.shadowRoot!.querySelector('progress')!).color,
        getComputedStyle(link).backgroundColor,
        getComputedStyle(link).color,
        getComputedStyle(dialog).backgroundColor,
        getComputedStyle(dialog).color,
      ];
      const usual = readColors();
      for (const value of INVALID_COLORS) {
        for (const name of ['accent', 'on-accent', 'surface', 'text'])
          root.style.setProperty(`--donation-${name}`, value);
        expect(readColors(), value).to.deep.equal(usual);
      }
      for (const name of ['accent', 'on-accent', 'surface', 'text'])
        root.style.setProperty(`--donation-${name}`, '#123456');
      expect(readColors()).to.deep.equal(usual.map(() => 'rgb(18, 52, 86)'));
      const gradient = 'linear-gradient(rgb(1, 2, 3), rgb(4, 5, 6))';
      root.style.setProperty('--donation-surface', gradient);
      const { backgroundImage, backgroundColor } = getComputedStyle(dialog);
      expect([backgroundImage, backgroundColor]).to.deep.equal([gradient, usual[3]]);
      root.style.cssText = '';
      goal.remove();
      button.remove();
    });

  it('has readable text on any accent color', () => {
    const levels = [0, 51, 102, 153, 204, 255];
    const lowContrast: string[] = [];
    for (const r of levels) {
      for (const g of levels) {
        for (const b of levels) {
          form.style.setProperty('--donation-accent', `rgb(${r}, ${g}, ${b})`);
          const { color, backgroundColor } = getStyle(form, 'button[type=submit]');
          if (getContrast(color, backgroundColor) < 4.4)
            lowContrast.push(`${backgroundColor}: ${getContrast(color, backgroundColor)}`);
        }
      }
    }
    expect(lowContrast).to.deep.equal([]);
  });

  for (const [name, scheme, ground, accent] of [
    ['yellow on white', 'light', '#fff', '#ffe600'],
    ['white on white', 'light', '#fff', '#fff'],
    ['night blue on black', 'dark', '#121212', '#0a0a2a'],
    ['black on black', 'dark', '#121212', '#000'],
  ] as const) {
    it(`marks the selection with enough contrast: ${name}`, () => {
      form.style.colorScheme = scheme;
      form.style.setProperty('--donation-accent', accent);
      const button = getStyle(form, 'button[type=submit]');
      const selected = getStyle(form, '.native:checked + .face');
      expect(getContrast(button.color, button.backgroundColor)).to.be.at.least(4.5);
      expect(getContrast(selected.boxShadow.split(' 0px')[0]!, ground)).to.be.at.least(3);
    });
  }

  it('stays readable on a dark page that does not set color-scheme', async () => {
    const [dark, container] = await showFormInContainer('background: #101820; color: #eee');
    const getContrasts = (background: string): number[] => [
      getContrast(resolveColor(dark, 'var(--_donation-danger)'), background),
      getContrast(resolveColor(dark, 'var(--highlight)'), background),
      getContrast(resolveColor(dark, 'var(--_donation-muted)'), background),
    ];
    for (const contrast of getContrasts('#101820')) expect(contrast).to.be.greaterThan(4.5);
    container.remove();
  });

  it('follows a page that switches between dark and light colors', async () => {
    const { body } = document;
    const style = document.createElement('style');
    style.textContent = 'body { transition: color 50ms } body.night { color: #eee }';
    document.head.append(style);
    body.className = 'night';
    const [shown, container] = await showFormInContainer('');
    const getScheme = (): string => getStyle(shown, '.root').colorScheme;
    expect(getScheme()).to.equal('dark');
    body.className = '';
    await waitUntil(() => getScheme() !== 'dark');
    body.className = 'night';
    await waitUntil(() => getScheme() === 'dark');
    body.className = '';
    style.remove();
    container.remove();
  });

  it('has legible text if the page has a root font size of 62.5%', async () => {
    document.documentElement.style.fontSize = '62.5%';
    const [small, container] = await showFormInContainer('font-size: 1rem');
    const sizes = ['.label', 'legend', '.hint', 'button[type=submit]'].map((selector) =>
      parseFloat(getStyle(small, selector).fontSize),
    );
    document.documentElement.style.fontSize = '';
    for (const size of sizes) expect(size).to.be.at.least(12);
    container.remove();
  });

  for (const [name, styles] of [
    ['with text of 200% on a phone', 'width: 310px; font-size: 32px'],
    ['in a column of 180px', 'width: 170px'],
  ] as const)
    it(`does not overflow ${name}`, async () => {
      const [, container] = await showFormInContainer(`${styles}; overflow: auto; padding: 5px`);
      expect(container.scrollWidth).to.equal(container.clientWidth);
      container.remove();
    });

  for (const styles of ['float: right', 'display: inline-flex', 'display: table-cell'])
    it(`is wide enough in a box that shrinks to fit: ${styles}`, async () => {
      const [shown, container] = await showFormInContainer(styles);
      const width = shown.getBoundingClientRect().width;
      expect(width).to.be.at.least(Math.min(480, innerWidth * 0.6));
      expect(width).to.be.at.most(innerWidth);
      container.remove();
    });
});

/** Describes the colors and borders of everything that a form shows. */
function readPaint(form: DonationFormElement): string {
  return [form, ...form.shadowRoot!.querySelectorAll('*')]
    .flatMap((element) =>
      [undefined, '::before', '::after'].map((pseudo) => [element, pseudo] as const),
    )
    .map(([element, pseudo]) => {
      const style = getComputedStyle(element, pseudo);
      return [
        `${element.localName}.${element.getAttribute('class')}${pseudo ?? ''}`,
        style.color,
        style.backgroundColor,
        style.boxShadow,
        style.borderTop,
        style.borderBottom,
        style.fill,
        style.stroke,
      ].join(' ');
    })
    .join('\n');
}

/** Resolves a CSS color value in the form to the color that is used. */
function resolveColor(form: DonationFormElement, value: string): string {
  const probe = document.createElement('i');
  probe.style.color = value;
  form.shadowRoot!.querySelector('.root')!.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
