import Gatebook
import GatebookFakes
import Testing

/// A situation that people ask about, on a history that the real book makes.
struct Situation: Sendable, CustomTestStringConvertible {
  /// The name of the file with what is to be told of it.
  let name: String
  /// Makes the history, and asks why.
  let told: @Sendable () async throws -> Told

  var testDescription: String { name }

  init(_ name: String, _ told: @escaping @Sendable () async throws -> Told) {
    self.name = name
    self.told = told
  }

  static let all =
    renewals + doubts + endings + refusals + logins + methods + servers + keeping + causes
    + endCauses
}

extension SessionBook {
  /// Why an account is in its state.
  func told(_ account: AccountID) throws -> Told { Told(try why(account)) }

  /// Why the last event happened, of a kind or of all.
  func told(last kind: EventKind? = nil) throws -> Told {
    let events = try events(after: .start).filter { kind == nil || $0.kind == kind?.rawValue }
    let last = try #require(events.last)
    let explanation = try #require(try why(last.position))
    return Told(explanation)
  }
}

extension LoginOptions {
  /// Lets Gatebook log the account in again automatically.
  static var saved: LoginOptions {
    var options = LoginOptions()
    options.saveCredentials = true
    return options
  }
}
