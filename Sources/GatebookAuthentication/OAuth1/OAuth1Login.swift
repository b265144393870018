internal import GatebookEvents

/// What a login by OAuth 1.0a needs, whatever proves it in the end.
struct OAuth1Login: Sendable {
  /// The endpoints.
  var service: OAuth1Service
  /// The application.
  var consumer: OAuth1Consumer
  /// Where the server sends the browser, or `oob`.
  var callback: String

  /// What would only be found out by a useless request.
  ///
  /// - Throws: `configuration.invalid` with the setting's name.
  func check() throws(GatebookError) {
    try service.check()
    try consumer.check()
    guard callback == AwaitedRedirect.outOfBand || AbsoluteURI.isValid(callback) else {
      throw .setting(
        "callback", "it is not an absolute URI.",
        remedy: "Give the registered callback, or `oob` for a code that the user types.")
    }
  }
}

extension OAuth1Login {
  /// What the login was asked with; no secrets.
  func settings(for target: OAuth1Target) -> Facts {
    [
      "checkURL": .text(target.checkURL.description), "consumerKey": .text(consumer.key),
      "redirectURI": .text(callback), "service": .object(service.record),
      "signature": .text(consumer.signature.name), "user": .text(target.user),
    ]
  }
}

extension OAuth1Login: StoredRecord {
  /// The login, secrets included.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    callback = try facts.required("callback", kept?.callback)
    consumer = try facts.required("consumer", kept?.consumer)
    service = try facts.required("service", kept?.service)
  }
}
