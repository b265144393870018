/// What a login method wants done next.
package enum Step: Sendable {
  /// Send this request, exactly once, and hand in its reply or its failure.
  case send(HTTPRequest)
  /// Show this page to the person and hand in the redirect that comes of it.
  ///
  /// Only a ``RedirectAuthenticator`` may say so: the redirect may come after a restart.
  case open(HTTPURL, awaiting: AwaitedRedirect)
  /// Show this code to the person and hand in `.proceed` as soon as it is shown: the person enters it
  /// on a page of the server while the machine asks whether that has happened.
  ///
  /// Only a ``RedirectAuthenticator`` may say so: the wait may go on after a restart.
  case show(DeviceCode)
  /// Let this time pass, then hand in `.proceed`.
  case wait(Duration)
  /// The login succeeded; the outcome is recorded in one transaction.
  case finish(Outcome)
}
