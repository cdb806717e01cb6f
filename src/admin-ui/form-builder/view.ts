import type { ConfigPath, Json } from './config-path.ts';
import type { Scheme } from './contrast.ts';
import type { Draft } from './draft.ts';
import type { PreviewProblem, PreviewResult } from './form-preview.ts';

export type ExportScope = 'file' | 'organization' | 'form';

export interface BuilderView {
  readonly draft: Draft;
  readonly organization: ConfigPath;
  readonly form: ConfigPath;
  readonly previewResult: PreviewResult | undefined;
  /** Problems to show. Excludes problems in fields that the user is still filling in. */
  readonly problems: readonly PreviewProblem[];
  readonly endpointProblem: string | undefined;
  /** Labels of the rendered fields. Each section adds the labels of its fields. */
  readonly fieldLabels: Map<ConfigPath, string>;
  readonly openEntries: ReadonlySet<ConfigPath>;
  readonly scheme: Scheme;
  readonly isPhone: boolean;
  readonly exportScope: ExportScope;
  readonly messages: Messages;
  readonly themeStyleSheet: string;
  readonly contrastWarnings: readonly string[];
  /** Sets the value at a path. @param value new value, or `undefined` to remove the value. */
  readonly setValue: (path: ConfigPath, value: Json | undefined) => void;
  /** Adds a list entry, and focuses the field at the path `firstField` within the entry. */
  readonly addEntry: (list: ConfigPath, entry: Json, firstField: ConfigPath) => void;
  readonly moveEntryUp: (list: ConfigPath, index: number) => void;
  readonly removeEntry: (list: ConfigPath, index: number) => void;
  readonly toggleEntry: (entry: ConfigPath, isOpen: boolean) => void;
  readonly changeDraft: (changes: Partial<Draft>) => void;
  readonly changeView: (changes: {
    readonly scheme?: Scheme;
    readonly isPhone?: boolean;
    readonly exportScope?: ExportScope;
  }) => void;
}

export interface Messages {
  readonly source?: string;
  readonly sourceError?: string;
  readonly file?: string;
  readonly snippet?: string;
}

/** Finds the message for the first problem with a value or its nested values. */
export function findProblemMessage(
  { problems }: Pick<BuilderView, 'problems'>,
  path: ConfigPath,
): string | undefined {
  return problems.find((problem) => problem.path === path || problem.path.startsWith(`${path}.`))
    ?.message;
}
