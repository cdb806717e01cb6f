/** Distance from the viewport at which payment fields start to load. */
const MARGIN = '1000px';

const INTERACTIONS = ['focusin', 'pointerdown', 'input'] as const;

/**
 * Detects that the donor may soon use a form: the form is near the viewport, or the donor interacts
 * with it. Payment providers' scripts then load only if the visitor reaches the form.
 */
export class VisitDetector {
  /** Resolves when the form is near the viewport or in use. */
  readonly visited: Promise<void>;
  /** Call if the donor uses the form in a way that events do not show. */
  readonly markVisited: () => void;

  constructor(form: HTMLElement) {
    let resolve: () => void = () => undefined;
    this.visited = new Promise((settle) => {
      resolve = settle;
    });
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) this.markVisited();
      },
      { rootMargin: MARGIN },
    );
    this.markVisited = () => {
      observer.disconnect();
      for (const type of INTERACTIONS) form.removeEventListener(type, this.markVisited);
      resolve();
    };
    observer.observe(form);
    for (const type of INTERACTIONS) form.addEventListener(type, this.markVisited);
  }
}
