internal import Gatebook
internal import GatebookSystem

/// Prints each request and the header fields of its answer; secrets are masked.
struct RequestTrace: Sendable {
  private let output: Output
  private let given: Set<String>

  /// Makes a trace.
  ///
  /// - Parameters:
  ///   - output: Where it is printed.
  ///   - fields: The fields that the person has given: they are no secret to that person.
  @MainActor init(_ output: Output, _ fields: [HTTPField]) {
    self.output = output
    given = Set(fields.map { $0.name.lowercased() })
  }

  /// What a request says besides its credentials.
  private static let plain: Set<String> = [
    "accept", "accept-encoding", "accept-language", "content-encoding", "content-type",
    "if-match", "if-modified-since", "if-none-match", "range", "user-agent",
  ]
  /// What the name of a field of an answer has in it whose value may be a secret.
  private static let secrets = [
    "auth", "cookie", "csrf", "dpop", "key", "password", "secret", "session", "signature", "token",
  ]
  /// The fields that name a way to authenticate, and nobody's secret.
  private static let challenges: Set<String> = ["www-authenticate", "proxy-authenticate"]
  /// The fields that are addresses, whose query may be a secret.
  private static let addresses: Set<String> = ["content-location", "link", "location", "refresh"]

  /// The value of an answer's field as it may be shown.
  static func shown(_ field: HTTPField) -> String {
    let name = field.name.lowercased()
    if !challenges.contains(name), secrets.contains(where: name.contains) { return "(masked)" }
    guard addresses.contains(name), let query = field.value.firstIndex(of: "?") else {
      return field.value
    }
    return field.value[...query] + "(masked)"
  }

  /// The value of a request's field as it may be shown.
  private func sent(_ field: HTTPField) -> String {
    let name = field.name.lowercased()
    return Self.plain.contains(name) || given.contains(name) ? field.value : "(masked)"
  }

  /// Prints a request that is sent now.
  func sent(_ request: HTTPRequest) async {
    // The query of an address that Gatebook requests may be a secret.
    let fields = request.fields.map { "> \($0.name): \(sent($0))" }
    await print(["> \(request.method) \(request.url.withoutQuery)"] + fields)
  }

  /// Prints its answer.
  func got(_ reply: HTTPReply) async {
    await print(["< \(reply.status)"] + reply.fields.map { "< \($0.name): \(Self.shown($0))" })
  }

  private func print(_ lines: [String]) async {
    await output.message(lines.map { Printable.text($0) }.joined(separator: "\n"))
  }
}
