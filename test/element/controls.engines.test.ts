import { expect } from '@open-wc/testing';
import axe from 'axe-core';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { manyProjects, wholeForm } from '../whole-form.ts';
import { Stage, chooseCountry, inside, press, ready, waitUntil } from './support.ts';

/** Pixels that a finger needs: WCAG 2.5.5. */
const FINGER = 44;

/** Pixels by which the card's frame is wider than the form, so that its fields are as wide. */
const OF_THE_CARD = 5;

/**
 * How axe names a control, as a screen reader and voice control would; the package's types do not
 * tell of it.
 */
interface Names {
  readonly setup: (root: Node) => void;
  readonly teardown: () => void;
  readonly commons: { readonly text: { readonly accessibleText: (control: Element) => string } };
}
const names = axe as unknown as Names;

const controls = (form: DonationFormElement): HTMLInputElement[] =>
  [
    ...form.shadowRoot!.querySelectorAll<HTMLInputElement>('button, input, select, textarea'),
  ].filter((control) => control.getClientRects().length > 0 && !control.closest('[inert]'));
const plain = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim();

/** What is written at a control. */
function writtenAt(control: HTMLInputElement): string {
  if (control.localName === 'button') return plain(control.textContent);
  return plain(
    (control.labels![0] ?? control.closest('.own, .project')!.querySelector('label'))?.textContent,
  );
}

/**
 * What a donor presses to use a control: its label too, where that is around it, or the whole tile.
 */
function targetOf(control: HTMLElement): DOMRect {
  return (control.closest('.own') ?? control.closest('label') ?? control).getBoundingClientRect();
}

describe('donation-form, every control of it', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });
  afterEach(() => stage.end());

  /** A form with all parts opened, and with all messages. */
  async function showWhole(language = 'en'): Promise<DonationFormElement> {
    stage.definition = { ...wholeForm, projects: manyProjects };
    const form = await stage.show('', { language });
    await ready(form);
    for (const selector of [
      '[name="split.on"]',
      '[name="split.chosen"]',
      '[name="tribute.kind"][value=memory]',
      '[name="organization.is"]',
    ]) {
      inside(form, selector).click();
      await form.updateComplete;
    }
    await chooseCountry(form, 'US');
    await waitUntil(() => form.shadowRoot!.querySelector('select[name=state]'));
    await press(form);
    return form;
  }

  for (const language of ['en', 'de']) {
    it(`is called what is written at it, so that voice control finds it: ${language}`, async () => {
      const form = await showWhole(language);
      names.setup(document.documentElement);
      const misnamed = controls(form)
        .map((control) => ({
          written: writtenAt(control),
          name: plain(names.commons.text.accessibleText(control)),
        }))
        .filter(
          ({ written, name }) =>
            written === '' || !name.toLowerCase().includes(written.toLowerCase()),
        );
      names.teardown();
      expect(controls(form).length).to.be.above(70);
      expect(misnamed).to.deep.equal([]);
    });
  }

  it('is large enough for a finger, on a narrow page, too', async () => {
    const form = await showWhole();
    for (const width of ['544px', '320px', '240px']) {
      form.parentElement!.style.width = width;
      const small = controls(form)
        .map((control) => ({ control: control.outerHTML.slice(0, 120), target: targetOf(control) }))
        .filter(({ target }) => Math.min(target.width, target.height) < FINGER - 0.01);
      expect(
        small.map(({ control, target }) => `${target.width} × ${target.height} ${control}`),
        width,
      ).to.deep.equal([]);
    }
  });

  it('does not lie over another one', async () => {
    const form = await showWhole();
    form.parentElement!.style.width = '320px';
    const targets = [
      ...new Set(
        controls(form).map(
          (control) => control.closest('.own') ?? control.closest('label') ?? control,
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
        .map(({ target: other }) => `${plain(target.textContent)} / ${plain(other.textContent)}`),
    );
    expect(overlaps).to.deep.equal([]);
  });

  it("keeps all its words where a donor's own style sheet spaces text out", async () => {
    const form = await showWhole();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-block-end: 2em !important }',
    );
    form.shadowRoot!.adoptedStyleSheets.push(sheet);
    for (const width of ['544px', '320px', '240px']) {
      form.parentElement!.style.width = width;
      const cut = [...form.shadowRoot!.querySelectorAll<HTMLElement>('form *')].filter(
        (element) => {
          const hasWords =
            [...element.childNodes].some(
              (node) => node instanceof Text && node.data.trim() !== '',
            ) && !element.matches('.unseen, option');
          const { display, overflow } = getComputedStyle(element);
          return (
            hasWords &&
            display !== 'inline' &&
            (overflow !== 'visible' || element.scrollWidth > element.clientWidth + 1)
          );
        },
      );
      expect(
        cut.map((element) => element.outerHTML.slice(0, 200)),
        width,
      ).to.deep.equal([]);
      const end = form.getBoundingClientRect().right + OF_THE_CARD;
      expect(
        [...form.shadowRoot!.querySelectorAll('form *')]
          .filter((element) => element.getBoundingClientRect().right > end)
          .map((element) => element.outerHTML.slice(0, 200)),
        width,
      ).to.deep.equal([]);
    }
  });
});
