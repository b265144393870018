/// A text of the login page; ``PageWords`` has it in each language.
///
/// `{0}` and `{1}` in a text are replaced by values.
enum PageText: String, CaseIterable, Sendable {
  // Headings
  case logIn, chooseAccount, checkServer, proxyPassword, serverPassword
  case working, loggedIn, usingAccount, cancelled, expired, failed, notForYou
  // Sentences
  case introAccounts, introWorking, introLoggedIn, introElsewhere, introCancelled, introExpired,
    introFailed
  case introNotForYou, introAlreadyOpened, introCertificate, introProxy, introRealm
  case codeLabel, codeHint, worksUntil, alreadySent
  // Fields
  case user, email, screenName, userID, password, clientSecret, server, port
  case useTLS, useTLSHint, useCookies, trustCertificate, trustCertificateHint
  case staySignedIn, staySignedInHint, rememberMe, rememberMeHint, keepForSession
  // Buttons
  case submit, cancel, continueAs, logInAgain, acceptCertificate, refuseCertificate
  case showPassword, hidePassword
  // Facts
  case certificateKey, certificateNames, certificateIssuer, certificateValid, certificateDefects
  case account, attemptsLeft
  // Defects of a certificate
  case defectExpired, defectNotYetValid, defectWrongHost, defectSelfSigned
  case defectUnknownAuthority, defectRevoked, defectBadSignature, defectOther
  // Methods
  case loginForm
  // States
  case stateActive, stateOffline, stateChallenged, stateUncertain, stateNeedsLogin, stateEnded
  // Mistakes in a field
  case missing, notANumber, notAPort, notAServer, tooLong, notText, clientSecretWanted
  // Failures
  case wrongCredentials, blocked, unreachable, serverInTrouble, serverRefused, unexpectedAnswer
  case untrustedCertificate, changedCertificate, cleartext, unprovable, anotherUser, wrongSettings
  case inProgress, tooLate, bookFull, bookUnusable, outcomeUnknown, otherFailure
}
