package import Gatebook

/// The form of one security check: hears what the server says, and is filled in by the person.
@MainActor package protocol CheckForm: ChallengeHandler {
  /// The check's exact name at the server.
  static var check: String { get }

  /// Asks for what the check wants to know.
  ///
  /// - Returns: The answer; `nil` when the person does not want to.
  func fillIn() -> ChallengeAnswer?
}
