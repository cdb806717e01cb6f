/** Colours and type of the form, for a field that is drawn by somebody else's page. */
export interface Look {
  readonly dark: boolean;
  readonly direction: 'ltr' | 'rtl';
  /** CSS values by name: text, field, line, accent, danger, radius, font, size. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * How the form looks now.
 * @param host a child of the form; what is measured stands in the form's shadow root, where the
 *   page's styles do not reach.
 */
export function lookOf(host: HTMLElement): Look {
  const probe = document.createElement('i');
  (host.assignedSlot?.parentElement ?? host).append(probe);
  const style = getComputedStyle(probe);
  const colour = (value: string): string => {
    probe.style.color = value;
    return style.color;
  };
  probe.style.borderRadius = 'var(--radius)';
  const look: Look = {
    dark: colour('light-dark(rgb(0, 0, 0), rgb(255, 255, 255))') === 'rgb(255, 255, 255)',
    direction: style.direction === 'rtl' ? 'rtl' : 'ltr',
    variables: {
      ...Object.fromEntries(
        Object.entries({ field: 'field', line: 'line', accent: 'mark', danger: 'danger' }).map(
          ([name, token]) => [name, colour(`var(--${token})`)],
        ),
      ),
      text: colour('inherit'),
      radius: style.borderTopLeftRadius,
      font: style.fontFamily,
      size: style.fontSize,
    },
  };
  probe.remove();
  return look;
}

/**
 * Calls when the form's colours have changed, whatever changed them: the system, a switch on the
 * page, another theme.
 * No event tells of that, but a change of colour can be made a transition, and that raises one.
 */
export function onLookChange(host: HTMLElement, call: () => void, signal: AbortSignal): void {
  for (const [property, value] of Object.entries({
    'outline-color': 'var(--mark)',
    'text-decoration-color': 'var(--field)',
    transition: 'color 1ms, outline-color 1ms, text-decoration-color 1ms',
  }))
    host.style.setProperty(property, value, 'important');
  host.addEventListener(
    'transitionrun',
    ({ target }) => {
      if (target === host) call();
    },
    { signal },
  );
}
