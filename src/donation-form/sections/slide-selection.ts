const DURATION = 180;
const EASING = 'cubic-bezier(.2, .8, .2, 1)';

export function animateSegmentedControls(root: ShadowRoot, signal: AbortSignal): void {
  let previous: Element | null = null;
  const rememberSelection = ({ target }: Event): void => {
    previous = (target as Element).closest('.segments')?.querySelector(':checked + .face') ?? null;
  };
  root.addEventListener('pointerdown', rememberSelection, { signal });
  root.addEventListener('keydown', rememberSelection, { signal });
  root.addEventListener(
    'change',
    ({ target }) => {
      const next = (target as Element).closest('.segments .choice')?.querySelector('.face');
      if (next && previous && !matchMedia('(prefers-reduced-motion: reduce)').matches)
        void animateThumb(previous, next);
      previous = null;
    },
    { signal },
  );
}

async function animateThumb(previous: Element, next: Element): Promise<void> {
  const from = previous.getBoundingClientRect();
  const to = next.getBoundingClientRect();
  next.classList.add('sliding');
  const animation = next.animate(
    {
      width: [`${from.width}px`, `${to.width}px`],
      translate: [`${from.left - to.left}px ${from.top - to.top}px`, '0 0'],
    },
    { duration: DURATION, easing: EASING, pseudoElement: '::after' },
  );
  await animation.finished.catch(() => undefined);
  next.classList.remove('sliding');
}
