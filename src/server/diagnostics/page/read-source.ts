import { defaultTreeAdapter as tree, type DefaultTreeAdapterTypes, parse } from 'parse5';
import {
  describeMisspelledAttributes,
  describeUnclosedElement,
  type FormElement,
  type FormScript,
  type InactivePlace,
  isFormScript,
  readScriptTag,
} from '@donation-form/core/page-diagnosis';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Matches the form's tags in text, comments, `<noscript>`, and scripts that do not end. */
const ELEMENT_MARKUP = /<(?:donation-(?:form|button)[\s>]|\w+\s[^<>]*\bdata-donation-form\b)/i;
const SCRIPT_MARKUP = /<script\s[^<>]*(?:donation-(?:form|button)|\/embed\/[^/"'\s>]+)\.js/i;

/** Finds the form's tags in a page's source, also where browsers ignore them. */
export function readPageSource(source: string, pageUrl: string) {
  const scripts: FormScript[] = [];
  const elements: FormElement[] = [];
  const mistakes: string[] = [];
  const scriptUrls: string[] = [];
  let baseUrl = pageUrl;
  let mayChange = false;

  const visitElement = (element: Element, place: InactivePlace | undefined): void => {
    const attributes = Object.fromEntries(element.attrs.map(({ name, value }) => [name, value]));
    const { tagName } = element;
    if (
      tagName === 'base' &&
      attributes.href !== undefined &&
      URL.canParse(attributes.href, pageUrl)
    )
      baseUrl = new URL(attributes.href, pageUrl).href;
    if (tagName === 'script') {
      const found = readScriptTag(attributes, readText(element), baseUrl);
      if (found) scripts.push({ ...found, place });
      if (found?.url) visitText(readText(element), place ?? 'script');
      if (place === undefined && (found?.url ?? '') === '') mayChange = true;
      const { src } = attributes;
      if (place === undefined && src !== undefined && URL.canParse(src, baseUrl))
        scriptUrls.push(new URL(src, baseUrl).href);
    }
    if (tagName === 'iframe' || element.attrs.some(({ name }) => name.startsWith('on')))
      mayChange = true;
    const tag = getFormTag(tagName, attributes);
    if (tag || tagName === 'donation-goal') {
      mistakes.push(...describeMisspelledAttributes(tagName, Object.keys(attributes)));
      if (isSelfClosing(element, source)) mistakes.push(describeUnclosedElement(tagName));
    }
    if (tag)
      elements.push({
        tag,
        state: 'undefined-element',
        endpoint: attributes.endpoint ?? attributes['data-endpoint'],
        formId: attributes['form-id'] ?? attributes['data-form-id'],
        place,
      });
  };

  const visitText = (text: string, place: InactivePlace): void => {
    if (ELEMENT_MARKUP.test(text))
      elements.push({ tag: 'donation-form', state: 'undefined-element', place });
    if (SCRIPT_MARKUP.test(text)) scripts.push({ url: '', type: 'module', place });
  };

  const visit = (node: Node, place: InactivePlace | undefined): void => {
    if (tree.isCommentNode(node)) visitText(node.data, 'comment');
    else if (tree.isTextNode(node)) visitText(node.value, place ?? 'text');
    if (tree.isElementNode(node)) visitElement(node, place);
    if ('content' in node) visit(node.content, 'template');
    // The parser runs as if scripts were on, so <noscript> contains text.
    const inner = isElement(node, 'noscript') ? 'noscript' : place;
    if ('childNodes' in node && !isElement(node, 'script') && !isElement(node, 'style'))
      for (const child of node.childNodes) visit(child, inner);
  };

  visit(parse(source, { sourceCodeLocationInfo: true }), undefined);
  const formScripts = scripts.filter((script) => isFormScript(script, elements));
  return {
    scripts: formScripts,
    elements,
    /** Descriptions of mistakes that browsers accept silently. */
    mistakes,
    scriptUrls,
    /** True if scripts or frames of the page could add the form. */
    mayChange: formScripts.length < scripts.length || mayChange,
  };
}

function isElement(node: Node, name: string): boolean {
  return tree.isElementNode(node) && node.tagName === name;
}

/** Returns true if a slash ends an element's tag, and no end tag follows. */
function isSelfClosing({ tagName, sourceCodeLocation }: Element, source: string): boolean {
  const { startTag, endTag, attrs = {} } = sourceCodeLocation!;
  // The end tag of a placeholder can be that of another element.
  if (!startTag || (endTag && tagName.startsWith('donation-'))) return false;
  const slash = startTag.endOffset - 2;
  // A URL without quotation marks can end with a slash.
  return source[slash] === '/' && Object.values(attrs).every(({ endOffset }) => endOffset <= slash);
}

function readText({ childNodes }: Element): string {
  return childNodes.map((child) => (tree.isTextNode(child) ? child.value : '')).join('');
}

function getFormTag(
  tagName: string,
  attributes: Readonly<Record<string, string>>,
): FormElement['tag'] | undefined {
  if (tagName === 'donation-form' || tagName === 'donation-button') return tagName;
  return attributes['data-donation-form'] === undefined ? undefined : 'placeholder';
}
