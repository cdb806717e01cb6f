import type { Language } from '@donation-form/core/i18n';

interface GoalMessages {
  readonly progress: string;
  readonly asOf: string;
}

export const GOAL_MESSAGES: Readonly<Record<Language, GoalMessages>> = {
  en: { progress: '{raised} of {target} raised', asOf: 'As of {time}' },
  'en-GB': { progress: '{raised} of {target} raised', asOf: 'As at {time}' },
  es: { progress: '{raised} recaudados de {target}', asOf: 'Actualizado el {time}' },
  fr: { progress: '{raised} collectés sur {target}', asOf: 'Au {time}' },
  de: { progress: '{raised} von {target} gesammelt', asOf: 'Stand: {time}' },
  it: { progress: '{raised} raccolti su {target}', asOf: 'Aggiornamento: {time}' },
  'pt-BR': { progress: '{raised} arrecadados de {target}', asOf: 'Atualizado em {time}' },
  nl: { progress: '{raised} van {target} opgehaald', asOf: 'Stand op {time}' },
  pl: { progress: 'Zebrano {raised} z {target}', asOf: 'Stan na {time}' },
  sv: { progress: '{raised} av {target} insamlat', asOf: 'Uppdaterat {time}' },
  tr: { progress: '{raised} toplandı, hedef {target}', asOf: '{time} itibarıyla' },
  uk: { progress: 'Зібрано {raised} з {target}', asOf: 'Станом на {time}' },
  ar: { progress: 'جُمع {raised} من أصل {target}', asOf: 'حتى {time}' },
  he: { progress: 'נאספו {raised} מתוך {target}', asOf: 'נכון ל־{time}' },
  hi: { progress: '{target} में से {raised} जुटाए गए', asOf: '{time} तक' },
  'zh-Hans': { progress: '已筹{raised}，目标{target}', asOf: '截至{time}' },
  ja: { progress: '目標{target}のうち{raised}が集まりました', asOf: '{time}現在' },
};
