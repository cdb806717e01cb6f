import type { Concealment } from '@donation-form/core/page-diagnosis';
import { toArray } from '../page/to-array.ts';
import { CONTROLS } from './click-trigger.ts';

/** Pixels below which a box counts as invisible. */
const MIN_SIZE = 20;
const MIN_OPACITY = 0.1;
/** Positions in a box to test for covers, as fractions of its width and height. */
const TEST_POINTS = [0.1, 0.3, 0.5, 0.7, 0.9];

type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

/** Finds why visitors cannot see an element, also if they scroll. Scrolls to test for covers. */
export function findConcealment(element: Element): Concealment | undefined {
  const hidden = findHidingStyle(element) ?? findHidingGeometry(element);
  if (hidden) {
    const [cause, reason] = hidden;
    return {
      kind: 'hidden',
      reason,
      selector: describeElement(cause),
      isTemporary: getAncestors(element).some(isRevealable),
    };
  }
  return findCover(element);
}

type HidingElement = readonly [cause: Element, reason: string];

function findHidingStyle(element: Element): HidingElement | undefined {
  const ancestors = getAncestors(element);
  for (const ancestor of ancestors) {
    const { display, contentVisibility } = getComputedStyle(ancestor);
    if (ancestor.localName === 'details' && !(ancestor as HTMLDetailsElement).open)
      if (!element.closest('summary')) return [ancestor, 'closed'];
    if (display === 'none') return [ancestor, 'display: none'];
    if (contentVisibility === 'hidden' && ancestor !== element)
      return [ancestor, 'content-visibility: hidden'];
  }
  const { visibility } = getComputedStyle(element);
  if (visibility !== 'visible') {
    const outermost = ancestors.findLast(
      (ancestor) => getComputedStyle(ancestor).visibility !== 'visible',
    );
    return [outermost!, `visibility: ${visibility}`];
  }
  const transparent = ancestors.find(
    (ancestor) => Number(getComputedStyle(ancestor).opacity) < MIN_OPACITY,
  );
  return transparent && [transparent, `opacity: ${getComputedStyle(transparent).opacity}`];
}

function findHidingGeometry(element: Element): HidingElement | undefined {
  let box: Box = getContentBox(element);
  if (isTiny(box)) {
    const [, ...ancestors] = getAncestors(element);
    const tinyAncestor = ancestors.findLast((ancestor) => isTiny(getPageBox(ancestor)));
    return [tinyAncestor ?? element, formatSize(getPageBox(tinyAncestor ?? element))];
  }
  for (let ancestor = getParent(element); ancestor; ancestor = getParent(ancestor)) {
    if (ancestor === document.body || ancestor === document.documentElement) break;
    const style = getComputedStyle(ancestor);
    const { overflowX, overflowY, position } = style;
    const clip = style.getPropertyValue('clip');
    const ancestorBox = getPageBox(ancestor);
    const isClipped = position === 'absolute' && /^rect\((0px|1px)(, ?(0px|1px)){3}\)$/.test(clip);
    if (isClipped) return [ancestor, 'clip'];
    const clipsX = /hidden|clip/.test(overflowX);
    const clipsY = /hidden|clip/.test(overflowY);
    const canScroll = /auto|scroll/.test(overflowX + overflowY);
    if (canScroll && isTiny(ancestorBox)) return [ancestor, formatSize(ancestorBox)];
    if (canScroll) {
      box = ancestorBox;
      continue;
    }
    if (!clipsX && !clipsY) continue;
    box = intersect(box, {
      left: clipsX ? ancestorBox.left : -Infinity,
      right: clipsX ? ancestorBox.right : Infinity,
      top: clipsY ? ancestorBox.top : -Infinity,
      bottom: clipsY ? ancestorBox.bottom : Infinity,
    });
    if (isTiny(box))
      return [
        ancestor,
        isTiny(ancestorBox) ? formatSize(ancestorBox) : `overflow: ${overflowX} around the form`,
      ];
  }
  return findOffscreenElement(element, box);
}

function findOffscreenElement(element: Element, box: Box): HidingElement | undefined {
  const { scrollWidth, scrollHeight, clientWidth } = document.documentElement;
  const isFixed = getAncestors(element).some(
    (ancestor) => getComputedStyle(ancestor).position === 'fixed',
  );
  const maxRight = isFixed ? clientWidth + scrollX : Math.max(scrollWidth, clientWidth);
  const maxBottom = isFixed ? innerHeight + scrollY : Math.max(scrollHeight, innerHeight);
  const isRightToLeft = getComputedStyle(document.documentElement).direction === 'rtl';
  const isOutside =
    (box.right <= MIN_SIZE && !isRightToLeft) ||
    box.bottom <= MIN_SIZE ||
    box.left >= maxRight - MIN_SIZE ||
    box.top >= maxBottom - MIN_SIZE;
  if (!isOutside) return undefined;
  const mover = getAncestors(element).find((ancestor) => {
    const { position, transform } = getComputedStyle(ancestor);
    return position !== 'static' || transform !== 'none';
  });
  return [mover ?? element, 'positioned outside the page'];
}

function findCover(element: Element): Concealment | undefined {
  const scroll: readonly [number, number] = [scrollX, scrollY];
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  try {
    const box = intersect(
      element.getBoundingClientRect(),
      new DOMRect(0, 0, innerWidth, innerHeight),
    );
    if (isTiny(box)) return undefined;
    const covers: Element[] = [];
    const clipped = getAncestors(element).find(
      (ancestor) => getComputedStyle(ancestor).clipPath !== 'none',
    );
    for (const x of TEST_POINTS)
      for (const y of TEST_POINTS) {
        const hit = document.elementFromPoint(
          box.left + x * (box.right - box.left),
          box.top + y * (box.bottom - box.top),
        );
        if (!hit || isPartOf(hit, element)) return undefined;
        // An element without pointer events is not hit, and its ancestor is.
        if (isPartOf(element, hit) && !clipped) return undefined;
        covers.push(hit);
      }
    const hit = covers[Math.floor(covers.length / 2)]!;
    if (clipped && isPartOf(element, hit))
      return {
        kind: 'hidden',
        reason: `clip-path: ${getComputedStyle(clipped).clipPath}`,
        selector: describeElement(clipped),
        isTemporary: false,
      };
    const cover = findOutermostCover(hit, element);
    const { position, zIndex } = getComputedStyle(cover);
    return {
      kind: 'covered',
      reason: `position: ${position}, z-index: ${zIndex}`,
      selector: describeElement(cover),
      isTemporary: isClosable(cover),
    };
  } finally {
    scrollTo({ left: scroll[0], top: scroll[1], behavior: 'instant' });
  }
}

/** Returns true if an element is inside another, including its slots and shadow roots. */
function isPartOf(inner: Element, outer: Element): boolean {
  if (getAncestors(inner).includes(outer)) return true;
  const root = outer.getRootNode();
  return root instanceof ShadowRoot && isPartOf(inner, root.host);
}

function findOutermostCover(hit: Element, element: Element): Element {
  let cover = hit;
  for (
    let parent = getParent(hit);
    parent && parent !== document.body && !isPartOf(element, parent);
    parent = getParent(parent)
  )
    cover = parent;
  return cover;
}

/** Returns true if a visitor can close a cover, such as a cookie banner. */
function isClosable(cover: Element): boolean {
  const hasControl = cover.querySelector('button, a[href], input, [role=button], iframe') !== null;
  const isFixed = (part: Element): boolean => getComputedStyle(part).position === 'fixed';
  return (
    hasControl &&
    (cover.localName === 'dialog' || [cover, ...toArray(cover.querySelectorAll('*'))].some(isFixed))
  );
}

const OPENABLE_NAME = /(?:^|[-_\s])(?:modal|popup|pop-up|dialog|lightbox|drawer|off-?canvas)/i;

/** Attributes by which a control refers to the element that it shows. */
const CONTROL_ATTRIBUTES = ['aria-controls', 'popovertarget', 'commandfor', 'for'];
const TARGET_ATTRIBUTES = ['href', 'data-target', 'data-bs-target', 'data-toggle-target'];

function isRevealable(element: Element): boolean {
  const { id, localName } = element;
  if (!document.querySelector(`${CONTROLS}, script:not([src*="/donation-form"])`)) return false;
  if (localName === 'details' || localName === 'dialog' || element.hasAttribute('popover'))
    return true;
  if (/^(?:dialog|alertdialog)$/.test(element.getAttribute('role') ?? '')) return true;
  if (OPENABLE_NAME.test(`${id} ${element.getAttribute('class') ?? ''}`)) return true;
  if (id === '' || localName === 'donation-form') return false;
  const name = globalThis.CSS.escape(id);
  return (
    document.querySelector(
      [
        ...CONTROL_ATTRIBUTES.map((attribute) => `[${attribute}~="${name}"]`),
        ...TARGET_ATTRIBUTES.map((attribute) => `[${attribute}="#${name}"]`),
      ].join(),
    ) !== null
  );
}

function getAncestors(element: Element): Element[] {
  const parent = getParent(element);
  return [element, ...(parent ? getAncestors(parent) : [])];
}

/** Returns the parent in the rendered tree: a slot, a parent element, or a shadow root's host. */
function getParent(element: Element): Element | undefined {
  if (element.assignedSlot) return element.assignedSlot;
  if (element.parentElement) return element.parentElement;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : undefined;
}

function getPageBox(element: Element): Box {
  const { x, y, width, height } = element.getBoundingClientRect();
  return new DOMRect(x + scrollX, y + scrollY, width, height);
}

/** Returns the box of an element with its rendered content, which can overflow the element. */
function getContentBox(element: Element): Box {
  const box = getPageBox(element);
  const content = element.shadowRoot?.querySelector('.root');
  if (!content || /hidden|clip/.test(getComputedStyle(element).overflow)) return box;
  return isTiny(box) ? getPageBox(content) : box;
}

function intersect(a: Box, b: Box): Box {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
}

function isTiny({ left, top, right, bottom }: Box): boolean {
  return right - left < MIN_SIZE || bottom - top < MIN_SIZE;
}

function formatSize({ left, top, right, bottom }: Box): string {
  return `${Math.round(right - left)} × ${Math.round(bottom - top)} pixels`;
}

function describeElement(element: Element): string {
  const id = element.id === '' ? '' : `#${element.id}`;
  const classes = toArray(element.classList)
    .slice(0, 2)
    .map((name) => `.${name}`);
  return `${element.localName}${id}${classes.join('')}`;
}
