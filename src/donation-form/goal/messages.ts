import type { Language } from '@donation-form/core/i18n';

/** What a goal says of itself. */
interface GoalWords {
  readonly direction: 'ltr' | 'rtl';
  readonly sum: string;
  readonly counted: string;
}

const ltr = (sum: string, counted: string): GoalWords => ({ direction: 'ltr', sum, counted });
const rtl = (sum: string, counted: string): GoalWords => ({ direction: 'rtl', sum, counted });

export const WORDS: Readonly<Record<Language, GoalWords>> = {
  en: ltr('{raised} of {target} raised', 'As of {time}'),
  es: ltr('{raised} recaudados de {target}', 'Actualizado el {time}'),
  fr: ltr('{raised} collectés sur {target}', 'Au {time}'),
  de: ltr('{raised} von {target} gesammelt', 'Stand: {time}'),
  it: ltr('{raised} raccolti su {target}', 'Aggiornato al {time}'),
  'pt-BR': ltr('{raised} arrecadados de {target}', 'Atualizado em {time}'),
  nl: ltr('{raised} van {target} opgehaald', 'Stand van {time}'),
  pl: ltr('Zebrano {raised} z {target}', 'Stan na {time}'),
  sv: ltr('{raised} av {target} insamlat', 'Uppdaterat {time}'),
  tr: ltr('{raised} toplandı, hedef {target}', '{time} itibarıyla'),
  uk: ltr('Зібрано {raised} з {target}', 'Станом на {time}'),
  ar: rtl('جُمع {raised} من أصل {target}', 'حتى {time}'),
  he: rtl('נאספו {raised} מתוך {target}', 'נכון ל־{time}'),
  hi: ltr('{target} में से {raised} जुटाए गए', '{time} तक'),
  'zh-Hans': ltr('已筹{raised}，目标{target}', '截至{time}'),
  ja: ltr('目標{target}のうち{raised}が集まりました', '{time}現在'),
};
