/// How long a session's tokens are valid: see "The life of a session" in "Event format".
package struct Life: Hashable, Sendable {
  /// The boot clock when the request was sent.
  package var boot: Duration?
  /// Which start of the machine that clock counts from.
  package var bootID: BootID?
  /// When the request was sent; `nil`: the event's own time.
  package var sent: Timestamp?
  /// How long from then on; `nil`: the server did not say.
  package var lifetime: Duration?
  /// The server's clock minus the own clock; `nil` for 0.
  package var offset: Duration?
  /// Whether anything but a login continues the session after its life.
  package var isRenewable = true

  package init() {}
}

extension Life {
  /// How long something is valid, as a sentence; empty where nobody said.
  static func sentence(_ lifetime: Duration?, of key: String) -> String {
    lifetime.map { " The \(key) is valid for \($0.words)." } ?? ""
  }
}
