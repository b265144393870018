internal import Gatebook

/// One way of printing a token: that of a program, or of a group of programs.
///
/// A format never changes a value so that it fits: what it has no way to write, it refuses.
struct TokenFormat: Sendable {
  /// What `--format` calls it.
  let name: String
  /// Whether it has the user's name in it.
  var hasUser = false
  /// Whether it has the host's name in it.
  var hasHost = false
  /// Whether a line end follows.
  ///
  /// A program that sends the whole file would send it too.
  var endsLine = true
  private let write: @Sendable (PrintedToken) throws(GatebookError) -> String

  /// The text for a token, without the line end.
  ///
  /// - Throws: `configuration.invalid` for a value that the format cannot carry; no text of the
  ///   error has the token in it.
  func text(_ token: PrintedToken) throws(GatebookError) -> String { try write(token) }

  /// The formats, in the order of the help; the first one is the usual one.
  static let all = [
    plain, header, netrc, curl, json, xoauth2, execCredential, awsWebIdentity, bazel,
  ]

  static let plain = TokenFormat(name: "plain") { (token) throws(GatebookError) in token.value }

  /// RFC 6750 section 2.1.
  static let header = TokenFormat(name: "header") { (token) throws(GatebookError) in
    "Authorization: \(try token.bearer(in: "header"))"
  }

  /// The `.netrc` of ftp(1), in the form that all its readers share: no quotes, no escapes.
  static let netrc = TokenFormat(name: "netrc", hasUser: true, hasHost: true) {
    (token) throws(GatebookError) in
    let words = try [
      "machine", token.word(token.host, "host", in: "netrc"),
      "login", token.word(token.user, "user name", in: "netrc"),
      "password", token.word(token.value, "token", in: "netrc"),
    ]
    return words.joined(separator: " ")
  }

  /// curl(1), `--config`: within double quotes `\` and `"` are written with a `\` before them.
  static let curl = TokenFormat(name: "curl") { (token) throws(GatebookError) in
    let field = "Authorization: \(try token.bearer(in: "curl"))"
    let escaped = field.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    return "header = \"\(escaped)\""
  }

  /// The object that `gatebook token --json` prints.
  static let json = TokenFormat(name: "json") { (token) throws(GatebookError) in
    JSON.present([
      "token": .text(token.value), "scope": .text(token.scope),
      "expiresAt": token.expiresAt.map { .time($0) },
    ]).line
  }

  /// The initial response of the SASL mechanism XOAUTH2, in Base64 as IMAP, SMTP and POP send it.
  ///
  /// Source: Google's description of the mechanism: `user=NAME^Aauth=Bearer TOKEN^A^A`.
  static let xoauth2 = TokenFormat(name: "xoauth2", hasUser: true) {
    (token) throws(GatebookError) in
    let user = try token.line(token.user, "user name", in: "xoauth2")
    let bearer = try token.bearer(in: "xoauth2")
    return Base64.encode(Array("user=\(user)\u{1}auth=\(bearer)\u{1}\u{1}".utf8))
  }

  static let execCredential = TokenFormat(name: "exec-credential") {
    (token) throws(GatebookError) in
    try execCredential(token.value, expiresAt: token.expiresAt, version: execVersions[0]).line
  }

  /// The file of `AWS_WEB_IDENTITY_TOKEN_FILE`, which SDKs send as it is, line end included.
  static let awsWebIdentity = TokenFormat(name: "aws-web-identity", endsLine: false) {
    (token) throws(GatebookError) in
    try WebIdentity.check(token.value)
    return token.value
  }

  /// The answer of a credential helper of Bazel to `get`.
  ///
  /// Source: Bazel's design "Credential Helpers for Bazel", section "Protocol".
  static let bazel = TokenFormat(name: "bazel") { (token) throws(GatebookError) in
    JSON.present([
      "headers": ["Authorization": .list([.text(try token.bearer(in: "bazel"))])],
      "expires": token.expiresAt.flatMap(wholeSecond),
    ]).line
  }

  /// The versions of `ExecCredential` that Gatebook knows; the first one is the usual one.
  static let execVersions = [
    "client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1",
  ]

  /// What an exec plugin of Kubernetes prints.
  ///
  /// Source: ExecCredential of `client.authentication.k8s.io/v1`.
  ///
  /// - Parameters:
  ///   - token: The token, without `Bearer`.
  ///   - expiresAt: When it expires; the client asks again then. `nil` if the server did not say:
  ///     the client asks again when the token is refused.
  ///   - version: The version of the answer.
  /// - Returns: The object.
  /// - Throws: `configuration.invalid` for a token that no header field can carry.
  static func execCredential(
    _ token: String, expiresAt: Timestamp?, version: String
  ) throws(GatebookError) -> JSON {
    // The client writes it into a header field.
    _ = try PrintedToken(value: token).bearer(in: "exec-credential")
    return [
      "apiVersion": .text(version), "kind": .text("ExecCredential"),
      "status": .present([
        "expirationTimestamp": expiresAt.flatMap(wholeSecond), "token": .text(token),
      ]),
    ]
  }

  /// A moment as RFC 3339 writes it, its second begun, since readers differ in what they take of
  /// fractions; `nil` for a year of more digits than its four.
  private static func wholeSecond(_ moment: Timestamp) -> JSON? {
    let text = TimeText.machine(moment).prefix { $0 != "." }
    return text.utf8.count == "2025-11-21T06:29:14".utf8.count ? .text(text + "Z") : nil
  }
}

extension JSON {
  /// The value on one line, without its end.
  fileprivate var line: String { String(decoding: encoded, as: UTF8.self) }
}
