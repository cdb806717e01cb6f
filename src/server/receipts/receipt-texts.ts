import type { Language } from '@donation-form/core/i18n';

/** Texts of receipts and of messages about them. */
export interface ReceiptTexts {
  /** Heading of the neutral template. */
  readonly title: string;
  readonly issuedOn: string;
  readonly confirmation: string;
  readonly date: string;
  readonly amount: string;
  readonly recurring: string;
  readonly refunded: string;
  readonly replaces: string;
  /** Of a receipt for a test donation. */
  readonly test: string;
  /** Label of the number. */
  readonly number: string;
  /** Subject of a message with a receipt. */
  readonly subject: string;
  readonly attached: string;
  /** `{number}` is the earlier receipt. */
  readonly changed: string;
  readonly corrected: string;
  /** Subject of a message about a receipt without a replacement. */
  readonly voidSubject: string;
  readonly voided: string;
}

const en: ReceiptTexts = {
  title: 'Donation receipt',
  issuedOn: 'Issued on {date}',
  confirmation: '{organization} confirms that it has received this donation.',
  date: 'Date of donation',
  amount: 'Amount',
  recurring: 'This is one payment of a recurring donation.',
  refunded: 'This is the amount that remains after a refund.',
  replaces: 'This receipt replaces receipt {number}, which is no longer valid.',
  test: 'This is a test, not a receipt. No money was moved.',
  number: 'Receipt',
  subject: 'Your receipt from {organization}',
  attached: 'Your receipt is attached.',
  changed:
    'The amount of your donation has changed, so your receipt {number} is no longer valid. The attached receipt replaces it.',
  corrected:
    'We have corrected your receipt {number}, which is no longer valid. The attached receipt replaces it.',
  voidSubject: 'Your receipt from {organization} is no longer valid',
  voided: 'Your receipt {number} is no longer valid.',
};

export const RECEIPT_TEXTS: Readonly<Record<Language, ReceiptTexts>> = {
  en,
  'en-GB': en,
  es: {
    title: 'Recibo de donación',
    issuedOn: 'Emitido el {date}',
    confirmation: '{organization} confirma que ha recibido esta donación.',
    date: 'Fecha de la donación',
    amount: 'Importe',
    recurring: 'Este es uno de los pagos de una donación periódica.',
    refunded: 'Este es el importe que queda después de un reembolso.',
    replaces: 'Este recibo sustituye al recibo {number}, que ya no es válido.',
    test: 'Esto es una prueba, no un recibo. No se ha movido dinero.',
    number: 'Recibo',
    subject: 'Tu recibo de {organization}',
    attached: 'Adjuntamos tu recibo.',
    changed:
      'El importe de tu donación ha cambiado, así que tu recibo {number} ya no es válido. El recibo adjunto lo sustituye.',
    corrected:
      'Hemos corregido tu recibo {number}, que ya no es válido. El recibo adjunto lo sustituye.',
    voidSubject: 'Tu recibo de {organization} ya no es válido',
    voided: 'Tu recibo {number} ya no es válido.',
  },
  fr: {
    title: 'Reçu de don',
    issuedOn: 'Émis le {date}',
    confirmation: '{organization} confirme avoir reçu ce don.',
    date: 'Date du don',
    amount: 'Montant',
    recurring: 'Ceci est l’un des paiements d’un don régulier.',
    refunded: 'Ce montant est celui qui reste après un remboursement.',
    replaces: 'Ce reçu remplace le reçu {number}, qui n’est plus valable.',
    test: 'Ceci est un test, pas un reçu. Aucun paiement n’a été effectué.',
    number: 'Reçu',
    subject: 'Votre reçu de {organization}',
    attached: 'Votre reçu est joint à ce message.',
    changed:
      'Le montant de votre don a changé : votre reçu {number} n’est plus valable. Le reçu ci-joint le remplace.',
    corrected:
      'Nous avons corrigé votre reçu {number}, qui n’est plus valable. Le reçu ci-joint le remplace.',
    voidSubject: 'Votre reçu de {organization} n’est plus valable',
    voided: 'Votre reçu {number} n’est plus valable.',
  },
  de: {
    title: 'Spendenquittung',
    issuedOn: 'Ausgestellt am {date}',
    confirmation: '{organization} bestätigt, diese Spende erhalten zu haben.',
    date: 'Datum der Spende',
    amount: 'Betrag',
    recurring: 'Dies ist eine Zahlung einer regelmäßigen Spende.',
    refunded: 'Dieser Betrag bleibt nach einer Rückerstattung.',
    replaces: 'Diese Quittung ersetzt die Quittung {number}, die nicht mehr gültig ist.',
    test: 'Dies ist ein Test und keine Quittung. Es wurde kein Geld bewegt.',
    number: 'Quittung',
    subject: 'Ihre Quittung von {organization}',
    attached: 'Ihre Quittung ist angehängt.',
    changed:
      'Der Betrag Ihrer Spende hat sich geändert. Ihre Quittung {number} ist deshalb nicht mehr gültig. Die angehängte Quittung ersetzt sie.',
    corrected:
      'Wir haben Ihre Quittung {number} korrigiert, die nicht mehr gültig ist. Die angehängte Quittung ersetzt sie.',
    voidSubject: 'Ihre Quittung von {organization} ist nicht mehr gültig',
    voided: 'Ihre Quittung {number} ist nicht mehr gültig.',
  },
  it: {
    title: 'Ricevuta di donazione',
    issuedOn: 'Emessa il {date}',
    confirmation: '{organization} conferma di aver ricevuto questa donazione.',
    date: 'Data della donazione',
    amount: 'Importo',
    recurring: 'Questo è uno dei pagamenti di una donazione periodica.',
    refunded: 'Questo è l’importo che resta dopo un rimborso.',
    replaces: 'Questa ricevuta sostituisce la ricevuta {number}, che non è più valida.',
    test: 'Questa è una prova, non una ricevuta. Non è stato effettuato alcun pagamento.',
    number: 'Ricevuta',
    subject: 'La tua ricevuta da {organization}',
    attached: 'La tua ricevuta è in allegato.',
    changed:
      'L’importo della tua donazione è cambiato, quindi la tua ricevuta {number} non è più valida. La ricevuta allegata la sostituisce.',
    corrected:
      'Abbiamo corretto la tua ricevuta {number}, che non è più valida. La ricevuta allegata la sostituisce.',
    voidSubject: 'La tua ricevuta da {organization} non è più valida',
    voided: 'La tua ricevuta {number} non è più valida.',
  },
  'pt-BR': {
    title: 'Recibo de doação',
    issuedOn: 'Emitido em {date}',
    confirmation: '{organization} confirma que recebeu esta doação.',
    date: 'Data da doação',
    amount: 'Valor',
    recurring: 'Este é um dos pagamentos de uma doação recorrente.',
    refunded: 'Este é o valor que resta após um reembolso.',
    replaces: 'Este recibo substitui o recibo {number}, que não é mais válido.',
    test: 'Isto é um teste, não um recibo. Nenhum valor foi cobrado.',
    number: 'Recibo',
    subject: 'Seu recibo de {organization}',
    attached: 'Seu recibo está anexado.',
    changed:
      'O valor da sua doação mudou, por isso seu recibo {number} não é mais válido. O recibo anexado o substitui.',
    corrected:
      'Corrigimos seu recibo {number}, que não é mais válido. O recibo anexado o substitui.',
    voidSubject: 'Seu recibo de {organization} não é mais válido',
    voided: 'Seu recibo {number} não é mais válido.',
  },
  nl: {
    title: 'Donatiebewijs',
    issuedOn: 'Afgegeven op {date}',
    confirmation: '{organization} bevestigt deze donatie te hebben ontvangen.',
    date: 'Datum van de donatie',
    amount: 'Bedrag',
    recurring: 'Dit is één betaling van een periodieke donatie.',
    refunded: 'Dit bedrag blijft over na een terugbetaling.',
    replaces: 'Dit bewijs vervangt bewijs {number}, dat niet meer geldig is.',
    test: 'Dit is een test en geen bewijs. Er is geen geld overgemaakt.',
    number: 'Donatiebewijs',
    subject: 'Je donatiebewijs van {organization}',
    attached: 'Je donatiebewijs is bijgevoegd.',
    changed:
      'Het bedrag van je donatie is veranderd, dus je bewijs {number} is niet meer geldig. Het bijgevoegde bewijs vervangt het.',
    corrected:
      'We hebben je bewijs {number} gecorrigeerd; het is niet meer geldig. Het bijgevoegde bewijs vervangt het.',
    voidSubject: 'Je donatiebewijs van {organization} is niet meer geldig',
    voided: 'Je bewijs {number} is niet meer geldig.',
  },
  pl: {
    title: 'Potwierdzenie darowizny',
    issuedOn: 'Wystawiono: {date}',
    confirmation: '{organization} potwierdza otrzymanie tej darowizny.',
    date: 'Data darowizny',
    amount: 'Kwota',
    recurring: 'To jedna z wpłat cyklicznej darowizny.',
    refunded: 'To kwota, która pozostała po zwrocie.',
    replaces: 'To potwierdzenie zastępuje potwierdzenie {number}, które nie jest już ważne.',
    test: 'To jest test, a nie potwierdzenie. Nie pobrano żadnych pieniędzy.',
    number: 'Potwierdzenie',
    subject: 'Twoje potwierdzenie od {organization}',
    attached: 'Potwierdzenie jest w załączniku.',
    changed:
      'Kwota darowizny zmieniła się, więc potwierdzenie {number} nie jest już ważne. Zastępuje je potwierdzenie w załączniku.',
    corrected:
      'Poprawiliśmy potwierdzenie {number}, które nie jest już ważne. Zastępuje je potwierdzenie w załączniku.',
    voidSubject: 'Twoje potwierdzenie od {organization} nie jest już ważne',
    voided: 'Potwierdzenie {number} nie jest już ważne.',
  },
  sv: {
    title: 'Gåvokvitto',
    issuedOn: 'Utfärdat den {date}',
    confirmation: '{organization} bekräftar att den har tagit emot den här gåvan.',
    date: 'Gåvans datum',
    amount: 'Belopp',
    recurring: 'Det här är en betalning av en återkommande gåva.',
    refunded: 'Det här beloppet återstår efter en återbetalning.',
    replaces: 'Det här kvittot ersätter kvitto {number}, som inte längre gäller.',
    test: 'Det här är ett test och inget kvitto. Inga pengar har dragits.',
    number: 'Kvitto',
    subject: 'Ditt kvitto från {organization}',
    attached: 'Ditt kvitto är bifogat.',
    changed:
      'Beloppet för din gåva har ändrats, så ditt kvitto {number} gäller inte längre. Det bifogade kvittot ersätter det.',
    corrected:
      'Vi har rättat ditt kvitto {number}, som inte längre gäller. Det bifogade kvittot ersätter det.',
    voidSubject: 'Ditt kvitto från {organization} gäller inte längre',
    voided: 'Ditt kvitto {number} gäller inte längre.',
  },
  tr: {
    title: 'Bağış makbuzu',
    issuedOn: 'Düzenlenme tarihi: {date}',
    confirmation: '{organization} bu bağışı aldığını onaylar.',
    date: 'Bağış tarihi',
    amount: 'Tutar',
    recurring: 'Bu, düzenli bir bağışın ödemelerinden biridir.',
    refunded: 'Bu, iadeden sonra kalan tutardır.',
    replaces: 'Bu makbuz, artık geçerli olmayan {number} numaralı makbuzun yerine geçer.',
    test: 'Bu bir denemedir, makbuz değildir. Hiçbir ödeme alınmadı.',
    number: 'Makbuz',
    subject: '{organization} makbuzunuz',
    attached: 'Makbuzunuz ektedir.',
    changed:
      'Bağışınızın tutarı değiştiği için {number} numaralı makbuzunuz artık geçerli değildir. Ekteki makbuz onun yerine geçer.',
    corrected:
      '{number} numaralı makbuzunuzu düzelttik; eski makbuz artık geçerli değildir. Ekteki makbuz onun yerine geçer.',
    voidSubject: '{organization} makbuzunuz artık geçerli değil',
    voided: '{number} numaralı makbuzunuz artık geçerli değildir.',
  },
  uk: {
    title: 'Квитанція про пожертву',
    issuedOn: 'Видано: {date}',
    confirmation: '{organization} підтверджує отримання цієї пожертви.',
    date: 'Дата пожертви',
    amount: 'Сума',
    recurring: 'Це один із платежів регулярної пожертви.',
    refunded: 'Це сума, що залишилася після повернення коштів.',
    replaces: 'Ця квитанція замінює квитанцію {number}, яка більше не дійсна.',
    test: 'Це перевірка, а не квитанція. Кошти не списано.',
    number: 'Квитанція',
    subject: 'Ваша квитанція від {organization}',
    attached: 'Квитанцію додано до листа.',
    changed:
      'Сума вашої пожертви змінилася, тому квитанція {number} більше не дійсна. Її замінює додана квитанція.',
    corrected:
      'Ми виправили квитанцію {number}, яка більше не дійсна. Її замінює додана квитанція.',
    voidSubject: 'Ваша квитанція від {organization} більше не дійсна',
    voided: 'Квитанція {number} більше не дійсна.',
  },
  ar: {
    title: 'إيصال تبرع',
    issuedOn: 'صدر في {date}',
    confirmation: 'تؤكد {organization} استلام هذا التبرع.',
    date: 'تاريخ التبرع',
    amount: 'المبلغ',
    recurring: 'هذه إحدى دفعات تبرع متكرر.',
    refunded: 'هذا هو المبلغ المتبقي بعد ردّ جزء منه.',
    replaces: 'يحل هذا الإيصال محل الإيصال {number} الذي لم يعد صالحًا.',
    test: 'هذه تجربة وليست إيصالًا، ولم يُنقل أي مبلغ.',
    number: 'الإيصال',
    subject: 'إيصالكم من {organization}',
    attached: 'إيصالكم مرفق بهذه الرسالة.',
    changed: 'تغيّر مبلغ تبرعكم، لذلك لم يعد إيصالكم {number} صالحًا. يحل الإيصال المرفق محله.',
    corrected: 'صححنا إيصالكم {number} الذي لم يعد صالحًا. يحل الإيصال المرفق محله.',
    voidSubject: 'لم يعد إيصالكم من {organization} صالحًا',
    voided: 'لم يعد إيصالكم {number} صالحًا.',
  },
  he: {
    title: 'קבלה על תרומה',
    issuedOn: 'הונפקה בתאריך {date}',
    confirmation: '{organization} מאשר/ת שתרומה זו התקבלה.',
    date: 'תאריך התרומה',
    amount: 'סכום',
    recurring: 'זהו תשלום אחד מתוך תרומה קבועה.',
    refunded: 'זהו הסכום שנותר לאחר החזר כספי.',
    replaces: 'קבלה זו מחליפה את קבלה {number}, שאינה תקפה עוד.',
    test: 'זו בדיקה ולא קבלה. לא הועבר כסף.',
    number: 'קבלה',
    subject: 'הקבלה שלך מאת {organization}',
    attached: 'הקבלה שלך מצורפת.',
    changed: 'סכום התרומה שלך השתנה, ולכן קבלה {number} אינה תקפה עוד. הקבלה המצורפת מחליפה אותה.',
    corrected: 'תיקנו את קבלה {number}, שאינה תקפה עוד. הקבלה המצורפת מחליפה אותה.',
    voidSubject: 'הקבלה שלך מאת {organization} אינה תקפה עוד',
    voided: 'קבלה {number} אינה תקפה עוד.',
  },
  hi: {
    title: 'दान की रसीद',
    issuedOn: 'जारी करने की तारीख: {date}',
    confirmation: '{organization} पुष्टि करता है कि उसे यह दान मिला है।',
    date: 'दान की तारीख',
    amount: 'राशि',
    recurring: 'यह नियमित दान का एक भुगतान है।',
    refunded: 'यह धनवापसी के बाद बची हुई राशि है।',
    replaces: 'यह रसीद, रसीद {number} की जगह लेती है, जो अब मान्य नहीं है।',
    test: 'यह एक परीक्षण है, रसीद नहीं। कोई पैसा नहीं लिया गया।',
    number: 'रसीद',
    subject: '{organization} से आपकी रसीद',
    attached: 'आपकी रसीद संलग्न है।',
    changed:
      'आपके दान की राशि बदल गई है, इसलिए आपकी रसीद {number} अब मान्य नहीं है। संलग्न रसीद उसकी जगह लेती है।',
    corrected: 'हमने आपकी रसीद {number} को ठीक किया है, जो अब मान्य नहीं है। संलग्न रसीद उसकी जगह लेती है।',
    voidSubject: '{organization} से आपकी रसीद अब मान्य नहीं है',
    voided: 'आपकी रसीद {number} अब मान्य नहीं है।',
  },
  'zh-Hans': {
    title: '捐款收据',
    issuedOn: '开具日期：{date}',
    confirmation: '{organization}确认已收到这笔捐款。',
    date: '捐款日期',
    amount: '金额',
    recurring: '这是定期捐款中的一次付款。',
    refunded: '这是退款后剩余的金额。',
    replaces: '本收据取代已失效的收据 {number}。',
    test: '这是测试，不是收据，未发生任何扣款。',
    number: '收据',
    subject: '您的{organization}捐款收据',
    attached: '您的收据见附件。',
    changed: '您的捐款金额有变动，因此收据 {number} 已失效，以附件中的收据为准。',
    corrected: '我们更正了您的收据 {number}，原收据已失效，以附件中的收据为准。',
    voidSubject: '您的{organization}捐款收据已失效',
    voided: '您的收据 {number} 已失效。',
  },
  ja: {
    title: '寄付領収書',
    issuedOn: '発行日：{date}',
    confirmation: '{organization}は、このご寄付を受領したことを証明します。',
    date: '寄付日',
    amount: '金額',
    recurring: 'これは継続的なご寄付の1回分のお支払いです。',
    refunded: 'これは返金後に残る金額です。',
    replaces: 'この領収書は、無効となった領収書 {number} に代わるものです。',
    test: 'これはテストであり、領収書ではありません。お金は動いていません。',
    number: '領収書',
    subject: '{organization}からの領収書',
    attached: '領収書を添付いたします。',
    changed:
      'ご寄付の金額が変わったため、領収書 {number} は無効になりました。添付の領収書をご利用ください。',
    corrected:
      '領収書 {number} を訂正しました。以前の領収書は無効です。添付の領収書をご利用ください。',
    voidSubject: '{organization}からの領収書は無効になりました',
    voided: '領収書 {number} は無効になりました。',
  },
};
