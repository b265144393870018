/// A login that waits for its redirect, as the vault keeps it under the attempt's own key.
struct WaitingLogin: Sendable {
  var attempt: LoginAttempt
  let method: String
  let page: HTTPURL
  let redirect: AwaitedRedirect
  let deadline: Timestamp
  var options: LoginOptions
  /// What the method's machine needs to continue.
  let machine: Facts
}

extension WaitingLogin {
  /// Reads what `record` wrote; `nil` for anything else.
  init?(_ kept: Attempt) {
    guard let record = Facts(decoding: kept.content),
      var attempt = record["attempt"]?.object.flatMap({
        LoginAttempt(session: kept.session, record: $0)
      }),
      let method = record["method"]?.text,
      let page = record["page"]?.text.flatMap({ HTTPURL($0) }),
      let redirect = record["redirect"]?.object.flatMap({ AwaitedRedirect(record: $0) }),
      let options = record["options"]?.object.flatMap({ LoginOptions(record: $0) }),
      let machine = record["machine"]?.object
    else { return nil }
    attempt.required = options.account
    self.init(
      attempt: attempt, method: method, page: page, redirect: redirect, deadline: kept.deadline,
      options: options, machine: machine)
  }

  var record: Facts {
    [
      "attempt": .object(attempt.record), "machine": .object(machine), "method": .text(method),
      "options": .object(options.record), "page": .text(page.description),
      "redirect": .object(redirect.record),
    ]
  }

  /// What the app may know of it.
  var pending: PendingLogin {
    PendingLogin(
      id: attempt.session, page: page, redirectURI: redirect.uri, deadline: deadline,
      method: method, server: attempt.typed.server, savesCredentials: options.saveCredentials,
      label: options.label)
  }

  /// The facts of the challenge that a page is to the person.
  static let challenge = AskedChallenge(scheme: "redirect", round: 1)
}
