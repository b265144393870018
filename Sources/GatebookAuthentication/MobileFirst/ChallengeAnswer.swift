public import GatebookCrypto
public import GatebookEvents
internal import GatebookSystem

/// An answer to a security check, or the credentials of a preemptive login.
///
/// Its values are never shown: printing shows only the names of its fields.
public struct ChallengeAnswer: Sendable {
  /// The names of its fields, in ascending order; events contain them, but never the values.
  public let fieldNames: [String]
  private let content: Secret

  /// Makes an answer from the fields that the check expects.
  public init(_ fields: Facts) {
    fieldNames = fields.names
    var bytes = fields.encoded
    content = Secret(taking: &bytes)
  }

  /// The answer of a user login: `username`, `password` and, if given, `rememberMe`.
  ///
  /// - Parameters:
  ///   - username: The name.
  ///   - password: The password, in UTF-8.
  ///   - rememberMe: Whether the server should remember this login; `nil` leaves it open.
  public init(username: String, password: Secret, rememberMe: Bool? = nil) {
    self.init([
      "password": .text(password.text), "rememberMe": rememberMe.map(FactValue.bool),
      "username": .text(username),
    ])
  }

  /// The answer of a pin code check: `pin`.
  public init(pin: Secret) {
    self.init(["pin": .text(pin.text)])
  }

  /// The fields, for the one request that carries them.
  package var fields: Facts {
    content.withBytes { Facts(decoding: $0) } ?? [:]
  }

  /// The name that was typed; `nil` for an answer without one, such as a pin.
  package var userName: String? { fields["username"]?.text }

  /// A server's text without what was answered: it may send a password back.
  package func redacting(_ text: String) -> String {
    var text = text
    for name in fieldNames {
      guard let value = fields[name]?.text, value.utf8.count >= 3 else { continue }
      text = text.replacing(value, with: "…")
    }
    return text
  }
}

extension ChallengeAnswer: Discreet {
  /// The names of the fields.
  public var description: String { "<answer: \(fieldNames.joined(separator: ", "))>" }
}
