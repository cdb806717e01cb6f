/** What {@link inspectForm} found. */
export interface FormInspection {
  /** True if the form has loaded. */
  readonly isReady: boolean;
  /** What leaves the form, is missing, or is too small. */
  readonly faults: readonly string[];
}

/**
 * Inspects the form of the current page. Runs in the browser, which gets it as text, so it uses
 * nothing outside its body. Boxes are compared with a tolerance of 8 px, because forms inside
 * transformed elements are.
 */
export function inspectForm(): FormInspection {
  const form = findForm();
  const button = form?.shadowRoot?.querySelector('button[type=submit]');
  return button
    ? { isReady: true, faults: listFaults(form!, button) }
    : { isReady: false, faults: [] };

  /** Finds the form, also in the page's own frame or shadow root. */
  function findForm(): Element | null | undefined {
    const page =
      document.querySelector<HTMLIFrameElement>('iframe[title=Donate]')?.contentDocument ??
      document;
    const roots = [page, ...[...page.querySelectorAll('div')].map((host) => host.shadowRoot)];
    return roots.map((root) => root?.querySelector('donation-form')).find(Boolean);
  }

  function listFaults(form: Element, button: Element): string[] {
    const host = form.getBoundingClientRect();
    const controls = [
      ...form.shadowRoot!.querySelectorAll('input, select, textarea, button, legend, .face'),
    ]
      .filter((control) => !control.matches('.visually-hidden, .visually-hidden *'))
      .map((control) => ({ control, box: control.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && box.height > 1);
    const { fontSize } = form.ownerDocument.defaultView!.getComputedStyle(button);
    const overflows = controls
      .map(({ control, box }) => ({
        name: `${control.localName} ${control.textContent.trim()}`,
        pixels: Math.round(Math.max(host.left - box.left, box.right - host.right)),
      }))
      .filter(({ pixels }) => pixels > 8)
      .map(({ name, pixels }) => `${name} leaves the form by ${pixels} px`);
    return [
      ...overflows,
      ...(controls.length < 10 ? [`only ${controls.length} controls are visible`] : []),
      ...(Number.parseFloat(fontSize) < 15 ? [`button text of ${fontSize}`] : []),
    ];
  }
}
