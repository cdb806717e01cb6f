import type { Appearance } from '@stripe/stripe-js';
import { getAppearance } from './appearance.ts';

/** Stripe.js reference, 'Elements Appearance API'. */
export function toStripeAppearance(host: HTMLElement): Appearance {
  const { dark, variables } = getAppearance(host);
  const getRgba = (name: string): string => toRgba(host, variables[name] ?? '');
  const fieldBackground = getRgba('field-background');
  return {
    theme: dark ? 'night' : 'stripe',
    // Related fields share a box, with their labels inside.
    inputs: 'condensed',
    variables: {
      colorPrimary: getRgba('accent'),
      colorBackground: isTransparent(fieldBackground) ? getBackgroundColor(host) : fieldBackground,
      colorText: getRgba('text'),
      colorDanger: getRgba('danger'),
      borderRadius: variables.radius ?? '',
      fontFamily: variables.font ?? '',
      fontSizeBase: variables.size ?? '',
      focusBoxShadow: 'none',
      focusOutline: `3px solid ${getRgba('accent')}`,
    },
    rules: {
      '.Input': { border: `1px solid ${getRgba('border')}`, boxShadow: 'none' },
    },
  };
}

/** Converts a CSS color to `rgba()`, because Stripe does not support newer color syntax. */
function toRgba(host: HTMLElement, color: string): string {
  const sampleElement = document.createElement('i');
  sampleElement.style.setProperty('color', `color-mix(in srgb, ${color}, ${color})`, 'important');
  host.append(sampleElement);
  const [red = 0, green = 0, blue = 0, alpha = 1] = [
    ...getComputedStyle(sampleElement)
      .color.replace('srgb', '')
      .matchAll(/-?[\d.]+(?:e-?\d+)?/g),
  ].map(Number);
  sampleElement.remove();
  const channels = [red, green, blue].map((part) =>
    Math.round(255 * Math.min(1, Math.max(0, part))),
  );
  return `rgba(${channels.join(', ')}, ${alpha})`;
}

const isTransparent = (color: string): boolean => color.endsWith(', 0)');

function getBackgroundColor(host: HTMLElement): string {
  let node: Element | null = host;
  while (node) {
    const color = toRgba(host, getComputedStyle(node).backgroundColor);
    if (!isTransparent(color)) return color;
    const root: Node = node.getRootNode();
    node =
      node.assignedSlot ?? node.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  }
  return toRgba(host, 'Canvas');
}
