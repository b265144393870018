/// What went wrong, what was kept and what to do: the one error of all Gatebook's modules.
///
/// Two errors are equal when their codes are: tests compare codes, people read the texts. No text
/// ever carries a password, a token, a cookie, the query of a URL or a person's data.
public struct GatebookError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The closed list of failures; a failure that is recorded uses the same code in its event.
  public let code: FailureCode
  /// What happened, as one or two sentences.
  public let message: String
  /// What was kept: state that the failure did not touch.
  public let kept: String
  /// What the reader can do next.
  public let remedy: String
  /// The technical cause, such as the library's own status and text.
  public let cause: String?

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - code: The code of the closed list.
  ///   - message: What happened.
  ///   - kept: What the failure did not touch.
  ///   - remedy: What to do next.
  ///   - cause: The technical cause, without secrets.
  public init(
    _ code: FailureCode, _ message: String, kept: String = "Nothing was changed.",
    remedy: String, cause: String? = nil
  ) {
    self.code = code
    self.message = message
    self.kept = kept
    self.remedy = remedy
    self.cause = cause
  }

  /// The whole error on one line.
  public var description: String {
    let detail = cause.map { " (\($0))" } ?? ""
    return "\(code): \(message)\(detail) \(kept) \(remedy)"
  }

  /// Whether both errors have the same code.
  public static func == (left: GatebookError, right: GatebookError) -> Bool {
    left.code == right.code
  }
}
