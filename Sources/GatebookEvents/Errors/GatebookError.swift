/// What went wrong, what was kept and what to do: the one error of all Gatebook's modules.
///
/// Two errors are equal if their codes are equal: tests compare codes, people read the texts. No
/// text contains a password, a token, a cookie, the query of a URL or personal data.
public struct GatebookError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The closed list of failures; a failure that is recorded uses the same code in its event.
  public let code: FailureCode
  /// What happened, as one or two sentences.
  public package(set) var message: String
  /// What was kept: state that the failure did not touch.
  public package(set) var kept: String
  /// What the reader can do next.
  public package(set) var remedy: String
  /// The technical cause, such as the library's own status and text.
  public package(set) var cause: String?
  /// The HTTP status of the answer that decided; `nil` when no answer did.
  public let status: Int?
  /// The server's own error code, 1 to 64 characters of `a-z 0-9 _ . -`; `nil` when it gave none.
  public package(set) var serverCode: String?

  /// The names in the cause that a server has chosen.
  package var serversNames: [String] = []

  /// The setting that does not fit, by its name among the method's parameters, such as `checkURL`;
  /// `nil` for any other failure.
  ///
  /// A program with its own names for settings shows those instead.
  public package(set) var setting: String?

  /// The right value of the setting, if it is known: for a program that has another name for the
  /// setting.
  package var fittingValue: String?

  /// The first event that is missing, if it is known: for a program that knows where it is.
  package var position: Position?

  /// The account of the user who logged in, where a login was to be another user's; `nil` where
  /// that user has none, and for any other failure.
  public package(set) var otherAccount: AccountID?

  /// The part of the answer that was rejected, as in the event, such as `idToken.aud`: of
  /// `A-Z a-z 0-9 _ . -`, and never the server's own words; `nil` if the code says everything.
  public package(set) var fault: String?

  /// How long the server asks to wait (`Retry-After`, RFC 9110 section 10.2.3); `nil` if it does
  /// not say.
  public package(set) var retryAfter: Duration?

  /// Whether the same fails again, whatever is read before: there is no point in another turn.
  package var isFinal = false

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - code: The code of the closed list.
  ///   - message: What happened.
  ///   - kept: What the failure did not touch.
  ///   - remedy: What to do next.
  ///   - cause: The technical cause, without secrets.
  ///   - status: The HTTP status of the answer that decided.
  ///   - serverCode: The server's own error code; anything but an error code is dropped.
  public init(
    _ code: FailureCode, _ message: String, kept: String = "Nothing was changed.",
    remedy: String, cause: String? = nil, status: Int? = nil, serverCode: String? = nil
  ) {
    self.code = code
    self.message = message
    self.kept = kept
    self.remedy = remedy
    self.cause = cause
    self.status = status
    self.serverCode = serverCode.flatMap { Self.isErrorCode($0) ? $0 : nil }
  }

  /// The failure of the setting, with its right value.
  package func fitting(_ value: String, _ setting: String = "issuer") -> GatebookError {
    with(\.setting, setting).with(\.fittingValue, value)
  }

  /// The whole error on one line.
  public var description: String {
    let detail = cause.map { " (\($0))" } ?? ""
    return "\(code): \(message)\(detail) \(kept) \(remedy)"
  }

  /// Whether a text of a server may be in an event in the clear: `[a-z0-9_.-]{1,64}`.
  package static func isErrorCode(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(standsInCode)
  }

  /// Whether a name that an app or a server chose may be in an event or in an error in the clear:
  /// `[A-Za-z0-9_.-]{1,64}`.
  package static func isPlainName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        standsInCode(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      }
  }

  private static func standsInCode(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Whether both errors have the same code.
  public static func == (left: GatebookError, right: GatebookError) -> Bool {
    left.code == right.code
  }

  /// What a failed request leaves, as a transport says it: it assumes a request of a session.
  package static let sessionKept = "The session is kept."

  /// The same failure, of which one thing is another.
  package func with<Value>(
    _ part: WritableKeyPath<GatebookError, Value>, _ value: Value
  ) -> GatebookError {
    var error = self
    error[keyPath: part] = value
    return error
  }

  /// The same failure, of which something else was kept.
  package func keeping(_ kept: String) -> GatebookError {
    with(\.kept, kept)
  }

  /// The same failure, with the names in its cause that a server has chosen.
  package func naming(_ names: [String]) -> GatebookError {
    with(\.serversNames, names)
  }

  /// The words in it that a server has chosen: its code, and names in the cause.
  package var serversWords: [String] { [serverCode].compactMap(\.self) + serversNames }

  /// The same failure without some of the server's words, which are not to be told.
  ///
  /// Whole texts go: a gap in a known sentence would spell the word.
  package func withholding(_ words: Set<String>) -> GatebookError {
    var error = self
    if !words.isDisjoint(with: serversNames) {
      error.cause = nil
      error.serversNames = []
    }
    guard let code = serverCode, words.contains(code) else { return error }
    error.serverCode = nil
    if Self.contains(message, code) {
      error.message =
        "The server failed. Its own error code contains a secret, so it is not shown."
    }
    if let cause, Self.contains(cause, code) { error.cause = nil }
    return error
  }

  private static func contains(_ text: String, _ word: String) -> Bool {
    text.utf8.indices.contains { text.utf8[$0...].starts(with: word.utf8) }
  }

  /// Makes an error in the words of its fault, which `why` has for the same fault.
  ///
  /// - Parameters:
  ///   - code: The code of the closed list.
  ///   - fault: What was found fault with.
  ///   - server: What the server, or the page of it that was asked, is called.
  ///   - detail: What more is known, as whole sentences.
  ///   - kept: What the failure did not touch.
  ///   - remedy: What to do next.
  ///   - cause: The technical cause, without secrets.
  ///   - status: The HTTP status of the answer that decided.
  ///   - serverCode: The server's own error code.
  package init(
    _ code: FailureCode, _ fault: Fault, of server: String = Fault.anyServer,
    _ detail: String? = nil, kept: String = "Nothing was changed.", remedy: String,
    cause: String? = nil,
    status: Int? = nil, serverCode: String? = nil
  ) {
    self.init(
      code, [fault.sentence(of: server), detail].compactMap(\.self).joined(separator: " "),
      kept: kept, remedy: remedy, cause: cause, status: status, serverCode: serverCode)
    self.fault = fault.name
  }

  /// The same failure with what it found fault with, where the fault has no words of its own or the
  /// failure's own say them.
  package func faulting(_ fault: Fault) -> GatebookError {
    with(\.fault, fault.name)
  }
}
