import type { ConfigPath, Json } from './config-path.ts';
import type { Scheme } from './contrast.ts';
import type { Draft } from './draft.ts';
import type { PreviewResult, Problem } from './fetch-preview.ts';

/** Part of the configuration to export. */
export type ExportScope = 'file' | 'organization' | 'form';

/** State and actions that the sections of the form builder use. */
export interface View {
  readonly draft: Draft;
  readonly organization: ConfigPath;
  readonly form: ConfigPath;
  readonly previewResult: PreviewResult | undefined;
  /** Problems to show. Excludes problems in fields that the user is still filling in. */
  readonly problems: readonly Problem[];
  readonly endpointProblem: string | undefined;
  /** Labels of the rendered fields. Each section adds the labels of its fields. */
  readonly fieldLabels: Map<ConfigPath, string>;
  /** Paths of the collapsible entries that are open. */
  readonly openEntries: ReadonlySet<ConfigPath>;
  readonly scheme: Scheme;
  readonly isPhone: boolean;
  readonly exportScope: ExportScope;
  /** Messages about the last action. */
  readonly messages: Messages;
  readonly themeStyleSheet: string;
  readonly contrastWarnings: readonly string[];
  /** Sets the value at a path. @param value new value, or `undefined` to remove the value. */
  readonly setValue: (path: ConfigPath, value: Json | undefined) => void;
  /**
   * Adds a list entry.
   * @param firstField path, within the entry, of the field that receives the focus.
   */
  readonly addEntry: (list: ConfigPath, entry: Json, firstField: ConfigPath) => void;
  /** Moves a list entry one position toward the start. */
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

/** Messages, keyed by their location on the page. */
export interface Messages {
  readonly source?: string;
  readonly sourceError?: string;
  readonly file?: string;
  readonly snippet?: string;
}

/** Finds the message for the first problem with a value or its nested values. */
export function findProblemMessage(
  { problems }: Pick<View, 'problems'>,
  path: ConfigPath,
): string | undefined {
  return problems.find((problem) => problem.path === path || problem.path.startsWith(`${path}.`))
    ?.message;
}
