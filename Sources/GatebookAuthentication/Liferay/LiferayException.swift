internal import GatebookEvents
internal import GatebookSystem

/// A portal's report of an error, in the shape of 6.2 (`{"exception"}`) or of 7 (`{"error":
/// {"message", "type"}, "exception", "throwable"}`).
///
/// Its words decide what happened and go nowhere else.
struct LiferayException {
  /// The class that was thrown; empty when the portal does not say.
  let type: String
  /// What a person would read.
  let text: String

  /// Reads an error; `nil` for any other value.
  init?(_ value: FactValue) {
    guard let facts = value.object, let exception = facts["exception"] else { return nil }
    let error = facts["error"]?.object
    text = error?["message"]?.text ?? facts["message"]?.text ?? exception.text ?? ""
    type = error?["type"]?.text ?? Self.type(thrown: facts["throwable"]?.text ?? "")
  }

  /// `a.b.SomeException: words` begins with the class.
  private static func type(thrown: String) -> String {
    String(thrown.prefix { $0 != ":" })
  }

  /// The class without its package in lower case, as the server's error code; `nil` without one.
  ///
  /// 6.2 gives a class as the text, or words, which are no code.
  var code: String? {
    let name = type.isEmpty ? text : type
    guard name.hasSuffix("Exception") else { return nil }
    return name.split(separator: ".").last.map { $0.lowercased() }
  }

  /// 6.2's one text for a caller that it does not know.
  var isAuthenticationRequired: Bool {
    text == "Authenticated access required"
  }

  /// A caller that counts as a guest, or may not do this.
  var isAccessDenied: Bool {
    type.hasSuffix("SecurityException") || type.hasSuffix("PrincipalException")
      || text.hasPrefix("Access denied to ") || isAuthenticationRequired
  }

  /// A session's call without its CSRF token.
  var namesToken: Bool {
    Self.namesToken(text) || Self.namesToken(type)
  }

  /// Whether the class or the text is one of `NoSuch…`.
  var isNotFound: Bool {
    simpleName.hasPrefix("NoSuch")
  }

  /// Whether the portal lacks the service itself.
  var isServiceMissing: Bool {
    simpleName.hasPrefix("NoSuchJSONWebService")
  }

  private var simpleName: Substring {
    type.split(separator: ".").last ?? ""
  }

  private static func namesToken(_ text: String) -> Bool {
    text.contains("does not have a CSRF token") || text.contains("MustHaveSessionCSRFToken")
  }

  /// Whether a body that is not JSON speaks of a missing CSRF token.
  static func namesToken(_ body: [UInt8]) -> Bool {
    namesToken(String(decoding: body.prefix(64 << 10), as: UTF8.self))
  }
}
