import type { Tables } from '../tables.ts';

/** Polish, informal and without gender. */
export const tables: Tables = {
  form: {
    direction: 'ltr',
    decimalMark: ',',
    groupMark: '\u00a0',
    money: '{amount}\u00a0{sign}',

    loading: 'Trwa ładowanie formularza darowizny',
    unavailable: 'W tej chwili nie można wyświetlić formularza darowizny.',
    insecure: 'Ta strona nie jest szyfrowana, dlatego nie przyjmujemy tu darowizn.',
    tryAgain: 'Spróbuj ponownie',
    testRibbon: 'Tryb testowy: pieniądze nie są pobierane',

    frequency: 'Jak często',
    frequencies: {
      once: 'Jednorazowo',
      weekly: 'Co tydzień',
      everyOtherWeek: 'Co 2 tygodnie',
      monthly: 'Co miesiąc',
      quarterly: 'Co kwartał',
      biannual: 'Co pół roku',
      annually: 'Co roku',
    },
    gifts: {
      once: '{total}',
      weekly: '{total} co tydzień',
      everyOtherWeek: '{total} co dwa tygodnie',
      monthly: '{total} co miesiąc',
      quarterly: '{total} co kwartał',
      biannual: '{total} co pół roku',
      annually: '{total} co roku',
    },
    amount: 'Kwota',
    otherAmount: 'Inna kwota',
    amountIn: 'Inna kwota w walucie {currency}',
    currency: 'Waluta',
    purpose: 'Cel darowizny',
    donor: 'Twoje dane',
    fields: {
      firstName: 'Imię',
      lastName: 'Nazwisko',
      email: 'E-mail',
      phone: 'Telefon',
      address1: 'Adres',
      address2: 'Adres (drugi wiersz)',
      city: 'Miejscowość',
      state: 'Województwo lub region',
      postal: 'Kod pocztowy',
      country: 'Kraj',
    },
    optional: 'opcjonalnie',
    comment: 'Komentarz',
    payment: 'Płatność',
    coverCosts: 'Dodaję {costs} na pokrycie kosztów tej płatności',
    coverCostsUnknown: 'Dodaję niewielką kwotę na pokrycie kosztów tej płatności',
    coverCostsWhy: 'Dzięki temu cała kwota {amount} trafi do organizacji {organization}',
    coverCostsWhyUnknown: 'Dzięki temu cała Twoja darowizna trafi do organizacji {organization}',
    give: 'Przekaż {gift}',
    giveWithoutAmount: 'Przekaż darowiznę',
    sending: 'Przekazujemy Twoją darowiznę…',
    promise:
      'Twoja darowizna trafi do organizacji {organization}. Dane płatności są przesyłane bezpośrednio do operatora płatności.',
    paymentUnavailable:
      'Nie udało się wczytać pola płatności. Sprawdź połączenie z internetem oraz czy coś w przeglądarce nie blokuje tego pola, a potem spróbuj ponownie.',
  },

  sending: {
    problems: {
      one: 'Jedno pole wymaga uzupełnienia lub poprawy.',
      few: '{count} pola wymagają uzupełnienia lub poprawy.',
      many: '{count} pól wymaga uzupełnienia lub poprawy.',
      other: '{count} pola wymaga uzupełnienia lub poprawy.',
    },
    amountMissing: 'Wybierz lub wpisz kwotę.',
    notAnAmount: 'Wpisz kwotę cyframi, na przykład {example}.',
    tooSmall: 'Najniższa kwota darowizny w tym formularzu to {minimum}.',
    tooLarge:
      'Najwyższa kwota darowizny w tym formularzu to {maximum}. Jeśli chcesz przekazać więcej, napisz na adres {contact}.',
    missing: {
      firstName: 'Wpisz swoje imię.',
      lastName: 'Wpisz swoje nazwisko.',
      email: 'Wpisz swój adres e-mail.',
      phone: 'Wpisz swój numer telefonu.',
      address1: 'Wpisz swój adres.',
      address2: 'Wpisz drugi wiersz adresu.',
      city: 'Wpisz miejscowość.',
      state: 'Wpisz województwo lub region.',
      postal: 'Wpisz kod pocztowy.',
      country: 'Wybierz kraj.',
    },
    cardNumber:
      'To wygląda na numer karty. Usuń go: dane karty wpisuje się tylko w polu płatności.',
    notAnEmail: 'Sprawdź adres e-mail; powinien mieć postać imie@example.org.',
    notices: {
      'settings-changed':
        'Ta strona zmieniła w międzyczasie Twoją darowiznę. Sprawdź ją i naciśnij przycisk ponownie. Nie pobrano żadnych środków.',
      'card-incomplete': 'Sprawdź dane płatności powyżej.',
      'card-failed':
        'Operator płatności nie odpowiedział. Nie pobrano żadnych środków. Spróbuj ponownie za chwilę.',
      'card-declined':
        'Twój bank odrzucił tę kartę. Nie pobrano żadnych środków. Sprawdź dane, użyj innej karty lub skontaktuj się z bankiem.',
      'not-confirmed':
        'Płatność nie została potwierdzona w banku. Nie pobrano żadnych środków. Spróbuj ponownie lub użyj innej karty.',
      'not-charged': 'Nie pobrano żadnych środków. Spróbuj ponownie.',
      'no-answer':
        'Nie udało się połączyć z serwerem organizacji {organization}. Wszystkie wpisane dane są nadal w formularzu. Naciśnij przycisk ponownie: środki zostaną pobrane najwyżej raz.',
      offline:
        'Brak połączenia z internetem. Wszystkie wpisane dane są nadal w formularzu. Gdy połączenie wróci, naciśnij przycisk ponownie: środki zostaną pobrane najwyżej raz.',
      'too-many-requests':
        'W tej chwili darowizny przekazuje bardzo wiele osób. Wszystkie wpisane dane są nadal w formularzu. Naciśnij przycisk ponownie po godzinie {time}: środki zostaną pobrane najwyżej raz.',
      'form-outdated':
        'Formularz zmienił się w trakcie wypełniania. Sprawdź swoją darowiznę i naciśnij przycisk ponownie. Nie pobrano żadnych środków.',
      paused:
        '{organization} chwilowo nie przyjmuje darowizn. Nie pobrano żadnych środków, a wszystkie wpisane dane zostały zachowane. Spróbuj ponownie później.',
      refused:
        'Ta darowizna nie została przyjęta i nie pobrano żadnych środków. Napisz na adres {contact}, żeby można było to naprawić.',
    },
    hosted: 'Zapłacisz w następnym kroku, na bezpiecznej stronie operatora płatności.',
    acting: 'Potwierdź tę płatność w swoim banku',
    actionTitle: 'Jeszcze jeden krok',
    action:
      'Nie pobrano jeszcze żadnych środków: bank lub strona płatności czeka na Twoje potwierdzenie.',
    actionUnknown:
      'Nie udało się połączyć z serwerem organizacji {organization} i nie wiemy, czy płatność została wykonana. Spróbuj ponownie za chwilę.',
    actionContinue: 'Kontynuuj',
    actionCancel: 'Zrezygnuj na razie',
    checkingTitle: 'Sprawdzamy Twoją darowiznę',
    checking:
      'Operator płatności nie poinformował nas jeszcze, czy płatność się powiodła. Prosimy nie przekazywać darowizny ponownie. Wynik pojawi się na tej stronie, gdy tylko będzie znany; możesz ją też zamknąć.',
    reference: 'Numer darowizny',
    questions: 'Masz pytania? Napisz na adres {contact} i podaj numer darowizny.',
    mention: 'Jeśli do nas napiszesz, podaj proszę {request}.',
    thanksTitle: 'Dziękujemy!',
    thanksTitleName: '{name}, dziękujemy!',
    thanksFor: 'Cel:',
    earlierGift:
      'To darowizna wysłana wcześniej. Za zmiany wprowadzone później nie pobrano żadnych środków.',
    thanksCosts: '{amount} to Twoja darowizna, a {costs} to dopłata na pokrycie kosztów płatności.',
    receipts: {
      platform: 'Potwierdzenie darowizny otrzymasz e-mailem od organizacji {organization}.',
      processor: 'Potwierdzenie darowizny otrzymasz e-mailem od operatora płatności.',
      none: 'Zachowaj tę stronę dla siebie: potwierdzenie nie jest wysyłane automatycznie. Organizacja {organization} wystawi je, jeśli poprosisz o to pod adresem {contact}.',
    },
    print: 'Drukuj',
    share: 'Udostępnij',
    shareText: 'Wspieram organizację {organization}. Dołączysz?',
    shared: 'Adres tej strony został skopiowany.',
    manage: 'Zmień kartę lub zakończ tę darowiznę w dowolnym momencie',
    pendingTitle: 'Twoja darowizna jest w drodze',
    pending:
      'Twój bank przyjął płatność i zrealizuje ją w ciągu kilku dni. Nie musisz już nic robić.',
    instructionsTitle: 'Dziękujemy! Oto jak zapłacić',
  },

  more: {
    nudge:
      'Comiesięczne wpłaty pozwalają nam planować z wyprzedzeniem. A może {amount} co miesiąc?',
    nudgeAccept: 'Wolę {amount} co miesiąc',
    nudgeDone: 'Twoja darowizna to teraz {amount} co miesiąc. Możesz to zmienić powyżej.',
    findProject: 'Znajdź projekt',
    projectsFound: {
      one: '{count} projekt',
      few: '{count} projekty',
      many: '{count} projektów',
      other: '{count} projektu',
    },
    noProject: 'Żaden projekt nie ma tych słów w nazwie.',
    goal: 'Zebrano {raised} z {target}',
    split: 'Chcę podzielić darowiznę między kilka projektów',
    splitHint:
      'Wybierz projekty. Reszta kwoty zostanie podzielona po równo między projekty z pustym polem.',
    partFor: 'Kwota na projekt {project}',
    shareOfRest: 'otrzyma {amount}',
    splitSum: 'Podzielono {sum} z {amount}',
    splitMissing: 'Wybierz co najmniej jeden projekt.',
    splitWrong:
      'Suma części to {sum}, a Twoja darowizna to {amount}. Zmień jedną z części lub kwotę darowizny.',
    splitNoAmount: 'Wpisz kwotę cyframi albo zostaw puste pole.',
    splitTooSmall: 'Ta darowizna jest za mała na tyle części. Wybierz mniej projektów.',
    tribute: 'Na czyjąś cześć lub ku czyjejś pamięci',
    tributeKinds: { none: 'Nie', honor: 'Na cześć', memory: 'Ku pamięci' },
    tributeName: 'Imię i nazwisko tej osoby',
    tributeMessage: 'Wiadomość',
    tributeNotify: 'E-mail osoby, którą mamy powiadomić',
    tributeNotifyHint:
      'Osoba ta dowie się o darowiźnie i przeczyta Twoją wiadomość, ale nie pozna kwoty.',
    tributeNameMissing: 'Wpisz imię i nazwisko tej osoby.',
    organization: 'Przekazuję darowiznę w imieniu firmy lub organizacji',
    organizationName: 'Nazwa firmy lub organizacji',
    organizationMissing: 'Wpisz nazwę firmy lub organizacji.',
    anonymous: 'Proszę nie podawać publicznie mojego imienia i nazwiska',
    anonymousHint:
      'Organizacja {organization} i tak będzie wiedzieć, od kogo jest darowizna, a na potwierdzeniu znajdzie się Twoje imię i nazwisko.',
    consents: 'Oświadczenia i zgody',
    consentMissing: 'Bez tego nie możemy przyjąć Twojej darowizny.',
    howToPay: 'Sposób płatności',
    ways: { card: 'Karta', bank: 'Rachunek bankowy', other: 'Inne sposoby' },
    promiseOnly: 'Twoja darowizna trafi do organizacji {organization}.',
    yes: 'Tak',
    no: 'Nie',
    choose: 'Wybierz',
    fieldMissing: 'Uzupełnij pole „{field}”.',
    notANumber: 'Wpisz liczbę cyframi, na przykład {example}.',
    notAWholeNumber: 'Wpisz liczbę całkowitą cyframi, na przykład 12.',
    notADate: 'Wpisz istniejącą datę.',
    notALink: 'Wpisz pełny adres strony, na przykład https://example.org.',
  },

  address: {
    cityLabels: {
      city: 'Miejscowość',
      district: 'Dystrykt',
      post_town: 'Miejscowość',
      suburb: 'Dzielnica',
    },
    stateLabels: {
      province: 'Prowincja',
      area: 'Obszar',
      county: 'Hrabstwo',
      department: 'Departament',
      district: 'Dystrykt',
      do_si: 'Prowincja lub miasto',
      emirate: 'Emirat',
      island: 'Wyspa',
      oblast: 'Obwód',
      parish: 'Parafia',
      prefecture: 'Prefektura',
      region: 'Region',
      state: 'Stan',
    },
    postalLabels: {
      postal: 'Kod pocztowy',
      eircode: 'Eircode',
      pin: 'Kod pocztowy (PIN)',
      zip: 'Kod ZIP',
    },
    choose: 'Wybierz',
    missing: 'Uzupełnij pole „{label}”.',
    notAPostal: 'Sprawdź pole „{label}”; poprawny zapis to na przykład {example}.',
  },
};
