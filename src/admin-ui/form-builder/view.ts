import type { Scheme } from './contrast.ts';
import type { Answer, Problem } from './definition.ts';
import type { Draft } from './draft.ts';
import type { Json, Place } from './file.ts';

/** What of the file is taken along. */
export type Part = 'file' | 'organization' | 'form';

/** What the sections show, and what they can change. */
export interface View {
  readonly draft: Draft;
  readonly organization: Place;
  readonly form: Place;
  readonly answer: Answer | undefined;
  /** What may be said to be wrong: not what is still being written. */
  readonly problems: readonly Problem[];
  /** What may be said to be wrong with the endpoint's address. */
  readonly endpointProblem: string | undefined;
  /** The places that have a field, with its label; the sections note theirs. */
  readonly fields: Map<Place, string>;
  /** Places of entries that are closed otherwise. */
  readonly opened: ReadonlySet<Place>;
  readonly scheme: Scheme;
  readonly isPhone: boolean;
  readonly part: Part;
  /** What came of the last press, by the button. */
  readonly said: Readonly<Record<string, string>>;
  /** The text of the theme's style sheet. */
  readonly theme: string;
  /** What is hard to see. */
  readonly poor: readonly string[];
  /** Sets what stands at a place of the file, or takes it out. */
  readonly set: (place: Place, value: Json | undefined) => void;
  /** Adds to a list. @param first the place in the entry that is filled in first. */
  readonly add: (list: Place, entry: Json, first: Place) => void;
  /** Takes an entry out of a list. */
  readonly remove: (list: Place, index: number) => void;
  readonly toggle: (entry: Place, isOpen: boolean) => void;
  readonly change: (changes: Partial<Draft>) => void;
  readonly see: (changes: {
    readonly scheme?: Scheme;
    readonly isPhone?: boolean;
    readonly part?: Part;
  }) => void;
}

/** What is wrong with what stands at a place, or within it. */
export function problemAt({ problems }: Pick<View, 'problems'>, place: Place): string | undefined {
  return problems.find(({ at }) => at === place || at.startsWith(`${place}.`))?.words;
}
