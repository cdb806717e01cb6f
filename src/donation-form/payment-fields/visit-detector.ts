const MARGIN = '1000px';

const INTERACTIONS = ['focusin', 'pointerdown', 'input'] as const;

/** Payment providers' scripts load only for visitors who reach or use the form. */
export class VisitDetector {
  readonly visited: Promise<void>;
  /** Resolves if the form is far from what the visitor sees. */
  readonly far: Promise<void>;
  /** Call if the donor uses the form without the observed events. */
  readonly markVisited: () => void;

  constructor(form: HTMLElement) {
    let [resolveVisited, resolveFar]: (() => void)[] = [];
    this.visited = new Promise((resolve) => {
      resolveVisited = resolve;
    });
    this.far = new Promise((resolve) => {
      resolveFar = resolve;
    });
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) this.markVisited();
        else resolveFar!();
      },
      { rootMargin: MARGIN },
    );
    this.markVisited = () => {
      observer.disconnect();
      for (const type of INTERACTIONS) form.removeEventListener(type, this.markVisited);
      resolveVisited!();
    };
    observer.observe(form);
    for (const type of INTERACTIONS) form.addEventListener(type, this.markVisited);
  }
}
