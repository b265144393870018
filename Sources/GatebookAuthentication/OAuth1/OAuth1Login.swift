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

  /// Reads what `record` wrote; `nil` for anything else.
  init?(record: Facts) {
    guard let service = record["service"]?.object.flatMap({ OAuth1Service(record: $0) }),
      let consumer = record["consumer"]?.object.flatMap({ OAuth1Consumer(record: $0) }),
      let callback = record["callback"]?.text
    else { return nil }
    self.init(service: service, consumer: consumer, callback: callback)
  }

  /// The login for the vault, secrets included.
  var record: Facts {
    [
      "callback": .text(callback), "consumer": .object(consumer.record),
      "service": .object(service.record),
    ]
  }
}
