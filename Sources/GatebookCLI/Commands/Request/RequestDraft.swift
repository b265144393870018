internal import Gatebook
internal import GatebookCurl

/// The request that a command line asks for, before it is known which server a path belongs to.
struct RequestDraft: Sendable {
  static let url = Positional(
    "URL", "one of the account's own servers, or a path of the account's server, such as /api/me")
  private static let methodOption = CommandOption.value(
    "-X", "M", "the method (GET, or POST with a body)")
  private static let head = CommandOption.flag("-I", "ask for the header fields alone (HEAD)")
  private static let body = CommandOption.value(
    "-d", "BODY|@FILE|@-", "the body: text, a file's bytes, or standard input")
  private static let json = CommandOption.value(
    "--json-body", "JSON|@FILE|@-", "the same, sent as JSON; `--json BODY` is short for it")
  private static let part = CommandOption.values(
    "-F", "NAME=VALUE|NAME=@FILE", "a field of a form, or a file of it (multipart/form-data)")
  private static let field = CommandOption.values("-H", "FIELD", "a header field: `Name: value`")

  /// All of them, in the order of the help.
  static let options = [methodOption, head, body, json, part, field]

  /// `TRACK` is an old server's name for the same; servers that fold case echo `trace` too.
  private static let leaks: Set<String> = ["TRACE", "TRACK"]
  private let place: String
  private let method: String
  /// The header fields that were given.
  let fields: [HTTPField]
  private let parts: [BodyPart]

  /// Reads the options, and the body.
  ///
  /// - Parameter call: What was given.
  /// - Throws: `UsageError` for what does not fit.
  @MainActor init(_ call: Call) throws {
    let arguments = call.arguments
    place = try arguments.required(Self.url)
    // `//host/path` is another server's address everywhere else.
    if !place.hasPrefix("/") || place.hasPrefix("//") { _ = try URLArgument.read(place, "URL") }
    let given = [Self.head, Self.body, Self.json, Self.part].filter { arguments.has($0) }
    guard given.count < 2 else {
      throw UsageError(
        "\(given.map { "`\($0.name)`" }.joined(separator: " and ")) do not go together.",
        remedy: "Give one of them.")
    }
    var fields = try arguments.all(Self.field).map { try HeaderField.read($0) }
    switch given.first {
    case Self.body: parts = [try Self.part(arguments[Self.body] ?? "", call)]
    case Self.json:
      parts = [try Self.part(arguments[Self.json] ?? "", call)]
      for name in ["Content-Type", "Accept"] where fields.first(name) == nil {
        fields.append(HTTPField(name, "application/json"))
      }
    case Self.part:
      let form = try MultipartForm(
        arguments.all(Self.part), boundary: Hex.encode(SystemRandom().bytes(16)))
      parts = form.parts
      fields.append(form.field)
    default: parts = []
    }
    self.fields = fields
    let usual =
      given.first == Self.head ? "HEAD" : given.isEmpty ? "GET" : "POST"
    method = arguments[Self.methodOption] ?? usual
    guard method.isToken else {
      throw UsageError("`-X` is no method of HTTP.", remedy: "Write one word, such as `PUT`.")
    }
    // RFC 9110 section 9.3.8: a client must not send fields in TRACE that hold sensitive data,
    // since the answer repeats them, and every request here holds the account's credentials.
    guard !Self.leaks.contains(method.uppercased()) else {
      throw UsageError(
        "`-X` is a method whose answer repeats the request: credentials would be printed.",
        remedy: "Use another method, such as `OPTIONS`.")
    }
  }

  /// Whether the answer has no body.
  var isHead: Bool { method == "HEAD" }

  /// The request.
  ///
  /// A short body is read into memory, where it can be searched for secrets that the server
  /// repeats.
  ///
  /// - Parameter server: The account's server, to which a path belongs.
  /// - Returns: The request, without credentials.
  /// - Throws: `UsageError` for a path that is none, `configuration.invalid` for a file that cannot
  ///   be read.
  func request(at server: String) async throws -> HTTPRequest {
    let text = place.hasPrefix("/") ? server + place : place
    var request = HTTPRequest(method, try URLArgument.read(text, "URL"), fields: fields)
    guard !parts.isEmpty else { return request }
    request.source = try BodySource.parts(parts)
    return try await request.withShortBodyInMemory(SystemClock())
  }

  @MainActor private static func part(_ text: String, _ call: Call) throws -> BodyPart {
    guard text.hasPrefix("@") else { return .bytes(Array(text.utf8)) }
    guard text == "@-" else { return .file(String(text.dropFirst())) }
    guard !call.arguments.has(Answers.standardInputOption) else {
      throw UsageError(
        "Standard input cannot bring both the answers and the body.",
        remedy: "Give the body as `-d @FILE`.")
    }
    return .descriptor(0)
  }
}
