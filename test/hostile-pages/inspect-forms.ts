/** What {@link inspectForms} found. */
export interface FormInspection {
  /** True if each frame's form has loaded. */
  readonly isReady: boolean;
  /** What leaves a form, is missing, or is too small, with the frame's width. */
  readonly faults: readonly string[];
}

/**
 * Inspects the forms in the frames of the current page. Runs in the browser, which gets it as text,
 * so it uses nothing outside its body. Boxes are compared with a tolerance of 8 px, because forms
 * inside transformed elements are.
 */
export function inspectForms(): FormInspection {
  const frames = [...document.querySelectorAll('iframe')];
  const forms = frames.map(findForm);
  const isReady = forms.every((form) =>
    Boolean(form?.shadowRoot?.querySelector('button[type=submit]')),
  );
  return {
    isReady,
    faults: isReady
      ? frames.flatMap(({ width }, index) =>
          listFaults(forms[index]!).map((fault) => `${width} px wide: ${fault}`),
        )
      : [],
  };

  /** Finds the form, also in the page's own frame or shadow root. */
  function findForm(frame: HTMLIFrameElement): Element | undefined {
    const outer = frame.contentDocument;
    const page =
      outer?.querySelector<HTMLIFrameElement>('iframe[title=Donate]')?.contentDocument ?? outer;
    const hosts = [...(page?.querySelectorAll('div') ?? [])];
    const roots = [page, ...hosts.map((host) => host.shadowRoot)];
    return (
      roots.map((root) => root?.querySelector('donation-form')).find((form) => Boolean(form)) ??
      undefined
    );
  }

  function listFaults(form: Element): string[] {
    const host = form.getBoundingClientRect();
    const controls = [
      ...form.shadowRoot!.querySelectorAll('input, select, textarea, button, legend, .face'),
    ]
      .filter((control) => !control.matches('.visually-hidden, .visually-hidden *'))
      .map((control) => ({ control, box: control.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && box.height > 1);
    const button = form.shadowRoot!.querySelector('button[type=submit]')!;
    const style = form.ownerDocument.defaultView!.getComputedStyle(button);
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
      ...(Number.parseFloat(style.fontSize) < 15 ? [`button text of ${style.fontSize}`] : []),
    ];
  }
}
