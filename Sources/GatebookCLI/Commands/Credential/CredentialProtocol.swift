internal import Gatebook

/// How a program talks to its credential helpers: pure reading and printing.
protocol CredentialProtocol: Sendable {
  /// What events call the program.
  var program: String { get }

  /// Reads what the program says.
  ///
  /// - Parameter input: Its bytes.
  /// - Returns: The question; `nil` for one that the protocol wants ignored.
  /// - Throws: `CredentialFault` for bytes that are not of the protocol.
  func question(_ input: [UInt8]) throws(CredentialFault) -> CredentialQuestion?

  /// The answer with a credential.
  ///
  /// - Throws: `CredentialFault` for a credential that the protocol cannot carry.
  func answer(
    _ credential: HandedCredential, to question: CredentialQuestion
  ) throws(CredentialFault) -> [UInt8]

  /// The answer to ``CredentialQuestion/Deed/list``.
  func list(_ credentials: [HandedCredential]) -> [UInt8]

  /// How it is said that there is no credential.
  ///
  /// - Parameters:
  ///   - reason: Why; `nil` where Gatebook has no account for the question.
  ///   - exit: What Gatebook's other commands would end with.
  /// - Returns: The bytes for standard output, and how the process ends.
  func refusal(_ reason: String?, _ exit: ExitCode) -> (output: [UInt8], exit: ExitCode)

  /// What a person reads where no account answers; `nil` where that is nothing to speak of.
  var nobody: String? { get }

  /// Whether the program must hear that Gatebook has not saved a credential, or not
  /// forgotten it.
  ///
  /// If not, the program sends each credential to each of its helpers.
  var mustHearOfNothing: Bool { get }
}

extension CredentialProtocol {
  func list(_ credentials: [HandedCredential]) -> [UInt8] { [] }

  /// Programs ask for servers that Gatebook has nothing to do with.
  var nobody: String? { nil }
}
