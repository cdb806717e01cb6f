import { expect } from '@open-wc/testing';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { Stage, fill, inside, press } from './support.ts';

/** Red, green, blue, from 0 to 255, of any colour that CSS can write. */
function pixel(colour: string): readonly number[] {
  const context = document.createElement('canvas').getContext('2d')!;
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
}

/** WCAG 2.2, 'relative luminance'. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = pixel(colour).map((value) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG 2.2, 'contrast ratio'. */
function contrast(one: string, other: string): number {
  const [less = 0, more = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
}

const styleOf = (
  form: DonationFormElement,
  selector: string,
  pseudo?: string,
): CSSStyleDeclaration => getComputedStyle(inside(form, selector), pseudo);

describe('donation-form, themed', () => {
  let stage: Stage;
  let form: DonationFormElement;
  beforeEach(async () => {
    stage = new Stage();
    form = await stage.show();
    const still = new CSSStyleSheet();
    still.replaceSync('* { transition: none !important }');
    form.shadowRoot!.adoptedStyleSheets.push(still);
  });
  afterEach(() => stage.end());

  it('takes each of its custom properties', async () => {
    const set = (name: string, value: string): void =>
      form.style.setProperty(`--donation-${name}`, value);
    for (const [index, name] of [
      'accent',
      'on-accent',
      'text',
      'muted',
      'surface',
      'field',
      'line',
      'danger',
      'success',
    ].entries())
      set(name, `rgb(100, 100, ${100 + index})`);
    set('radius', '7px');
    set('gap', '51px');
    const colour = (place: number): string => `rgb(100, 100, ${100 + place})`;
    const button = styleOf(form, 'button[type=submit]');
    const field = styleOf(form, '#firstName-control');
    expect([
      button.backgroundColor,
      button.color,
      styleOf(form, 'legend').color,
      styleOf(form, '.hint').color,
    ]).to.deep.equal([0, 1, 2, 3].map(colour));
    expect([
      getComputedStyle(form).backgroundColor,
      field.backgroundColor,
      field.borderTopColor,
    ]).to.deep.equal([4, 5, 6].map(colour));
    expect([
      button.borderTopLeftRadius,
      field.borderTopLeftRadius,
      styleOf(form, '.tiles .face').borderTopLeftRadius,
      styleOf(form, 'form').rowGap,
    ]).to.deep.equal(['7px', '7px', '7px', '51px']);
    await press(form);
    expect(styleOf(form, '.problem').color).to.equal(colour(7));
    fill(form);
    await press(form);
    expect(styleOf(form, '.tick').stroke).to.equal(colour(8));
  });

  it('writes readably on any accent', () => {
    const levels = [0, 51, 102, 153, 204, 255];
    const poor: string[] = [];
    for (const r of levels) {
      for (const g of levels) {
        for (const b of levels) {
          form.style.setProperty('--donation-accent', `rgb(${r}, ${g}, ${b})`);
          const { color, backgroundColor } = styleOf(form, 'button[type=submit]');
          if (contrast(color, backgroundColor) < 4.4)
            poor.push(`${backgroundColor}: ${contrast(color, backgroundColor)}`);
        }
      }
    }
    expect(poor).to.deep.equal([]);
  });

  for (const [name, scheme, ground, accent] of [
    ['yellow on white', 'light', '#fff', '#ffe600'],
    ['white on white', 'light', '#fff', '#fff'],
    ['night blue on black', 'dark', '#121212', '#0a0a2a'],
    ['black on black', 'dark', '#121212', '#000'],
  ] as const) {
    it(`marks what is chosen so that it can be seen, ${name}`, () => {
      form.style.colorScheme = scheme;
      form.style.setProperty('--donation-accent', accent);
      const button = styleOf(form, 'button[type=submit]');
      const chosen = styleOf(form, '.native:checked + .face');
      expect(contrast(button.color, button.backgroundColor)).to.be.at.least(4.5);
      expect(contrast(chosen.borderTopColor, ground)).to.be.at.least(3);
    });
  }
});
