import type { Tables } from '../tables.ts';

/** French, formal (vous); no de, à or que stands before a name, since they would change with it. */
export const tables: Tables = {
  form: {
    direction: 'ltr',
    decimalMark: ',',
    groupMark: '\u202f',
    money: '{amount}\u00a0{sign}',

    loading: 'Chargement du formulaire de don',
    unavailable: 'Le formulaire de don ne peut pas s’afficher pour le moment.',
    insecure: 'Cette page n’est pas chiffrée\u00a0: aucun don ne peut y être accepté.',
    tryAgain: 'Réessayer',
    testRibbon: 'Mode test\u00a0: aucun débit réel',

    frequency: 'Fréquence du don',
    frequencies: {
      once: 'Ponctuel',
      weekly: 'Hebdomadaire',
      everyOtherWeek: 'Toutes les 2\u00a0semaines',
      monthly: 'Mensuel',
      quarterly: 'Trimestriel',
      biannual: 'Semestriel',
      annually: 'Annuel',
    },
    gifts: {
      once: '{total}',
      weekly: '{total} par semaine',
      everyOtherWeek: '{total} toutes les deux semaines',
      monthly: '{total} par mois',
      quarterly: '{total} tous les trois mois',
      biannual: '{total} deux fois par an',
      annually: '{total} par an',
    },
    amount: 'Montant',
    otherAmount: 'Autre montant',
    amountIn: 'Autre montant en {currency}',
    currency: 'Devise',
    purpose: 'Affectation de votre don',
    donor: 'Vos coordonnées',
    fields: {
      firstName: 'Prénom',
      lastName: 'Nom',
      email: 'E-mail',
      phone: 'Téléphone',
      address1: 'Adresse',
      address2: 'Complément d’adresse',
      city: 'Ville',
      state: 'État ou province',
      postal: 'Code postal',
      country: 'Pays',
    },
    optional: 'facultatif',
    comment: 'Commentaire',
    payment: 'Paiement',
    coverCosts: 'J’ajoute {costs} pour couvrir les frais de ce paiement',
    coverCostsUnknown: 'J’ajoute un petit montant pour couvrir les frais de ce paiement',
    coverCostsWhy: 'Votre don de {amount} sera ainsi reçu en totalité par {organization}',
    coverCostsWhyUnknown: 'Votre don sera ainsi reçu en totalité par {organization}',
    give: 'Je donne {gift}',
    giveWithoutAmount: 'Je donne',
    sending: 'Envoi de votre don…',
    promise:
      'Bénéficiaire de votre don\u00a0: {organization}. Vos données de paiement sont transmises directement au prestataire de paiement.',
    paymentUnavailable:
      'Le champ de paiement n’a pas pu être chargé. Vérifiez votre connexion et assurez-vous que rien ne le bloque dans votre navigateur, puis réessayez.',
  },

  sending: {
    problems: {
      one: 'Une information manque ou doit être corrigée.',
      other: '{count}\u00a0informations manquent ou doivent être corrigées.',
    },
    amountMissing: 'Choisissez ou saisissez un montant.',
    notAnAmount: 'Saisissez le montant en chiffres, par exemple {example}.',
    tooSmall: 'Le don minimum est ici de {minimum}.',
    tooLarge: 'Le don maximum est ici de {maximum}. Pour donner davantage, écrivez à {contact}.',
    missing: {
      firstName: 'Indiquez votre prénom.',
      lastName: 'Indiquez votre nom.',
      email: 'Indiquez votre adresse e-mail.',
      phone: 'Indiquez votre numéro de téléphone.',
      address1: 'Indiquez votre adresse.',
      address2: 'Indiquez votre complément d’adresse.',
      city: 'Indiquez votre ville.',
      state: 'Indiquez votre État ou votre province.',
      postal: 'Indiquez votre code postal.',
      country: 'Choisissez votre pays.',
    },
    cardNumber:
      'Cela ressemble à un numéro de carte. Merci de le retirer\u00a0: les données de carte ne doivent être saisies que dans le champ de paiement.',
    notAnEmail: 'Vérifiez l’adresse e-mail\u202f; elle doit ressembler à nom@example.org.',
    notices: {
      'settings-changed':
        'La page a modifié ce don depuis que vous l’avez vu. Merci de le vérifier et d’appuyer à nouveau sur le bouton. Rien n’a été débité.',
      'card-incomplete': 'Vérifiez les données de paiement ci-dessus.',
      'card-failed':
        'Le prestataire de paiement n’a pas répondu. Rien n’a été débité. Réessayez dans un instant.',
      'card-declined':
        'Votre banque a refusé cette carte. Rien n’a été débité. Vérifiez les données saisies, utilisez une autre carte ou contactez votre banque.',
      'not-confirmed':
        'Le paiement n’a pas été confirmé auprès de votre banque. Rien n’a été débité. Merci de réessayer ou d’utiliser une autre carte.',
      'not-charged': 'Rien n’a été débité. Merci de réessayer.',
      'no-answer':
        'Nous n’avons pas pu joindre {organization}. Tout ce que vous avez saisi est toujours là. Merci d’appuyer à nouveau sur le bouton\u00a0: le montant sera débité une fois au maximum.',
      offline:
        'Vous êtes hors ligne. Tout ce que vous avez saisi est toujours là. Appuyez à nouveau sur le bouton une fois la connexion rétablie\u00a0: le montant sera débité une fois au maximum.',
      'too-many-requests':
        'De nombreuses personnes donnent en ce moment. Tout ce que vous avez saisi est toujours là. Merci d’appuyer à nouveau sur le bouton après {time}\u00a0: le montant sera débité une fois au maximum.',
      'form-outdated':
        'Ce formulaire a été modifié pendant que vous le remplissiez. Merci de vérifier votre don et d’appuyer à nouveau sur le bouton. Rien n’a été débité.',
      paused:
        '{organization} n’accepte pas de dons pour le moment. Rien n’a été débité et tout ce que vous avez saisi est encore là. Merci de réessayer plus tard.',
      refused:
        'Ce don n’a pas été accepté et rien n’a été débité. Merci d’écrire à {contact} pour que le problème puisse être résolu.',
    },
    hosted: 'Vous payez à l’étape suivante, sur une page sécurisée du prestataire de paiement.',
    acting: 'Merci de confirmer ce paiement auprès de votre banque',
    actionTitle: 'Encore une étape',
    action:
      'Rien n’a encore été débité\u00a0: votre banque ou la page de paiement attend votre confirmation.',
    actionUnknown:
      'Nous n’avons pas pu joindre {organization} et ne savons pas si vous avez payé. Merci de réessayer dans un instant.',
    actionContinue: 'Continuer',
    actionCancel: 'Ne pas donner maintenant',
    checkingTitle: 'Nous vérifions votre don',
    checking:
      'Le prestataire de paiement ne nous a pas encore indiqué si votre paiement a abouti. Merci de ne pas donner une seconde fois. Cette page affichera la réponse dès qu’elle sera connue\u202f; vous pouvez aussi la fermer.',
    reference: 'Référence',
    questions: 'Une question\u202f? Écrivez à {contact} en indiquant la référence.',
    mention: 'Si vous nous écrivez, merci d’indiquer {request}.',
    thanksTitle: 'Merci\u202f!',
    thanksTitleName: 'Merci, {name}\u202f!',
    thanksFor: 'Affectation\u00a0:',
    earlierGift:
      'Voici le don que vous aviez envoyé auparavant. Ce que vous avez modifié ensuite n’a pas été débité.',
    thanksCosts:
      'Sur ce total, {amount} constituent votre don et {costs} couvrent les frais de paiement.',
    receipts: {
      platform: '{organization} vous envoie votre reçu par e-mail.',
      processor: 'Le prestataire de paiement vous envoie votre reçu par e-mail.',
      none: 'Conservez cette page comme justificatif\u00a0: aucun reçu n’est envoyé automatiquement. {organization} vous en établira un si vous écrivez à {contact}.',
    },
    print: 'Imprimer',
    share: 'Partager',
    shareText: 'Je soutiens {organization} par un don. Et vous\u202f?',
    shared: 'L’adresse de cette page a été copiée.',
    manage: 'Changer de carte ou mettre fin à ce don à tout moment',
    pendingTitle: 'Votre don est en route',
    pending:
      'Votre banque l’a accepté et effectuera le paiement d’ici quelques jours. Vous n’avez plus rien à faire.',
    instructionsTitle: 'Merci\u202f! Voici comment payer',
  },

  more: {
    nudge:
      'Un don mensuel nous aide à prévoir nos actions. Préféreriez-vous donner {amount} par mois\u202f?',
    nudgeAccept: 'Je préfère donner {amount} par mois',
    nudgeDone: 'Votre don est maintenant de {amount} par mois. Vous pouvez le modifier plus haut.',
    findProject: 'Rechercher un projet',
    projectsFound: { one: '{count}\u00a0projet', other: '{count}\u00a0projets' },
    noProject: 'Aucun projet ne comporte ces mots dans son nom.',
    goal: '{raised} collectés sur {target}',
    split: 'Répartir mon don entre plusieurs projets',
    splitHint:
      'Choisissez les projets. Ceux que vous laissez sans montant se partagent le reste à parts égales.',
    partFor: 'Montant pour {project}',
    shareOfRest: 'reçoit {amount}',
    splitSum: '{sum} répartis sur {amount}',
    splitMissing: 'Choisissez au moins un projet.',
    splitWrong:
      'La somme des parts est de {sum} et votre don est de {amount}. Modifiez une part ou le montant.',
    splitNoAmount: 'Saisissez le montant en chiffres ou laissez le champ vide.',
    splitTooSmall:
      'Votre don est trop petit pour être réparti en autant de parts. Choisissez moins de projets.',
    tribute: 'En l’honneur ou à la mémoire d’une personne',
    tributeKinds: { none: 'Non', honor: 'En son honneur', memory: 'À sa mémoire' },
    tributeName: 'Nom de cette personne',
    tributeMessage: 'Message',
    tributeNotify: 'E-mail d’une personne à informer',
    tributeNotifyHint:
      'Elle sera informée de votre don et recevra votre message, sans connaître le montant.',
    tributeNameMissing: 'Indiquez le nom.',
    organization: 'Je donne au nom d’une organisation',
    organizationName: 'Organisation',
    organizationMissing: 'Indiquez le nom de l’organisation.',
    anonymous: 'Ne pas rendre mon nom public',
    anonymousHint:
      '{organization} saura tout de même qui vous êtes et votre reçu sera à votre nom.',
    consents: 'À lire',
    consentMissing: 'Sans cela, nous ne pouvons pas accepter votre don.',
    howToPay: 'Mode de paiement',
    ways: { card: 'Carte bancaire', bank: 'Compte bancaire', other: 'Autres moyens' },
    promiseOnly: 'Bénéficiaire de votre don\u00a0: {organization}.',
    yes: 'Oui',
    no: 'Non',
    choose: 'Choisissez',
    fieldMissing: 'Remplissez «\u00a0{field}\u00a0».',
    notANumber: 'Saisissez un nombre en chiffres, par exemple {example}.',
    notAWholeNumber: 'Saisissez un nombre entier en chiffres, par exemple 12.',
    notADate: 'Saisissez une date qui existe.',
    notALink: 'Saisissez une adresse web complète, par exemple https://example.org.',
  },

  address: {
    cityLabels: { city: 'Ville', district: 'District', post_town: 'Ville', suburb: 'Localité' },
    stateLabels: {
      province: 'Province',
      area: 'Zone',
      county: 'Comté',
      department: 'Département',
      district: 'District',
      do_si: 'Province ou ville',
      emirate: 'Émirat',
      island: 'Île',
      oblast: 'Oblast',
      parish: 'Paroisse',
      prefecture: 'Préfecture',
      region: 'Région',
      state: 'État',
    },
    postalLabels: {
      postal: 'Code postal',
      eircode: 'Eircode',
      pin: 'Code postal (PIN)',
      zip: 'Code postal (ZIP)',
    },
    choose: 'Choisissez',
    missing: 'Remplissez «\u00a0{label}\u00a0».',
    notAPostal: 'Vérifiez «\u00a0{label}\u00a0»\u202f; le format doit ressembler à {example}.',
  },
};
