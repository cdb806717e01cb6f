import type { Language } from '@donation-form/core/i18n';

/** Texts of messages that the form does not have. */
export interface MailTexts {
  /** Subject of a thank-you message. */
  readonly thankYou: string;
  readonly test: string;
  /** Subject of the message to the person whom a donor named. */
  readonly tribute: string;
  /** Why that person gets the message. */
  readonly tributeReason: string;
  /** Label of the donor's name. */
  readonly tributeFrom: string;
  readonly tributeMessage: string;
  readonly tributeReply: string;
}

const EN: MailTexts = {
  thankYou: 'Thank you for your donation to {organization}',
  test: 'This was a test. No money was moved.',
  tribute: 'Someone donated to {organization} and wanted you to know',
  tributeReason: 'The donor gave us your email address so that we could tell you.',
  tributeFrom: 'From',
  tributeMessage: 'The donor’s message:',
  tributeReply: 'If you have questions or want no more messages like this, reply to this message.',
};

export const MAIL_TEXTS: Readonly<Record<Language, MailTexts>> = {
  en: EN,
  'en-GB': EN,
  es: {
    thankYou: 'Gracias por tu donación a {organization}',
    test: 'Esto ha sido una prueba. No se ha movido dinero.',
    tribute: 'Alguien ha donado a {organization} y quería que lo supieras',
    tributeReason:
      'La persona que donó nos dio tu correo electrónico para que pudiéramos contártelo.',
    tributeFrom: 'De',
    tributeMessage: 'Su mensaje:',
    tributeReply:
      'Si tienes preguntas o no quieres recibir más mensajes como este, responde a este mensaje.',
  },
  fr: {
    thankYou: 'Merci pour votre don à {organization}',
    test: 'Ceci était un test. Aucun paiement n’a été effectué.',
    tribute: 'Un don à {organization} a été fait en pensant à vous',
    tributeReason:
      'La personne qui a fait ce don nous a donné votre adresse e-mail pour que nous vous l’annoncions.',
    tributeFrom: 'De la part de',
    tributeMessage: 'Son message :',
    tributeReply:
      'Si vous avez des questions ou ne souhaitez plus recevoir ce type de message, répondez à ce message.',
  },
  de: {
    thankYou: 'Danke für Ihre Spende an {organization}',
    test: 'Dies war ein Test. Es wurde kein Geld bewegt.',
    tribute: 'Jemand hat an {organization} gespendet und möchte, dass Sie es wissen',
    tributeReason:
      'Die spendende Person hat uns Ihre E-Mail-Adresse gegeben, damit wir Ihnen davon berichten.',
    tributeFrom: 'Von',
    tributeMessage: 'Ihre Nachricht an Sie:',
    tributeReply:
      'Wenn Sie Fragen haben oder keine solchen Nachrichten mehr möchten, antworten Sie auf diese Nachricht.',
  },
  it: {
    thankYou: 'Grazie per la tua donazione a {organization}',
    test: 'Questa era una prova. Non è stato effettuato alcun pagamento.',
    tribute: 'Qualcuno ha donato a {organization} e vuole che tu lo sappia',
    tributeReason: 'Chi ha donato ci ha dato il tuo indirizzo email perché potessimo dirtelo.',
    tributeFrom: 'Da',
    tributeMessage: 'Il suo messaggio:',
    tributeReply:
      'Se hai domande o non vuoi più ricevere messaggi come questo, rispondi a questo messaggio.',
  },
  'pt-BR': {
    thankYou: 'Obrigado pela sua doação para {organization}',
    test: 'Isto foi um teste. Nenhum valor foi cobrado.',
    tribute: 'Alguém doou para {organization} e quis que você soubesse',
    tributeReason: 'A pessoa que doou nos deu seu e-mail para que pudéssemos contar a você.',
    tributeFrom: 'De',
    tributeMessage: 'A mensagem dela:',
    tributeReply:
      'Se você tiver dúvidas ou não quiser mais receber mensagens como esta, responda a esta mensagem.',
  },
  nl: {
    thankYou: 'Bedankt voor je donatie aan {organization}',
    test: 'Dit was een test. Er is geen geld overgemaakt.',
    tribute: 'Iemand heeft aan {organization} gedoneerd en wil dat je het weet',
    tributeReason: 'De donateur gaf ons je e-mailadres, zodat we het je konden vertellen.',
    tributeFrom: 'Van',
    tributeMessage: 'Het bericht van de donateur:',
    tributeReply:
      'Heb je vragen of wil je zulke berichten niet meer ontvangen? Beantwoord dan dit bericht.',
  },
  pl: {
    thankYou: 'Dziękujemy za darowiznę dla {organization}',
    test: 'To był test. Nie pobrano żadnych pieniędzy.',
    tribute: 'Ktoś przekazał darowiznę na rzecz {organization} z myślą o Tobie',
    tributeReason: 'Darczyńca podał nam Twój adres e-mail, abyśmy mogli Cię o tym powiadomić.',
    tributeFrom: 'Od',
    tributeMessage: 'Wiadomość od darczyńcy:',
    tributeReply:
      'Jeśli masz pytania lub nie chcesz otrzymywać takich wiadomości, odpowiedz na tę wiadomość.',
  },
  sv: {
    thankYou: 'Tack för din gåva till {organization}',
    test: 'Det här var ett test. Inga pengar har dragits.',
    tribute: 'Någon har skänkt en gåva till {organization} och vill att du ska veta det',
    tributeReason: 'Givaren gav oss din e-postadress för att vi skulle kunna berätta det för dig.',
    tributeFrom: 'Från',
    tributeMessage: 'Givarens hälsning:',
    tributeReply:
      'Om du har frågor eller inte vill få fler sådana meddelanden kan du svara på det här meddelandet.',
  },
  tr: {
    thankYou: '{organization} için yaptığınız bağışa teşekkürler',
    test: 'Bu bir denemeydi. Hiçbir ödeme alınmadı.',
    tribute: 'Biri {organization} için bağış yaptı ve bilmenizi istedi',
    tributeReason: 'Bağışçı, size haber verebilmemiz için e-posta adresinizi bize verdi.',
    tributeFrom: 'Gönderen',
    tributeMessage: 'Bağışçının mesajı:',
    tributeReply:
      'Sorularınız varsa veya bu tür mesajları artık almak istemiyorsanız bu mesajı yanıtlayın.',
  },
  uk: {
    thankYou: 'Дякуємо за вашу пожертву для {organization}',
    test: 'Це була перевірка. Кошти не списано.',
    tribute: 'Хтось зробив пожертву для {organization} і хоче, щоб ви про це знали',
    tributeReason:
      'Жертводавець дав нам вашу електронну адресу, щоб ми могли вам про це повідомити.',
    tributeFrom: 'Від',
    tributeMessage: 'Повідомлення від жертводавця:',
    tributeReply:
      'Якщо маєте запитання або не хочете більше отримувати таких повідомлень, дайте відповідь на це повідомлення.',
  },
  ar: {
    thankYou: 'شكرًا لتبرعكم لصالح {organization}',
    test: 'كانت هذه تجربة، ولم يُنقل أي مبلغ.',
    tribute: 'تبرّع شخص لصالح {organization} وأراد إعلامكم بذلك',
    tributeReason: 'أعطانا المتبرع عنوان بريدكم الإلكتروني لنخبركم بذلك.',
    tributeFrom: 'من',
    tributeMessage: 'رسالة المتبرع:',
    tributeReply:
      'إذا كانت لديكم أسئلة أو لم ترغبوا في تلقي رسائل كهذه، فيرجى الرد على هذه الرسالة.',
  },
  he: {
    thankYou: 'תודה על תרומתך ל-{organization}',
    test: 'זו הייתה בדיקה. לא הועבר כסף.',
    tribute: 'תרומה ל-{organization} נעשתה מתוך מחשבה עליך',
    tributeReason: 'כתובת הדוא״ל שלך נמסרה לנו עם התרומה כדי שנוכל לספר לך עליה.',
    tributeFrom: 'מאת',
    tributeMessage: 'הודעה שצורפה לתרומה:',
    tributeReply: 'יש שאלות, או שאין רצון לקבל עוד הודעות כאלה? אפשר להשיב להודעה זו.',
  },
  hi: {
    thankYou: '{organization} को दिए गए आपके दान के लिए धन्यवाद',
    test: 'यह एक परीक्षण था। कोई पैसा नहीं लिया गया।',
    tribute: 'किसी ने {organization} को दान दिया और चाहा कि आपको पता चले',
    tributeReason: 'दान देने वाले ने हमें आपका ईमेल पता दिया, ताकि हम आपको बता सकें।',
    tributeFrom: 'प्रेषक',
    tributeMessage: 'दान देने वाले का संदेश:',
    tributeReply: 'अगर आपके कोई सवाल हैं या आप ऐसे और संदेश नहीं चाहते, तो इस संदेश का जवाब दें।',
  },
  'zh-Hans': {
    thankYou: '感谢您向{organization}捐款',
    test: '这是一次测试，未发生任何扣款。',
    tribute: '有人向{organization}捐款，并希望告诉您',
    tributeReason: '捐款人向我们提供了您的电子邮箱，以便我们告知您。',
    tributeFrom: '来自',
    tributeMessage: '捐款人的寄语：',
    tributeReply: '如有疑问，或不想再收到此类邮件，请回复本邮件。',
  },
  ja: {
    thankYou: '{organization}へのご寄付ありがとうございます',
    test: 'これはテストです。お金は動いていません。',
    tribute: '{organization}へのご寄付についてのお知らせ',
    tributeReason:
      '寄付をされた方から、あなたにお知らせするためにメールアドレスをお預かりしました。',
    tributeFrom: '差出人',
    tributeMessage: '寄付をされた方からのメッセージ：',
    tributeReply:
      'ご質問がある場合や、今後このようなメールを希望されない場合は、このメールにご返信ください。',
  },
};
