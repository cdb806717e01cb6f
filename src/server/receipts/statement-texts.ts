import type { Language } from '@donation-form/core/i18n';

/** Texts of a statement that no receipt or message has. */
export interface StatementTexts {
  readonly title: string;
  /** Label of the first and last day. */
  readonly period: string;
  readonly total: string;
  readonly explanation: string;
}

const en: StatementTexts = {
  title: 'Statement of donations',
  period: 'Period',
  total: 'Total',
  explanation:
    'This statement lists the donations confirmed by these receipts, less refunds. It is not a receipt itself.',
};

export const STATEMENT_TEXTS: Readonly<Record<Language, StatementTexts>> = {
  en,
  'en-GB': en,
  es: {
    title: 'Resumen de donaciones',
    period: 'Período',
    total: 'Total',
    explanation:
      'Este resumen enumera las donaciones confirmadas por estos recibos, menos los reembolsos. No es un recibo.',
  },
  fr: {
    title: 'Relevé des dons',
    period: 'Période',
    total: 'Total',
    explanation:
      'Ce relevé liste les dons attestés par ces reçus, déduction faite des remboursements. Il ne constitue pas lui-même un reçu.',
  },
  de: {
    title: 'Spendenübersicht',
    period: 'Zeitraum',
    total: 'Summe',
    explanation:
      'Diese Übersicht enthält die Spenden, die diese Quittungen bestätigen, abzüglich Erstattungen. Sie ist selbst keine Quittung.',
  },
  it: {
    title: 'Riepilogo delle donazioni',
    period: 'Periodo',
    total: 'Totale',
    explanation:
      'Questo riepilogo elenca le donazioni confermate da queste ricevute, al netto dei rimborsi. Non è una ricevuta.',
  },
  'pt-BR': {
    title: 'Extrato de doações',
    period: 'Período',
    total: 'Total',
    explanation:
      'Este extrato lista as doações confirmadas por estes recibos, descontados os reembolsos. Ele não é um recibo.',
  },
  nl: {
    title: 'Overzicht van donaties',
    period: 'Periode',
    total: 'Totaal',
    explanation:
      'Dit overzicht bevat de donaties die deze donatiebewijzen bevestigen, min terugbetalingen. Het is zelf geen donatiebewijs.',
  },
  pl: {
    title: 'Zestawienie darowizn',
    period: 'Okres',
    total: 'Razem',
    explanation:
      'To zestawienie obejmuje darowizny udokumentowane tymi potwierdzeniami, pomniejszone o zwroty. Samo nie jest potwierdzeniem.',
  },
  sv: {
    title: 'Sammanställning av gåvor',
    period: 'Period',
    total: 'Summa',
    explanation:
      'Sammanställningen visar gåvorna som dessa kvitton bekräftar, minus återbetalningar. Den är inte själv ett kvitto.',
  },
  tr: {
    title: 'Bağış dökümü',
    period: 'Dönem',
    total: 'Toplam',
    explanation:
      'Bu döküm, bu makbuzların doğruladığı bağışları iadeler düşülmüş olarak listeler. Kendisi bir makbuz değildir.',
  },
  uk: {
    title: 'Виписка про пожертви',
    period: 'Період',
    total: 'Разом',
    explanation:
      'Ця виписка містить пожертви, підтверджені цими квитанціями, за вирахуванням повернень. Сама вона не є квитанцією.',
  },
  ar: {
    title: 'كشف التبرعات',
    period: 'الفترة',
    total: 'المجموع',
    explanation:
      'يعرض هذا الكشف التبرعات التي تؤكدها هذه الإيصالات بعد خصم المبالغ المستردة. وهو ليس إيصالًا بحد ذاته.',
  },
  he: {
    title: 'פירוט תרומות',
    period: 'תקופה',
    total: 'סך הכול',
    explanation: 'פירוט זה מציג את התרומות שהקבלות האלה מאשרות, בניכוי החזרים. הוא עצמו אינו קבלה.',
  },
  hi: {
    title: 'दान का विवरण',
    period: 'अवधि',
    total: 'कुल',
    explanation:
      'इस विवरण में वे दान हैं जिनकी पुष्टि ये रसीदें करती हैं, वापस की गई राशि घटाकर। यह स्वयं रसीद नहीं है।',
  },
  'zh-Hans': {
    title: '捐款明细',
    period: '期间',
    total: '合计',
    explanation: '本明细列出这些收据所确认的捐款，已扣除退款。本明细本身不是收据。',
  },
  ja: {
    title: '寄付明細書',
    period: '期間',
    total: '合計',
    explanation:
      'この明細書には、これらの領収書で確認された寄付を、返金額を差し引いて記載しています。この明細書自体は領収書ではありません。',
  },
};
