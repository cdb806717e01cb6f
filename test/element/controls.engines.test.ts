import { expect } from '@open-wc/testing';
import axe from 'axe-core';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { manyProjects } from '../full-form.ts';
import { fullForm } from './forms.ts';
import {
  clickControls,
  selectCountry,
  submitForm,
  testPage,
  waitForPaymentField,
  waitUntil,
} from './support.ts';

/** Minimum touch target in pixels: WCAG 2.5.5. */
const MIN_TARGET_SIZE = 44;

/** Computes accessible names; missing in the types of axe. */
interface AxeInternals {
  readonly setup: (root: Node) => void;
  readonly teardown: () => void;
  readonly commons: { readonly text: { readonly accessibleText: (control: Element) => string } };
}
const axeInternals = axe as unknown as AxeInternals;

const listControls = (form: DonationFormElement): HTMLInputElement[] =>
  [
    ...form.shadowRoot!.querySelectorAll<HTMLInputElement>('button, input, select, textarea'),
  ].filter((control) => control.getClientRects().length > 0 && !control.closest('[inert]'));
const collapseWhitespace = (text: string | null | undefined): string =>
  (text ?? '').replace(/\s+/g, ' ').trim();

/** Returns the visible label of a control. */
function getVisibleLabel(control: HTMLInputElement): string {
  if (control.localName === 'button') return collapseWhitespace(control.textContent);
  return collapseWhitespace(
    (control.labels![0] ?? control.closest('.custom-amount, .project')!.querySelector('label'))
      ?.textContent,
  );
}

/** Returns the click target of a control: its tile, its surrounding label, or the control itself. */
function getClickTarget(control: HTMLElement): DOMRect {
  return (
    control.closest('.custom-amount') ??
    control.closest('label') ??
    control
  ).getBoundingClientRect();
}

describe('form controls', () => {
  /** Shows a form with all sections expanded and all error messages. */
  async function showExpandedForm(language = 'en'): Promise<DonationFormElement> {
    testPage.definition = { ...fullForm, projects: manyProjects };
    const form = await testPage.showForm('', { language });
    await waitForPaymentField(form);
    for (const selector of [
      '[name="split.enabled"]',
      '[name="split.projects"]',
      '.more',
      '[name="tribute.kind"][value=memory]',
      '[name="organization.enabled"]',
    ]) {
      await clickControls(form, selector);
    }
    await selectCountry(form, 'US');
    await waitUntil(() => form.shadowRoot!.querySelector('select[name=state]'));
    await submitForm(form);
    return form;
  }

  for (const language of ['en', 'de']) {
    it(`have their visible label as accessible name, for voice control: ${language}`, async () => {
      const form = await showExpandedForm(language);
      axeInternals.setup(document.documentElement);
      const misnamed = listControls(form)
        .map((control) => ({
          written: getVisibleLabel(control),
          name: collapseWhitespace(axeInternals.commons.text.accessibleText(control)),
        }))
        .filter(
          ({ written, name }) =>
            written === '' || !name.toLowerCase().includes(written.toLowerCase()),
        );
      axeInternals.teardown();
      expect(listControls(form).length).to.be.above(70);
      expect(misnamed).to.deep.equal([]);
    });
  }

  function expectLargeTargets(form: DonationFormElement): void {
    for (const width of ['544px', '320px', '240px']) {
      form.parentElement!.style.width = width;
      const small = listControls(form)
        .map((control) => ({
          control: control.outerHTML.slice(0, 120),
          target: getClickTarget(control),
        }))
        .filter(({ target }) => Math.min(target.width, target.height) < MIN_TARGET_SIZE - 0.01);
      expect(
        small.map(({ control, target }) => `${target.width} × ${target.height} ${control}`),
        width,
      ).to.deep.equal([]);
    }
  }

  it('have a large enough touch target, even on a narrow page', async () => {
    expectLargeTargets(await showExpandedForm());
  });

  it('of the thank-you have a large enough touch target, even on a narrow page', async () => {
    const form = await testPage.showFilledForm();
    await submitForm(form);
    expect(listControls(form).map(getVisibleLabel)).to.deep.equal(['Share', 'Copy', 'Print']);
    expectLargeTargets(form);
  });

  it('do not overlap', async () => {
    const form = await showExpandedForm();
    form.parentElement!.style.width = '320px';
    const targets = [
      ...new Set(
        listControls(form).map(
          (control) => control.closest('.custom-amount') ?? control.closest('label') ?? control,
        ),
      ),
    ].map((target) => ({ target, box: target.getBoundingClientRect() }));
    const overlaps = targets.flatMap(({ target, box }, index) =>
      targets
        .slice(index + 1)
        .filter(
          ({ target: other, box: { left, right, top, bottom } }) =>
            !target.contains(other) &&
            !target.closest('.projects') &&
            left < box.right - 0.5 &&
            box.left < right - 0.5 &&
            top < box.bottom - 0.5 &&
            box.top < bottom - 0.5,
        )
        .map(
          ({ target: other }) =>
            `${collapseWhitespace(target.textContent)} / ${collapseWhitespace(other.textContent)}`,
        ),
    );
    expect(overlaps).to.deep.equal([]);
  });

  it('stay readable with increased text spacing', async () => {
    const form = await showExpandedForm();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: ' +
        '.16em !important } p { margin-block-end: 2em !important }',
    );
    form.shadowRoot!.adoptedStyleSheets.push(sheet);
    for (const width of ['544px', '320px', '240px']) {
      form.parentElement!.style.width = width;
      const truncated = [...form.shadowRoot!.querySelectorAll<HTMLElement>('form *')].filter(
        (element) => {
          const hasWords =
            [...element.childNodes].some(
              (node) => node instanceof Text && node.data.trim() !== '',
            ) && !element.matches('.visually-hidden, option');
          const { display, overflow } = getComputedStyle(element);
          return (
            hasWords &&
            display !== 'inline' &&
            (overflow !== 'visible' || element.scrollWidth > element.clientWidth + 1)
          );
        },
      );
      expect(
        truncated.map((element) => element.outerHTML.slice(0, 200)),
        width,
      ).to.deep.equal([]);
      // Firefox rounds positions up.
      const end = form.getBoundingClientRect().right + 0.1;
      expect(
        [...form.shadowRoot!.querySelectorAll('form *')]
          .filter((element) => element.getBoundingClientRect().right > end)
          .map((element) => element.outerHTML.slice(0, 200)),
        width,
      ).to.deep.equal([]);
    }
  });
});
