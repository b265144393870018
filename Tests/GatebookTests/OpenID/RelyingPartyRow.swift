import Gatebook
import GatebookFakes
import Testing

/// One thing that a provider does, and what comes of a login then.
struct RelyingPartyRow: Sendable, CustomTestStringConvertible {
  /// What comes of a login.
  enum Ending: Equatable, Sendable {
    case loggedIn
    /// It fails with this code; the second text is the reason, where there is one.
    case failed(FailureCode, String? = nil)

    /// An ID token breaks a rule.
    static func refused(_ reason: String) -> Ending {
      .failed(.contentUnexpected, "ID token: \(reason)")
    }
  }

  typealias Change = @Sendable (inout FakeIdentitySettings) -> Void

  let name: String
  let ending: Ending
  let change: Change
  /// The algorithms that the application allows.
  var signed: Set<String> = ["RS256"]

  init(_ name: String, _ ending: Ending, _ change: @escaping Change) {
    (self.name, self.ending, self.change) = (name, ending, change)
  }

  /// A provider that changes members of one of its answers.
  init(
    _ name: String, _ ending: Ending, _ place: FakeIdentitySettings.Place,
    _ changes: [String: String?]
  ) {
    self.init(name, ending) { $0.changes[place] = changes }
  }

  var testDescription: String { name }

  /// Logs in at such a provider, and expects the ending and nothing else of it.
  ///
  /// - Returns: The provider, and who is logged in.
  @discardableResult
  func play() async throws -> (party: RelyingParty, context: SessionContext?) {
    let party = try await RelyingParty(change)
    let result = try await party.logIn(RelyingParty.application(signed: signed))
    switch (ending, result) {
    case (.loggedIn, .success(let context)):
      #expect(context.state == .active)
      #expect(context.user["sub"] == FakeIdentityServer.subject)
      let notes = try #require(HTTPURL("\(party.server.url)/notes"))
      #expect(try await party.book.send(.get(notes)).status == 200)
      return (party, context)
    case (.failed(let code, let reason), .failure(let error)):
      #expect(error.code == code, "\(error)")
      if let reason { #expect(error.cause == reason || error.serverCode == reason, "\(error)") }
      #expect(!error.kept.isEmpty && !error.remedy.isEmpty)
      #expect(try await party.book.accounts().isEmpty)
      // What was granted all the same is taken back after it.
      #expect(try party.world.kinds().last { $0.hasPrefix("login.") } == "login.failed")
    default: Issue.record("\(result), not \(ending)")
    }
    return (party, nil)
  }
}
