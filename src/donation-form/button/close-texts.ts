import type { Language } from '@donation-form/core/i18n';

export interface CloseTexts {
  readonly close: string;
  /** Asked before the dialog closes if the donor has typed something. */
  readonly question: string;
  readonly stay: string;
}

const EN: CloseTexts = {
  close: 'Close',
  question: 'Close the form? Your entries stay until you leave this page.',
  stay: 'Continue giving',
};

export const CLOSE_TEXTS: Readonly<Record<Language, CloseTexts>> = {
  en: EN,
  'en-GB': EN,
  es: {
    close: 'Cerrar',
    question: '¿Cerrar el formulario? Tus datos se conservan hasta que salgas de esta página.',
    stay: 'Seguir donando',
  },
  fr: {
    close: 'Fermer',
    question:
      'Fermer le formulaire\u00a0? Votre saisie est conservée tant que vous restez sur cette page.',
    stay: 'Continuer mon don',
  },
  de: {
    close: 'Schließen',
    question:
      'Formular schließen? Ihre Angaben bleiben erhalten, solange Sie auf dieser Seite sind.',
    stay: 'Weiter spenden',
  },
  it: {
    close: 'Chiudi',
    question: 'Chiudere il modulo? I dati inseriti restano finché non lasci questa pagina.',
    stay: 'Continua a donare',
  },
  'pt-BR': {
    close: 'Fechar',
    question: 'Fechar o formulário? O que você preencheu permanece até você sair desta página.',
    stay: 'Continuar doando',
  },
  nl: {
    close: 'Sluiten',
    question: 'Formulier sluiten? Wat je hebt ingevuld, blijft staan tot je deze pagina verlaat.',
    stay: 'Verder met doneren',
  },
  pl: {
    close: 'Zamknij',
    question: 'Zamknąć formularz? Wpisane dane pozostaną, dopóki nie opuścisz tej strony.',
    stay: 'Wróć do formularza',
  },
  sv: {
    close: 'Stäng',
    question: 'Vill du stänga formuläret? Det du har fyllt i finns kvar tills du lämnar sidan.',
    stay: 'Fortsätt ge',
  },
  tr: {
    close: 'Kapat',
    question: 'Form kapatılsın mı? Girdiğiniz bilgiler bu sayfadan ayrılana kadar kalır.',
    stay: 'Bağışa devam et',
  },
  uk: {
    close: 'Закрити',
    question: 'Закрити форму? Введені дані збережуться, доки ви не залишите цю сторінку.',
    stay: 'Повернутися до форми',
  },
  ar: {
    close: 'إغلاق',
    question: 'هل تريدون إغلاق النموذج؟ ستبقى بياناتكم حتى تغادروا هذه الصفحة.',
    stay: 'متابعة التبرع',
  },
  he: {
    close: 'סגירה',
    question: 'לסגור את הטופס? הפרטים שהזנתם יישמרו עד שתעזבו את הדף.',
    stay: 'המשך התרומה',
  },
  hi: {
    close: 'बंद करें',
    question: 'फ़ॉर्म बंद करें? इस पेज को छोड़ने तक आपकी जानकारी यहीं रहेगी।',
    stay: 'दान जारी रखें',
  },
  'zh-Hans': {
    close: '关闭',
    question: '关闭表单？在您离开本页之前，填写的内容会一直保留。',
    stay: '继续捐款',
  },
  ja: {
    close: '閉じる',
    question: 'フォームを閉じますか？このページを離れるまで、入力内容は残ります。',
    stay: '寄付を続ける',
  },
};
