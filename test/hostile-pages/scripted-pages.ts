import type { HostilePage } from './pages.ts';

/** Debian's packages of old libraries, which npm does not have. */
const DEBIAN_SCRIPTS = '/usr/share/javascript';
const MOOTOOLS = `${DEBIAN_SCRIPTS}/mootools/mootools-core.min.js`;

/** Lets the page's own errors pass without a report. */
const IGNORE_OWN_ERRORS = "addEventListener('error', (event) => event.preventDefault());";

/**
 * Translates each text of the form again as soon as it changes, as "Translate Web Pages" does.
 * @param condition condition on the text node.
 */
const createTranslator = (condition: string): string => `
  const form = document.querySelector('donation-form');
  const translateTexts = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts)
      if (text.data.trim() && !text.parentNode.closest('font') && ${condition}) {
        const font = document.createElement('font');
        font.textContent = text.data;
        text.replaceWith(font);
      }
  };
  const start = () => {
    if (!form.shadowRoot) return setTimeout(start, 5);
    const observer = new MutationObserver(() => {
      translateTexts(form.shadowRoot);
      observer.takeRecords();
    });
    observer.observe(form.shadowRoot, { childList: true, subtree: true });
    translateTexts(form.shadowRoot);
  };
  start();`;

/**
 * Pages whose scripts replace what the form's script uses, or interfere with the form. The first
 * ones run real libraries; the others do what libraries and websites have been seen to do.
 */
export const scriptedPages: readonly HostilePage[] = [
  { name: 'MooTools 1.4.5 with its compatibility layer', isVariation: true, headFiles: [MOOTOOLS] },
  {
    name: 'MooTools More',
    headFiles: [MOOTOOLS, `${DEBIAN_SCRIPTS}/mootools/mootools-more.min.js`],
  },
  { name: 'Prototype 1.7.3', headFiles: [`${DEBIAN_SCRIPTS}/prototype/prototype.js`] },
  {
    name: 'the polyfill for scoped custom element registries',
    headFiles: [
      'node_modules/@webcomponents/scoped-custom-element-registry/scoped-custom-element-registry.min.js',
    ],
  },
  {
    name: 'what Prototype 1.6 does to arrays and JSON',
    isVariation: true,
    headScript: `
      const encode = (value) => Object.toJSON(value);
      Object.toJSON = (value) =>
        Array.isArray(value)
          ? '[' + value.map(encode).join(', ') + ']'
          : value && typeof value === 'object'
            ? '{' + Object.keys(value).map((key) => encode(key) + ': ' + encode(value[key])).join(', ') + '}'
            : String(value);
      Array.from = (iterable) => (iterable.toArray ? iterable.toArray() : [].slice.call(iterable));
      Object.assign(Array.prototype, {
        toArray() { return [].concat(this); },
        entries() { return [].concat(this); },
        reduce() { return this.length > 1 ? this : this[0]; },
        first() { return this[0]; },
        last() { return this[this.length - 1]; },
        toJSON() { return encode(this); },
      });
      Object.assign(String.prototype, { toJSON() { return '"' + this + '"'; } });
      Object.assign(Number.prototype, { toJSON() { return String(this); } });
      Date.prototype.toJSON = function () { return '"' + this.toISOString() + '"'; };`,
  },
  {
    name: 'toJSON methods that throw',
    isVariation: true,
    headScript: `for (const { prototype } of [Array, Object, Date])
      Object.defineProperty(prototype, 'toJSON', {
        configurable: true,
        value() { throw new Error('toJSON'); },
      });`,
  },
  {
    name: 'an Event class of its own',
    isVariation: true,
    headScript: 'class Event { constructor(title, date) { this.day = date.getDay(); } }',
  },
  {
    name: 'an Event function that replaces the native one',
    isVariation: true,
    headScript: "window.Event = function () { throw new Error('Event'); };",
  },
  {
    name: 'an old polyfill of CustomEvent',
    headScript: `
      window.CustomEvent = function (type, { bubbles, cancelable, detail } = {}) {
        const event = document.createEvent('CustomEvent');
        event.initCustomEvent(type, bubbles, cancelable, detail);
        return event;
      };
      CustomEvent.prototype = window.Event.prototype;`,
  },
  {
    name: 'classes with the names of DOM interfaces',
    isVariation: true,
    headScript:
      'class Node { constructor(value) { this.value = value; } } class Element {} class Text {} ' +
      'class Range {} class Option {} class Request {} class Comment {} class Selection {}',
  },
  {
    name: 'its own style sheet in a constant named CSS',
    isVariation: true,
    headScript: `const CSS = 'donation-form { --donation-accent: #7a2e8e }';
      document.head.appendChild(document.createElement('style')).textContent = CSS;`,
  },
  {
    name: 'Array.from without its second parameter',
    isVariation: true,
    headScript: 'Array.from = (items) => (items.length === 1 ? items : [].slice.call(items));',
  },
  {
    name: 'DOM collections without iterators',
    isVariation: true,
    headScript: `for (const { prototype } of [
        NodeList, HTMLCollection, HTMLFormControlsCollection, HTMLOptionsCollection, RadioNodeList,
        DOMTokenList, NamedNodeMap, StyleSheetList, CSSRuleList, FileList, DOMRectList,
      ])
        Object.defineProperty(prototype, Symbol.iterator, { value: undefined });`,
  },
  {
    name: 'enumerable methods on all objects',
    headScript: `for (const { prototype } of [Object, Array, String, Function, Promise])
      prototype.each = function () { return this; };`,
  },
  {
    name: 'fetch that accepts only strings',
    headScript: `const nativeFetch = window.fetch;
      window.fetch = (url, options) => {
        if (url.indexOf('/api/') >= 0) options.headers['X-Page'] = '1';
        return nativeFetch(url, options);
      };`,
  },
  {
    name: 'JSON of an old library',
    headScript: 'window.JSON = { stringify: JSON.stringify, parse: JSON.parse };',
  },
  {
    name: 'listeners that throw',
    headScript: `${IGNORE_OWN_ERRORS}
      for (const type of ['load', 'ready', 'change', 'donor-start', 'submit', 'success'])
        document.addEventListener('donation-form-' + type, () => { throw new Error(type); });
      for (const type of ['click', 'input', 'change', 'focusin', 'keydown', 'pointerdown'])
        document.addEventListener(type, () => { throw new Error(type); }, true);`,
  },
  {
    name: 'callbacks that throw',
    isVariation: true,
    headScript: `window.ServiceDonorsForms = {
      settings: {
        onLoad() { throw new Error('onLoad'); },
        onSuccess() { throw new Error('onSuccess'); },
      },
    };`,
  },
  {
    name: 'dispatchEvent that throws',
    isVariation: true,
    headScript: `const dispatch = EventTarget.prototype.dispatchEvent;
      EventTarget.prototype.dispatchEvent = function (event) {
        if (event.type.startsWith('donation-form-')) throw new Error(event.type);
        return dispatch.call(this, event);
      };`,
  },
  {
    name: 'addEventListener without options',
    headScript: `const add = EventTarget.prototype.addEventListener;
      EventTarget.prototype.addEventListener = function (type, listener, capture) {
        return add.call(this, type, listener, capture === true);
      };`,
  },
  {
    name: 'a console without methods',
    isVariation: true,
    headScript: "window.console = {}; window.ServiceDonorsForms = { settings: 'none' };",
    formAttributes: 'amount="x" frequency="hourly"',
  },
  {
    name: 'missing new functions',
    headScript: `delete window.requestIdleCallback;
      delete window.reportError;
      delete window.scheduler;
      delete Promise.withResolvers;
      delete Promise.try;
      delete Array.prototype.toSorted;
      delete Array.prototype.at;
      delete Object.groupBy;`,
  },
  {
    name: 'an observer that never reports',
    isVariation: true,
    headScript: `window.IntersectionObserver = class {
      observe() {}
      unobserve() {}
      disconnect() {}
    };`,
  },
  {
    name: 'a router that guards the history',
    isVariation: true,
    headScript: "history.replaceState = () => { throw new Error('Use the router.'); };",
  },
  {
    name: 'storage that throws',
    headScript: `for (const name of ['sessionStorage', 'localStorage'])
      Object.defineProperty(window, name, { get() { throw new Error(name); } });`,
  },
  {
    name: 'an adapter for custom elements in ES5',
    isVariation: true,
    headScript: `const NativeElement = window.HTMLElement;
      window.HTMLElement = function () {
        return Reflect.construct(NativeElement, [], this.constructor);
      };
      HTMLElement.prototype = NativeElement.prototype;
      HTMLElement.prototype.constructor = HTMLElement;
      Object.setPrototypeOf(HTMLElement, NativeElement);`,
  },
  {
    name: 'customElements.define that wraps classes',
    headScript: `const define = customElements.define;
      customElements.define = function (name, elementClass, options) {
        define.call(this, name, class extends elementClass {}, options);
      };`,
  },
  {
    name: 'a promise of its own',
    headScript: 'window.Promise = class extends Promise {};',
  },
  {
    name: 'elements with the names of globals',
    isVariation: true,
    wrap: (form) =>
      '<form id="ServiceDonorsForms" name="body"></form><img name="referrer" alt="">' +
      `<a id="donationForm"></a><input id="root" aria-label="Search">${form}`,
  },
  {
    name: 'shortcuts for letters, arrows, and spaces',
    headScript: `for (const type of ['keydown', 'keypress', 'keyup'])
      document.addEventListener(type, (event) => {
        if (!/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && /^(.|Arrow.*)$/.test(event.key))
          event.preventDefault();
      });`,
  },
  {
    name: 'a page translator',
    isVariation: true,
    script: createTranslator('text.parentNode.translate'),
  },
  { name: 'a page translator that translates amounts, too', script: createTranslator('true') },
  {
    name: 'the form inside a form that posts',
    wrap: (form) => `<form method="post" action="/posted">${form}</form>`,
  },
];
