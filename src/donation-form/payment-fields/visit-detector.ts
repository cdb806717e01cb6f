/** Distance from the viewport at which payment fields start to load. */
const MARGIN = '1000px';

const INTERACTIONS = ['focusin', 'pointerdown', 'input'] as const;

/**
 * Detects when a visitor might soon use a form: when the form is near the viewport, or when the
 * visitor interacts with the form. Payment providers' scripts therefore load only for visitors who
 * reach the form.
 */
export class VisitDetector {
  /** Resolves when the form is near the viewport or in use. */
  readonly visited: Promise<void>;
  /**
   * Marks the form as in use. Call if the donor uses the form without triggering the observed
   * events.
   */
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
