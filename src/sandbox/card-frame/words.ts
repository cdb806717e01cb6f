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
  /** What the choice between a card and a bank account is called. */
  readonly ways: string;
  readonly card: string;
  readonly bank: string;
  readonly account: string;
  /** What names the bank: a routing number, a sort code. */
  readonly routing: string;
  readonly badAccount: string;
  readonly badRouting: string;
}

/** By language, BCP 47. Where a language is written from right to left, marks keep a month before its year. */
export const words = {
  en: {
    title: 'Card details', number: 'Card number', expiry: 'Expires', expiryForm: 'MM / YY', cvc: 'Security code',
    badNumber: 'Check the card number.', badExpiry: 'Write month and year, such as 09 / 29.', expired: 'This card has expired.', badCvc: 'Write the 3 or 4 digits of the security code.',
    ways: 'Payment method', card: 'Card', bank: 'Bank account', account: 'Account number', routing: 'Routing number or sort code',
    badAccount: 'Write the 8 to 17 digits of the account number.', badRouting: 'Write the 6 or 9 digits of the routing number or sort code.',
  },
  es: {
    title: 'Datos de la tarjeta', number: 'Número de tarjeta', expiry: 'Caducidad', expiryForm: 'MM / AA', cvc: 'Código de seguridad',
    badNumber: 'Compruebe el número de la tarjeta.', badExpiry: 'Escriba el mes y el año, por ejemplo, 09 / 29.', expired: 'Esta tarjeta ha caducado.', badCvc: 'Escriba los 3 o 4 dígitos del código de seguridad.',
    ways: 'Forma de pago', card: 'Tarjeta', bank: 'Cuenta bancaria', account: 'Número de cuenta', routing: 'Código bancario',
    badAccount: 'Escriba los 8 a 17 dígitos del número de cuenta.', badRouting: 'Escriba los 6 o 9 dígitos del código bancario.',
  },
  fr: {
    title: 'Données de la carte', number: 'Numéro de carte', expiry: 'Expiration', expiryForm: 'MM / AA', cvc: 'Code de sécurité',
    badNumber: 'Vérifiez le numéro de la carte.', badExpiry: 'Indiquez le mois et l’année, par exemple 09 / 29.', expired: 'Cette carte a expiré.', badCvc: 'Indiquez les 3 ou 4 chiffres du code de sécurité.',
    ways: 'Moyen de paiement', card: 'Carte', bank: 'Compte bancaire', account: 'Numéro de compte', routing: 'Code bancaire',
    badAccount: 'Indiquez les 8 à 17 chiffres du numéro de compte.', badRouting: 'Indiquez les 6 ou 9 chiffres du code bancaire.',
  },
  de: {
    title: 'Kartendaten', number: 'Kartennummer', expiry: 'Gültig bis', expiryForm: 'MM / JJ', cvc: 'Sicherheitscode',
    badNumber: 'Prüfen Sie die Kartennummer.', badExpiry: 'Geben Sie Monat und Jahr ein, zum Beispiel 09 / 29.', expired: 'Diese Karte ist abgelaufen.', badCvc: 'Geben Sie die 3 oder 4 Ziffern des Sicherheitscodes ein.',
    ways: 'Zahlungsart', card: 'Karte', bank: 'Bankkonto', account: 'Kontonummer', routing: 'Bankleitzahl',
    badAccount: 'Geben Sie die 8 bis 17 Ziffern der Kontonummer ein.', badRouting: 'Geben Sie die 6 oder 9 Ziffern der Bankleitzahl ein.',
  },
  it: {
    title: 'Dati della carta', number: 'Numero della carta', expiry: 'Scadenza', expiryForm: 'MM / AA', cvc: 'Codice di sicurezza',
    badNumber: 'Controllare il numero della carta.', badExpiry: 'Inserire mese e anno, ad esempio 09 / 29.', expired: 'Questa carta è scaduta.', badCvc: 'Inserire le 3 o 4 cifre del codice di sicurezza.',
    ways: 'Metodo di pagamento', card: 'Carta', bank: 'Conto bancario', account: 'Numero di conto', routing: 'Codice bancario',
    badAccount: 'Inserire il numero di conto, da 8 a 17 cifre.', badRouting: 'Inserire le 6 o 9 cifre del codice bancario.',
  },
  'pt-BR': {
    title: 'Dados do cartão', number: 'Número do cartão', expiry: 'Validade', expiryForm: 'MM / AA', cvc: 'Código de segurança',
    badNumber: 'Confira o número do cartão.', badExpiry: 'Informe o mês e o ano, por exemplo, 09 / 29.', expired: 'Este cartão está vencido.', badCvc: 'Informe os 3 ou 4 dígitos do código de segurança.',
    ways: 'Forma de pagamento', card: 'Cartão', bank: 'Conta bancária', account: 'Número da conta', routing: 'Código do banco',
    badAccount: 'Informe os 8 a 17 dígitos do número da conta.', badRouting: 'Informe os 6 ou 9 dígitos do código do banco.',
  },
  nl: {
    title: 'Kaartgegevens', number: 'Kaartnummer', expiry: 'Geldig tot', expiryForm: 'MM / JJ', cvc: 'Beveiligingscode',
    badNumber: 'Controleer het kaartnummer.', badExpiry: 'Vul maand en jaar in, bijvoorbeeld 09 / 29.', expired: 'Deze kaart is verlopen.', badCvc: 'Vul de 3 of 4 cijfers van de beveiligingscode in.',
    ways: 'Betaalwijze', card: 'Kaart', bank: 'Bankrekening', account: 'Rekeningnummer', routing: 'Bankcode',
    badAccount: 'Vul de 8 tot 17 cijfers van het rekeningnummer in.', badRouting: 'Vul de 6 of 9 cijfers van de bankcode in.',
  },
  pl: {
    title: 'Dane karty', number: 'Numer karty', expiry: 'Ważna do', expiryForm: 'MM / RR', cvc: 'Kod zabezpieczający',
    badNumber: 'Proszę sprawdzić numer karty.', badExpiry: 'Proszę podać miesiąc i rok, na przykład 09 / 29.', expired: 'Ta karta straciła ważność.', badCvc: 'Proszę podać 3 lub 4 cyfry kodu zabezpieczającego.',
    ways: 'Sposób płatności', card: 'Karta', bank: 'Rachunek bankowy', account: 'Numer rachunku', routing: 'Numer rozliczeniowy banku',
    badAccount: 'Proszę podać numer rachunku: od 8 do 17 cyfr.', badRouting: 'Proszę podać 6 lub 9 cyfr numeru rozliczeniowego banku.',
  },
  sv: {
    title: 'Kortuppgifter', number: 'Kortnummer', expiry: 'Giltigt till', expiryForm: 'MM / ÅÅ', cvc: 'Säkerhetskod',
    badNumber: 'Kontrollera kortnumret.', badExpiry: 'Skriv månad och år, till exempel 09 / 29.', expired: 'Det här kortet har gått ut.', badCvc: 'Skriv säkerhetskodens 3 eller 4 siffror.',
    ways: 'Betalningssätt', card: 'Kort', bank: 'Bankkonto', account: 'Kontonummer', routing: 'Clearingnummer',
    badAccount: 'Skriv kontonumrets 8 till 17 siffror.', badRouting: 'Skriv clearingnumrets 6 eller 9 siffror.',
  },
  tr: {
    title: 'Kart bilgileri', number: 'Kart numarası', expiry: 'Geçerlilik', expiryForm: 'AA / YY', cvc: 'Güvenlik kodu',
    badNumber: 'Kart numarasını kontrol edin.', badExpiry: 'Ay ve yılı yazın, örneğin 09 / 29.', expired: 'Bu kartın süresi dolmuş.', badCvc: 'Güvenlik kodunun 3 veya 4 rakamını yazın.',
    ways: 'Ödeme yöntemi', card: 'Kart', bank: 'Banka hesabı', account: 'Hesap numarası', routing: 'Banka kodu',
    badAccount: 'Hesap numarasının 8 ila 17 rakamını yazın.', badRouting: 'Banka kodunun 6 veya 9 rakamını yazın.',
  },
  uk: {
    title: 'Дані картки', number: 'Номер картки', expiry: 'Термін дії', expiryForm: 'ММ / РР', cvc: 'Код безпеки',
    badNumber: 'Перевірте номер картки.', badExpiry: 'Вкажіть місяць і рік, наприклад 09 / 29.', expired: 'Термін дії цієї картки закінчився.', badCvc: 'Вкажіть 3 або 4 цифри коду безпеки.',
    ways: 'Спосіб оплати', card: 'Картка', bank: 'Банківський рахунок', account: 'Номер рахунку', routing: 'Код банку',
    badAccount: 'Вкажіть номер рахунку: від 8 до 17 цифр.', badRouting: 'Вкажіть 6 або 9 цифр коду банку.',
  },
  ar: {
    title: 'بيانات البطاقة', number: 'رقم البطاقة', expiry: 'تاريخ الانتهاء', expiryForm: '\u2066MM / YY\u2069', cvc: 'رمز الأمان',
    badNumber: 'يرجى التحقق من رقم البطاقة.', badExpiry: 'يرجى كتابة الشهر والسنة، مثل \u206609 / 29\u2069.', expired: 'انتهت صلاحية هذه البطاقة.', badCvc: 'يرجى كتابة رمز الأمان المكوّن من 3 أو 4 أرقام.',
    ways: 'طريقة الدفع', card: 'بطاقة', bank: 'حساب بنكي', account: 'رقم الحساب', routing: 'رمز البنك',
    badAccount: 'يرجى كتابة رقم الحساب المكوّن من 8 إلى 17 رقمًا.', badRouting: 'يرجى كتابة رمز البنك المكوّن من 6 أو 9 أرقام.',
  },
  he: {
    title: 'פרטי הכרטיס', number: 'מספר כרטיס', expiry: 'בתוקף עד', expiryForm: '\u2066MM / YY\u2069', cvc: 'קוד אבטחה',
    badNumber: 'נא לבדוק את מספר הכרטיס.', badExpiry: 'נא לכתוב חודש ושנה, למשל \u206609 / 29\u2069.', expired: 'תוקף הכרטיס פג.', badCvc: 'נא לכתוב את 3 או 4 הספרות של קוד האבטחה.',
    ways: 'אמצעי תשלום', card: 'כרטיס', bank: 'חשבון בנק', account: 'מספר חשבון', routing: 'קוד הבנק',
    badAccount: 'נא לכתוב את 8 עד 17 הספרות של מספר החשבון.', badRouting: 'נא לכתוב את 6 או 9 הספרות של קוד הבנק.',
  },
  hi: {
    title: 'कार्ड की जानकारी', number: 'कार्ड नंबर', expiry: 'वैधता', expiryForm: 'MM / YY', cvc: 'सुरक्षा कोड',
    badNumber: 'कार्ड नंबर जाँचें।', badExpiry: 'महीना और साल लिखें, जैसे 09 / 29।', expired: 'इस कार्ड की वैधता समाप्त हो गई है।', badCvc: 'सुरक्षा कोड के 3 या 4 अंक लिखें।',
    ways: 'भुगतान का तरीका', card: 'कार्ड', bank: 'बैंक खाता', account: 'खाता नंबर', routing: 'बैंक कोड',
    badAccount: 'खाता नंबर के 8 से 17 अंक लिखें।', badRouting: 'बैंक कोड के 6 या 9 अंक लिखें।',
  },
  'zh-Hans': {
    title: '银行卡信息', number: '卡号', expiry: '有效期', expiryForm: '月 / 年', cvc: '安全码',
    badNumber: '请检查卡号。', badExpiry: '请填写月份和年份，例如09 / 29。', expired: '此卡已过期。', badCvc: '请填写3位或4位数的安全码。',
    ways: '付款方式', card: '银行卡', bank: '银行账户', account: '账号', routing: '银行代码',
    badAccount: '请填写8至17位数的账号。', badRouting: '请填写6位或9位数的银行代码。',
  },
  ja: {
    title: 'カード情報', number: 'カード番号', expiry: '有効期限', expiryForm: '月 / 年', cvc: 'セキュリティコード',
    badNumber: 'カード番号をご確認ください。', badExpiry: '09 / 29のように月と年を入力してください。', expired: 'このカードは有効期限が切れています。', badCvc: '3桁または4桁のセキュリティコードを入力してください。',
    ways: 'お支払い方法', card: 'カード', bank: '銀行口座', account: '口座番号', routing: '銀行コード',
    badAccount: '8桁から17桁の口座番号を入力してください。', badRouting: '6桁または9桁の銀行コードを入力してください。',
  },
} satisfies Record<string, Words>;

export type FrameLanguage = keyof typeof words;

/** The language that the frame speaks where the page asks for one: English where it does not know it, or none was named. */
export function frameLanguage(asked: string | undefined): FrameLanguage {
  return asked !== undefined && Object.hasOwn(words, asked) ? asked as FrameLanguage : 'en';
}
