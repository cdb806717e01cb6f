const MARGIN = '1000px';

const INTERACTIONS = ['focusin', 'pointerdown', 'input'] as const;

/** Payment providers' scripts load only for visitors who reach or use the form. */
export class VisitDetector {
  readonly visited: Promise<void>;
  /** Call if the donor uses the form without the observed events. */
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
