import type { Tables } from '../tables.ts';

/** Italian, informal (tu). */
export const tables: Tables = {
  form: {
    direction: 'ltr',
    decimalMark: ',',
    groupMark: '.',
    money: '{amount}\u00a0{sign}',

    loading: 'Caricamento del modulo di donazione',
    unavailable: 'In questo momento non è possibile mostrare il modulo di donazione.',
    insecure: 'Questa pagina non è crittografata, perciò qui non è possibile donare.',
    tryAgain: 'Riprova',
    testRibbon: 'Modalità di prova: nessun addebito reale',

    frequency: 'Frequenza',
    frequencies: {
      once: 'Una volta',
      weekly: 'Ogni settimana',
      everyOtherWeek: 'Ogni 2 settimane',
      monthly: 'Ogni mese',
      quarterly: 'Ogni 3 mesi',
      biannual: '2 volte l’anno',
      annually: 'Ogni anno',
    },
    gifts: {
      once: '{total}',
      weekly: '{total} ogni settimana',
      everyOtherWeek: '{total} ogni due settimane',
      monthly: '{total} ogni mese',
      quarterly: '{total} ogni tre mesi',
      biannual: '{total} due volte l’anno',
      annually: '{total} ogni anno',
    },
    amount: 'Importo',
    otherAmount: 'Altro importo',
    amountIn: 'Altro importo in {currency}',
    currency: 'Valuta',
    purpose: 'Destinazione della donazione',
    donor: 'I tuoi dati',
    fields: {
      firstName: 'Nome',
      lastName: 'Cognome',
      email: 'E-mail',
      phone: 'Telefono',
      address1: 'Indirizzo',
      address2: 'Indirizzo (riga 2)',
      city: 'Città',
      state: 'Provincia o Stato',
      postal: 'CAP',
      country: 'Paese',
    },
    optional: 'facoltativo',
    comment: 'Commento',
    payment: 'Pagamento',
    coverCosts: 'Aggiungo {costs} per coprire i costi di questo pagamento',
    coverCostsUnknown: 'Aggiungo una piccola somma per coprire i costi di questo pagamento',
    coverCostsWhy: 'Così la tua donazione di {amount} è tutta per {organization}',
    coverCostsWhyUnknown: 'Così la tua donazione è tutta per {organization}',
    give: 'Dona {gift}',
    giveWithoutAmount: 'Dona',
    sending: 'Invio della donazione…',
    promise:
      'La tua donazione è per {organization}. I dati di pagamento vanno direttamente al gestore dei pagamenti.',
    paymentUnavailable:
      'Non è stato possibile caricare il campo di pagamento. Controlla la connessione e che nulla lo blocchi nel browser, poi riprova.',
  },

  sending: {
    problems: {
      one: 'Un dato manca o va corretto.',
      other: '{count} dati mancano o vanno corretti.',
    },
    amountMissing: 'Scegli o scrivi un importo.',
    notAnAmount: 'Scrivi l’importo in cifre, ad esempio {example}.',
    tooSmall: 'La donazione minima qui è di {minimum}.',
    tooLarge: 'La donazione massima qui è di {maximum}. Per donare di più scrivi a {contact}.',
    missing: {
      firstName: 'Inserisci il tuo nome.',
      lastName: 'Inserisci il tuo cognome.',
      email: 'Inserisci il tuo indirizzo e-mail.',
      phone: 'Inserisci il tuo numero di telefono.',
      address1: 'Inserisci il tuo indirizzo.',
      address2: 'Inserisci la seconda riga dell’indirizzo.',
      city: 'Inserisci la tua città.',
      state: 'Indica la tua provincia o il tuo Stato.',
      postal: 'Inserisci il CAP.',
      country: 'Scegli il tuo Paese.',
    },
    cardNumber:
      'Sembra un numero di carta. Toglilo da qui: i dati della carta vanno scritti solo nel campo di pagamento.',
    notAnEmail: 'Controlla l’indirizzo e-mail: deve essere del tipo nome@example.org.',
    notices: {
      'settings-changed':
        'La pagina ha modificato questa donazione dopo che l’hai vista. Ricontrollala e premi di nuovo il pulsante. Non è stato addebitato nulla.',
      'card-incomplete': 'Controlla i dati di pagamento qui sopra.',
      'card-failed':
        'Il gestore dei pagamenti non ha risposto. Non è stato addebitato nulla. Riprova tra poco.',
      'card-declined':
        'La tua banca ha rifiutato questa carta. Non è stato addebitato nulla. Controlla i dati, usa un’altra carta o chiedi alla tua banca.',
      'not-confirmed':
        'Il pagamento non è stato confermato con la tua banca. Non è stato addebitato nulla. Riprova o usa un’altra carta.',
      'not-charged': 'Non è stato addebitato nulla. Riprova.',
      'no-answer':
        'Non siamo riusciti a contattare {organization}. Tutto quello che hai scritto è ancora qui. Premi di nuovo il pulsante: ci sarà al massimo un solo addebito.',
      offline:
        'Sei offline. Tutto quello che hai scritto è ancora qui. Premi di nuovo il pulsante quando torna la connessione: ci sarà al massimo un solo addebito.',
      'too-many-requests':
        'In questo momento stanno donando molte persone. Tutto quello che hai scritto è ancora qui. Premi di nuovo il pulsante dopo le ore {time}: ci sarà al massimo un solo addebito.',
      'form-outdated':
        'Questo modulo è cambiato mentre lo compilavi. Ricontrolla la donazione e premi di nuovo il pulsante. Non è stato addebitato nulla.',
      paused:
        '{organization} al momento non accetta donazioni. Non è stato addebitato nulla e tutto ciò che hai scritto è ancora qui. Riprova più tardi.',
      refused:
        'Questa donazione non è stata accettata e non è stato addebitato nulla. Scrivi a {contact} perché il problema possa essere risolto.',
    },
    hosted: 'Pagherai nel passaggio successivo, su una pagina sicura del gestore dei pagamenti.',
    acting: 'Conferma questo pagamento con la tua banca',
    actionTitle: 'Manca un passaggio',
    action:
      'Non è stato ancora addebitato nulla: la tua banca o la pagina di pagamento attende la tua conferma.',
    actionUnknown:
      'Non siamo riusciti a contattare {organization} e non sappiamo se hai pagato. Riprova tra poco.',
    actionContinue: 'Continua',
    actionCancel: 'Non donare adesso',
    checkingTitle: 'Stiamo verificando la tua donazione',
    checking:
      'Il gestore dei pagamenti non ci ha ancora comunicato se il pagamento è andato a buon fine. Per favore, non donare di nuovo. Questa pagina mostrerà l’esito appena sarà noto; puoi anche chiuderla.',
    reference: 'Codice di riferimento',
    questions: 'Domande? Scrivi a {contact} indicando il codice di riferimento.',
    mention: 'Se ci scrivi, indica per favore {request}.',
    thanksTitle: 'Grazie!',
    thanksTitleName: 'Grazie, {name}!',
    thanksFor: 'Destinazione:',
    earlierGift:
      'Questa è la donazione che avevi inviato in precedenza. Ciò che hai modificato dopo non è stato addebitato.',
    thanksCosts:
      'Del totale, {amount} sono la tua donazione e {costs} coprono i costi del pagamento.',
    receipts: {
      platform: '{organization} ti invia la ricevuta via e-mail.',
      processor: 'Il gestore dei pagamenti ti invia la ricevuta via e-mail.',
      none: 'Conserva questa pagina come promemoria: nessuna ricevuta viene inviata automaticamente. {organization} te ne rilascia una se la chiedi a {contact}.',
    },
    print: 'Stampa',
    share: 'Condividi',
    shareText: 'Ho sostenuto {organization} con una donazione. Lo fai anche tu?',
    shared: 'L’indirizzo di questa pagina è stato copiato.',
    manage: 'Cambia la carta o interrompi questa donazione in qualsiasi momento',
    pendingTitle: 'La tua donazione è in arrivo',
    pending:
      'La tua banca l’ha accettata ed effettuerà il pagamento entro pochi giorni. Non devi fare altro.',
    instructionsTitle: 'Grazie! Ecco come pagare',
  },

  more: {
    nudge:
      'Una donazione mensile ci permette di programmare il nostro lavoro. Preferiresti donare {amount} ogni mese?',
    nudgeAccept: 'Preferisco donare {amount} ogni mese',
    nudgeDone: 'Ora la tua donazione è di {amount} ogni mese. Puoi modificarla qui sopra.',
    findProject: 'Cerca un progetto',
    projectsFound: { one: '{count} progetto', other: '{count} progetti' },
    noProject: 'Nessun progetto ha queste parole nel nome.',
    goal: '{raised} raccolti su {target}',
    split: 'Divido la mia donazione tra più progetti',
    splitHint:
      'Scegli i progetti. Quelli che lasci senza importo si dividono il resto in parti uguali.',
    partFor: 'Importo per {project}',
    shareOfRest: 'riceve {amount}',
    splitSum: '{sum} ripartiti su {amount}',
    splitMissing: 'Scegli almeno un progetto.',
    splitWrong:
      'La somma delle parti è {sum} e la tua donazione è di {amount}. Modifica una parte o l’importo.',
    splitNoAmount: 'Scrivi l’importo in cifre o lascia vuoto il campo.',
    splitTooSmall: 'La tua donazione è troppo piccola per così tante parti. Scegli meno progetti.',
    tribute: 'In onore o in memoria di qualcuno',
    tributeKinds: { none: 'No', honor: 'In onore', memory: 'In memoria' },
    tributeName: 'Nome della persona',
    tributeMessage: 'Messaggio',
    tributeNotify: 'E-mail di una persona da avvisare',
    tributeNotifyHint:
      'Saprà della tua donazione e leggerà il tuo messaggio, ma non conoscerà l’importo.',
    tributeNameMissing: 'Inserisci il nome.',
    organization: 'Dono per conto di un’organizzazione',
    organizationName: 'Organizzazione',
    organizationMissing: 'Inserisci il nome dell’organizzazione.',
    anonymous: 'Non rendere pubblico il mio nome',
    anonymousHint: '{organization} saprà comunque chi sei e la ricevuta riporterà il tuo nome.',
    consents: 'Da leggere',
    consentMissing: 'Senza questa conferma non possiamo accettare la tua donazione.',
    howToPay: 'Metodo di pagamento',
    ways: { card: 'Carta', bank: 'Conto bancario', other: 'Altri modi' },
    promiseOnly: 'La tua donazione è per {organization}.',
    yes: 'Sì',
    no: 'No',
    choose: 'Scegli',
    fieldMissing: 'Compila «{field}».',
    notANumber: 'Scrivi un numero in cifre, ad esempio {example}.',
    notAWholeNumber: 'Scrivi un numero intero in cifre, ad esempio 12.',
    notADate: 'Scrivi una data che esiste.',
    notALink: 'Scrivi un indirizzo web completo, ad esempio https://example.org.',
  },

  address: {
    cityLabels: { city: 'Città', district: 'Distretto', post_town: 'Città', suburb: 'Località' },
    stateLabels: {
      province: 'Provincia',
      area: 'Area',
      county: 'Contea',
      department: 'Dipartimento',
      district: 'Distretto',
      do_si: 'Provincia o città',
      emirate: 'Emirato',
      island: 'Isola',
      oblast: 'Oblast',
      parish: 'Parrocchia',
      prefecture: 'Prefettura',
      region: 'Regione',
      state: 'Stato',
    },
    postalLabels: {
      postal: 'CAP',
      eircode: 'Eircode',
      pin: 'Codice postale (PIN)',
      zip: 'Codice postale (ZIP)',
    },
    choose: 'Scegli',
    missing: 'Compila «{label}».',
    notAPostal: 'Controlla «{label}»: deve essere del tipo {example}.',
  },
};
