import type { Language } from '@donation-form/core/i18n';

/** Texts of messages that the form does not have. */
export interface MailTexts {
  /** Subject of a thank-you message. */
  readonly thankYou: string;
  readonly date: string;
  readonly test: string;
}

export const MAIL_TEXTS: Readonly<Record<Language, MailTexts>> = {
  en: {
    thankYou: 'Thank you for your donation to {organization}',
    date: 'Date',
    test: 'This was a test. No money was moved.',
  },
  'en-GB': {
    thankYou: 'Thank you for your donation to {organization}',
    date: 'Date',
    test: 'This was a test. No money was moved.',
  },
  es: {
    thankYou: 'Gracias por tu donación a {organization}',
    date: 'Fecha',
    test: 'Esto ha sido una prueba. No se ha movido dinero.',
  },
  fr: {
    thankYou: 'Merci pour votre don à {organization}',
    date: 'Date',
    test: 'Ceci était un test. Aucun paiement n’a été effectué.',
  },
  de: {
    thankYou: 'Danke für Ihre Spende an {organization}',
    date: 'Datum',
    test: 'Dies war ein Test. Es wurde kein Geld bewegt.',
  },
  it: {
    thankYou: 'Grazie per la tua donazione a {organization}',
    date: 'Data',
    test: 'Questa era una prova. Non è stato effettuato alcun pagamento.',
  },
  'pt-BR': {
    thankYou: 'Obrigado pela sua doação para {organization}',
    date: 'Data',
    test: 'Isto foi um teste. Nenhum valor foi cobrado.',
  },
  nl: {
    thankYou: 'Bedankt voor je donatie aan {organization}',
    date: 'Datum',
    test: 'Dit was een test. Er is geen geld overgemaakt.',
  },
  pl: {
    thankYou: 'Dziękujemy za darowiznę dla {organization}',
    date: 'Data',
    test: 'To był test. Nie pobrano żadnych pieniędzy.',
  },
  sv: {
    thankYou: 'Tack för din gåva till {organization}',
    date: 'Datum',
    test: 'Det här var ett test. Inga pengar har dragits.',
  },
  tr: {
    thankYou: '{organization} için yaptığınız bağışa teşekkürler',
    date: 'Tarih',
    test: 'Bu bir denemeydi. Hiçbir ödeme alınmadı.',
  },
  uk: {
    thankYou: 'Дякуємо за вашу пожертву для {organization}',
    date: 'Дата',
    test: 'Це була перевірка. Кошти не списано.',
  },
  ar: {
    thankYou: 'شكرًا لتبرعكم لصالح {organization}',
    date: 'التاريخ',
    test: 'كانت هذه تجربة، ولم يُنقل أي مبلغ.',
  },
  he: {
    thankYou: 'תודה על תרומתך ל-{organization}',
    date: 'תאריך',
    test: 'זו הייתה בדיקה. לא הועבר כסף.',
  },
  hi: {
    thankYou: '{organization} को दिए गए आपके दान के लिए धन्यवाद',
    date: 'तारीख',
    test: 'यह एक परीक्षण था। कोई पैसा नहीं लिया गया।',
  },
  'zh-Hans': {
    thankYou: '感谢您向{organization}捐款',
    date: '日期',
    test: '这是一次测试，未发生任何扣款。',
  },
  ja: {
    thankYou: '{organization}へのご寄付ありがとうございます',
    date: '日付',
    test: 'これはテストです。お金は動いていません。',
  },
};
