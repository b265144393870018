extension PageWords {
  /// German.
  static let german: [PageText: String] = [
    .logIn: "Anmelden",
    .chooseAccount: "Konto auswählen",
    .checkServer: "Ist das der richtige Server?",
    .proxyPassword: "Der Proxy verlangt ein Passwort",
    .serverPassword: "Der Server verlangt ein Passwort",
    .working: "Anmeldung läuft",
    .loggedIn: "Sie sind angemeldet",
    .usingAccount: "Sie fahren mit diesem Konto fort",
    .cancelled: "Die Anmeldung wurde abgebrochen",
    .expired: "Diese Seite ist abgelaufen",
    .failed: "Die Anmeldung ist fehlgeschlagen",
    .notForYou: "Diese Seite ist nicht verfügbar",

    .introAccounts: "Ein aktives Konto benötigt kein Passwort.",
    .introWorking: "Warten auf {0}.",
    .introLoggedIn: "Sie können dieses Fenster schließen.",
    .introElsewhere:
      "Fahren Sie auf der Seite von {0} fort, die sich in einem anderen Fenster öffnet.",
    .introCancelled: "Keine Sitzung wurde geändert. Sie können dieses Fenster schließen.",
    .introExpired:
      "Keine Sitzung wurde geändert. Starten Sie die Anmeldung erneut, um eine neue Seite zu erhalten.",
    .introFailed: "Sie können dieses Fenster schließen.",
    .introNotForYou:
      "Diese Seite gehört zu einem anderen Browser. Um sich anzumelden, starten Sie die Anmeldung erneut.",
    .introAlreadyOpened:
      "Diese Seite wurde bereits in einem anderen Browser geöffnet. Wenn Sie das nicht waren, brechen Sie die Anmeldung dort ab, wo Sie sie gestartet haben.",
    .introCertificate:
      "Das Zertifikat von {0} kann nicht überprüft werden. Vergleichen Sie den Schlüssel mit dem, den der Administrator des Servers nennt.",
    .introProxy:
      "{0} liegt zwischen diesem Computer und dem Server. Sein Passwort ist nicht das des Servers.",
    .introRealm: "{0} nennt diesen Bereich „{1}“.",
    .codeLabel: "Code",
    .codeHint:
      "Melden Sie sich nur an, wenn die App oder das Terminal denselben Code anzeigt.",
    .worksUntil: "Diese Seite ist bis {0} und nur in diesem Browser gültig.",
    .alreadySent:
      "Dieses Formular wurde bereits gesendet. Hier geht es mit der Anmeldung weiter.",

    .user: "Benutzername",
    .email: "E-Mail-Adresse",
    .screenName: "Benutzername",
    .userID: "Benutzer-ID",
    .password: "Passwort",
    .clientSecret: "Client-Secret",
    .server: "Server",
    .port: "Port",
    .useTLS: "TLS verwenden",
    .useTLSHint: "Ohne TLS können andere im Netzwerk das Passwort mitlesen.",
    .useCookies: "Cookies verwenden",
    .trustCertificate: "Nicht überprüfbares Zertifikat akzeptieren",
    .trustCertificateHint: "Sie sehen seinen Schlüssel, bevor etwas gesendet wird.",
    .staySignedIn: "Angemeldet bleiben",
    .staySignedInHint:
      "Speichert das Passwort verschlüsselt, damit die App Sie erneut anmelden kann.",
    .rememberMe: "Anmeldung merken",
    .rememberMeHint: "Der Server soll eine Zeit lang nicht nach dem Passwort fragen.",
    .keepForSession: "Passwort bis zum Ende der Sitzung behalten",

    .submit: "Anmelden",
    .cancel: "Abbrechen",
    .continueAs: "Weiter",
    .logInAgain: "Erneut anmelden",
    .acceptCertificate: "Diesen Schlüssel akzeptieren",
    .refuseCertificate: "Nicht verbinden",
    .showPassword: "Anzeigen",
    .hidePassword: "Verbergen",

    .certificateKey: "Schlüssel (SHA-256)",
    .certificateNames: "Ausgestellt für",
    .certificateIssuer: "Ausgestellt von",
    .certificateValid: "Gültig",
    .certificateDefects: "Problem",
    .defectExpired: "Es ist abgelaufen.",
    .defectNotYetValid: "Es ist noch nicht gültig.",
    .defectWrongHost: "Es wurde für einen anderen Server ausgestellt.",
    .defectSelfSigned: "Der Server hat es sich selbst ausgestellt.",
    .defectUnknownAuthority: "Eine unbekannte Stelle hat es ausgestellt.",
    .defectRevoked: "Sein Aussteller hat es widerrufen.",
    .defectBadSignature: "Seine Signatur ist ungültig.",
    .defectOther: "Es kann für diese Verbindung nicht verwendet werden.",
    .loginForm: "Anmeldeformular",
    .account: "Konto",
    .attemptsLeft: "Verbleibende Versuche: {0}.",

    .stateActive: "Aktiv",
    .stateOffline: "Offline",
    .stateChallenged: "Rückfrage des Servers",
    .stateUncertain: "Ungewiss",
    .stateNeedsLogin: "Anmeldung erforderlich",
    .stateEnded: "Beendet",

    .missing: "Bitte füllen Sie dieses Feld aus.",
    .notANumber: "Bitte geben Sie eine Zahl ein.",
    .notAPort: "Bitte geben Sie eine Zahl von 1 bis 65535 ein.",
    .notAServer:
      "Bitte geben Sie einen Hostnamen oder eine IP-Adresse ein, zum Beispiel gateway.example.",
    .tooLong: "Diese Eingabe ist zu lang.",
    .notText: "Diese Eingabe enthält ein Zeichen, das nicht gesendet werden kann.",
    .clientSecretWanted: "Der Server verlangt das Secret dieses Clients.",

    .wrongCredentials: "Der Server hat Benutzername und Passwort nicht akzeptiert.",
    .blocked: "Der Server hat weitere Versuche vorübergehend gesperrt.",
    .unreachable:
      "{0} ist nicht erreichbar. Überprüfen Sie die Adresse und die Netzwerkverbindung.",
    .serverInTrouble: "Bei {0} gibt es ein Problem. Versuchen Sie es später erneut.",
    .serverRefused: "{0} hat die Anmeldung abgelehnt.",
    .unexpectedAnswer: "Die Antwort von {0} passt nicht zu dieser Anmeldemethode.",
    .untrustedCertificate:
      "Das Zertifikat von {0} kann nicht überprüft werden. Es wurde nichts gesendet.",
    .changedCertificate:
      "{0} hat einen anderen Schlüssel als den, der akzeptiert wurde. Möglicherweise fängt jemand die Verbindung ab. Es wurde nichts gesendet.",
    .cleartext: "Ohne TLS wird das Passwort nicht an einen anderen Computer gesendet.",
    .unprovable:
      "{0} hat nicht nachgewiesen, wer angemeldet wurde. Daher wurde keine Sitzung erstellt.",
    .anotherUser:
      "{0} hat einen anderen Benutzer als den dieses Kontos angemeldet. Keine Sitzung wurde geändert.",
    .wrongSettings: "Eine Einstellung dieser Anmeldung passt nicht zu {0}.",
    .inProgress: "Für dieses Konto läuft bereits eine andere Anmeldung.",
    .tooLate: "Es hat zu lange gedauert. Keine Sitzung wurde geändert.",
    .bookFull:
      "Der Datenträger ist voll. Die Sitzung konnte deshalb nicht gespeichert werden.",
    .bookUnusable: "Die Sitzung konnte nicht gespeichert werden.",
    .outcomeUnknown:
      "Die Verbindung wurde vor der Antwort unterbrochen. Möglicherweise hat der Server Sie angemeldet.",
    .otherFailure: "Die Anmeldung ist fehlgeschlagen.",
  ]
}
