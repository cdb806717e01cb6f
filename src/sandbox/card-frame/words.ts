/** What the card frame says. */
export interface Words {
  readonly title: string;
  readonly number: string;
  readonly expiry: string;
  /** How the expiry is written: month, then year. */
  readonly expiryForm: string;
  readonly cvc: string;
  readonly badNumber: string;
  readonly badExpiry: string;
  readonly expired: string;
  readonly badCvc: string;
}

/** By language, BCP 47. Where a language is written from right to left, marks keep a month before its year. */
export const words = {
  en: {
    title: 'Card details', number: 'Card number', expiry: 'Expires', expiryForm: 'MM / YY', cvc: 'Security code',
    badNumber: 'Check the card number.', badExpiry: 'Write month and year, such as 09 / 29.', expired: 'This card has expired.', badCvc: 'Write the 3 or 4 digits of the security code.',
  },
  es: {
    title: 'Datos de la tarjeta', number: 'Número de tarjeta', expiry: 'Caducidad', expiryForm: 'MM / AA', cvc: 'Código de seguridad',
    badNumber: 'Compruebe el número de la tarjeta.', badExpiry: 'Escriba el mes y el año, por ejemplo, 09 / 29.', expired: 'Esta tarjeta ha caducado.', badCvc: 'Escriba los 3 o 4 dígitos del código de seguridad.',
  },
  fr: {
    title: 'Données de la carte', number: 'Numéro de carte', expiry: 'Expiration', expiryForm: 'MM / AA', cvc: 'Code de sécurité',
    badNumber: 'Vérifiez le numéro de la carte.', badExpiry: 'Indiquez le mois et l’année, par exemple 09 / 29.', expired: 'Cette carte a expiré.', badCvc: 'Indiquez les 3 ou 4 chiffres du code de sécurité.',
  },
  de: {
    title: 'Kartendaten', number: 'Kartennummer', expiry: 'Gültig bis', expiryForm: 'MM / JJ', cvc: 'Sicherheitscode',
    badNumber: 'Prüfen Sie die Kartennummer.', badExpiry: 'Geben Sie Monat und Jahr ein, zum Beispiel 09 / 29.', expired: 'Diese Karte ist abgelaufen.', badCvc: 'Geben Sie die 3 oder 4 Ziffern des Sicherheitscodes ein.',
  },
  it: {
    title: 'Dati della carta', number: 'Numero della carta', expiry: 'Scadenza', expiryForm: 'MM / AA', cvc: 'Codice di sicurezza',
    badNumber: 'Controllare il numero della carta.', badExpiry: 'Inserire mese e anno, ad esempio 09 / 29.', expired: 'Questa carta è scaduta.', badCvc: 'Inserire le 3 o 4 cifre del codice di sicurezza.',
  },
  'pt-BR': {
    title: 'Dados do cartão', number: 'Número do cartão', expiry: 'Validade', expiryForm: 'MM / AA', cvc: 'Código de segurança',
    badNumber: 'Confira o número do cartão.', badExpiry: 'Informe o mês e o ano, por exemplo, 09 / 29.', expired: 'Este cartão está vencido.', badCvc: 'Informe os 3 ou 4 dígitos do código de segurança.',
  },
  nl: {
    title: 'Kaartgegevens', number: 'Kaartnummer', expiry: 'Geldig tot', expiryForm: 'MM / JJ', cvc: 'Beveiligingscode',
    badNumber: 'Controleer het kaartnummer.', badExpiry: 'Vul maand en jaar in, bijvoorbeeld 09 / 29.', expired: 'Deze kaart is verlopen.', badCvc: 'Vul de 3 of 4 cijfers van de beveiligingscode in.',
  },
  pl: {
    title: 'Dane karty', number: 'Numer karty', expiry: 'Ważna do', expiryForm: 'MM / RR', cvc: 'Kod zabezpieczający',
    badNumber: 'Proszę sprawdzić numer karty.', badExpiry: 'Proszę podać miesiąc i rok, na przykład 09 / 29.', expired: 'Ta karta straciła ważność.', badCvc: 'Proszę podać 3 lub 4 cyfry kodu zabezpieczającego.',
  },
  sv: {
    title: 'Kortuppgifter', number: 'Kortnummer', expiry: 'Giltigt till', expiryForm: 'MM / ÅÅ', cvc: 'Säkerhetskod',
    badNumber: 'Kontrollera kortnumret.', badExpiry: 'Skriv månad och år, till exempel 09 / 29.', expired: 'Det här kortet har gått ut.', badCvc: 'Skriv säkerhetskodens 3 eller 4 siffror.',
  },
  tr: {
    title: 'Kart bilgileri', number: 'Kart numarası', expiry: 'Geçerlilik', expiryForm: 'AA / YY', cvc: 'Güvenlik kodu',
    badNumber: 'Kart numarasını kontrol edin.', badExpiry: 'Ay ve yılı yazın, örneğin 09 / 29.', expired: 'Bu kartın süresi dolmuş.', badCvc: 'Güvenlik kodunun 3 veya 4 rakamını yazın.',
  },
  uk: {
    title: 'Дані картки', number: 'Номер картки', expiry: 'Термін дії', expiryForm: 'ММ / РР', cvc: 'Код безпеки',
    badNumber: 'Перевірте номер картки.', badExpiry: 'Вкажіть місяць і рік, наприклад 09 / 29.', expired: 'Термін дії цієї картки закінчився.', badCvc: 'Вкажіть 3 або 4 цифри коду безпеки.',
  },
  ar: {
    title: 'بيانات البطاقة', number: 'رقم البطاقة', expiry: 'تاريخ الانتهاء', expiryForm: '\u2066MM / YY\u2069', cvc: 'رمز الأمان',
    badNumber: 'يرجى التحقق من رقم البطاقة.', badExpiry: 'يرجى كتابة الشهر والسنة، مثل \u206609 / 29\u2069.', expired: 'انتهت صلاحية هذه البطاقة.', badCvc: 'يرجى كتابة رمز الأمان المكوّن من 3 أو 4 أرقام.',
  },
  he: {
    title: 'פרטי הכרטיס', number: 'מספר כרטיס', expiry: 'בתוקף עד', expiryForm: '\u2066MM / YY\u2069', cvc: 'קוד אבטחה',
    badNumber: 'נא לבדוק את מספר הכרטיס.', badExpiry: 'נא לכתוב חודש ושנה, למשל \u206609 / 29\u2069.', expired: 'תוקף הכרטיס פג.', badCvc: 'נא לכתוב את 3 או 4 הספרות של קוד האבטחה.',
  },
  hi: {
    title: 'कार्ड की जानकारी', number: 'कार्ड नंबर', expiry: 'वैधता', expiryForm: 'MM / YY', cvc: 'सुरक्षा कोड',
    badNumber: 'कार्ड नंबर जाँचें।', badExpiry: 'महीना और साल लिखें, जैसे 09 / 29।', expired: 'इस कार्ड की वैधता समाप्त हो गई है।', badCvc: 'सुरक्षा कोड के 3 या 4 अंक लिखें।',
  },
  'zh-Hans': {
    title: '银行卡信息', number: '卡号', expiry: '有效期', expiryForm: '月 / 年', cvc: '安全码',
    badNumber: '请检查卡号。', badExpiry: '请填写月份和年份，例如09 / 29。', expired: '此卡已过期。', badCvc: '请填写3位或4位数的安全码。',
  },
  ja: {
    title: 'カード情報', number: 'カード番号', expiry: '有効期限', expiryForm: '月 / 年', cvc: 'セキュリティコード',
    badNumber: 'カード番号をご確認ください。', badExpiry: '09 / 29のように月と年を入力してください。', expired: 'このカードは有効期限が切れています。', badCvc: '3桁または4桁のセキュリティコードを入力してください。',
  },
} satisfies Record<string, Words>;

export type FrameLanguage = keyof typeof words;

/** The language that the frame speaks where the page asks for one: English where it does not know it, or none was named. */
export function frameLanguage(asked: string | undefined): FrameLanguage {
  return asked !== undefined && Object.hasOwn(words, asked) ? asked as FrameLanguage : 'en';
}
