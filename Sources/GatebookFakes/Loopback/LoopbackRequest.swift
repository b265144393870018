public import Gatebook

/// One request as a loopback server received it, read with the server's own reader.
public struct LoopbackRequest: Hashable, Sendable {
  /// Counts the requests of one server from 1, over restarts.
  public var number: Int
  /// Counts the connections of one server from 1: requests with the same number shared one.
  public var connection: Int
  /// The method, such as `GET`.
  public var method: String
  /// The request target as sent, query included.
  public var target: String
  /// The header fields in their order.
  public var fields: LoopbackFields
  /// The body; empty for none.
  public var body: [UInt8]
  /// When the last byte had arrived, by the server's clock.
  public var received: Moment
  /// The pin of the certificate that the client showed (``TestCertificate/pin``); `nil` without.
  public var clientPin: String?

  /// Makes a request, for handlers that are tested without a server.
  public init(
    _ method: String, _ target: String, fields: LoopbackFields = [:], body: [UInt8] = [],
    number: Int = 1, connection: Int = 1,
    received: Moment = Moment(wall: Timestamp(rawValue: 0), boot: .zero)
  ) {
    self.number = number
    self.connection = connection
    self.method = method
    self.target = target
    self.fields = fields
    self.body = body
    self.received = received
  }

  /// The target up to its `?`, still encoded.
  public var path: String {
    String(target.prefix { $0 != "?" })
  }

  /// The target after its first `?`, still encoded; `nil` when there is none.
  public var query: String? {
    guard let mark = target.firstIndex(of: "?") else { return nil }
    return String(target[target.index(after: mark)...])
  }

  /// The body as text; bytes that are not UTF-8 are replaced.
  public var text: String {
    String(decoding: body, as: UTF8.self)
  }

  /// All values of a field of the form body, in their order; none unless the body is a form.
  public func formValues(of name: String) -> [String] {
    formPairs.filter { $0.name == name }.map(\.value)
  }

  /// The first value of a field of the form body.
  public func formValue(_ name: String) -> String? {
    formValues(of: name).first
  }

  /// The first value of a parameter of the query.
  public func queryValue(_ name: String) -> String? {
    queryPairs.first { $0.name == name }?.value
  }

  /// The cookies of the `Cookie` fields, in the order in which they were sent; nothing is decoded.
  public var cookies: [LoopbackFields.Field] {
    fields.values(of: "Cookie").flatMap { $0.split(separator: ";") }.map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts[0].drop { $0 == " " }
      return LoopbackFields.Field(String(name), parts.count > 1 ? String(parts[1]) : "")
    }
  }

  /// The first cookie of a name; names are compared exactly.
  public func cookie(_ name: String) -> String? {
    cookies.first { $0.name == name }?.value
  }

  /// The name and the password of HTTP Basic (RFC 7617); `nil` without them.
  public var basicCredentials: (name: String, password: String)? {
    guard let parts = fields["Authorization"]?.split(separator: " "), parts.count == 2,
      parts[0].lowercased() == "basic", let bytes = Base64Text.decode(parts[1]),
      let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    return (
      String(decoding: bytes[..<colon], as: UTF8.self),
      String(decoding: bytes[(colon + 1)...], as: UTF8.self)
    )
  }

  /// All parameters of the query in their order, decoded.
  var queryPairs: [LoopbackFields.Field] {
    Self.pairs(in: query ?? "")
  }

  /// What a path has below a folder, given as `/folder/*`; `nil` when it is not there.
  func rest(below pattern: String) -> String? {
    LoopbackFault.fits(pattern, path) ? String(path.dropFirst(pattern.count - 1)) : nil
  }

  /// Whether the body calls itself JSON.
  var isJSON: Bool {
    fields["Content-Type"]?.lowercased().hasPrefix("application/json") == true
  }

  /// All fields of the form body in their order, decoded; none unless the body is a form.
  var formPairs: [LoopbackFields.Field] {
    let type = fields["Content-Type"]?.lowercased() ?? ""
    return type.hasPrefix("application/x-www-form-urlencoded") ? Self.pairs(in: text) : []
  }

  /// The text after a scheme's name in `Authorization`; `nil` for another scheme.
  func authorization(_ scheme: String) -> Substring? {
    guard let field = fields["Authorization"],
      let blank = field.firstIndex(of: " "),
      field[..<blank].lowercased() == scheme
    else { return nil }
    return field[blank...].drop { $0 == " " }
  }

  /// What `Authorization` has after a scheme's name; `nil` for another scheme.
  ///
  /// It is `name=value` and `name="value"` separated by commas; commas in quotes are text. Nothing
  /// is decoded.
  func parameters(_ scheme: String) -> LoopbackFields? {
    guard var rest = authorization(scheme) else { return nil }
    var found: LoopbackFields = [:]
    while !rest.isEmpty {
      rest = rest.drop { $0 == "," || $0 == " " }
      let name = rest.prefix { $0 != "=" }
      rest = rest.dropFirst(name.count + 1)
      let isQuoted = rest.first == "\""
      if isQuoted { rest = rest.dropFirst() }
      let value = rest.prefix { isQuoted ? $0 != "\"" : $0 != "," && $0 != " " }
      rest = rest.dropFirst(value.count + (isQuoted ? 1 : 0))
      if !name.isEmpty { found.append(String(name), String(value)) }
    }
    return found
  }

  private static func pairs(in text: String) -> [LoopbackFields.Field] {
    text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return LoopbackFields.Field(
        PercentText.decode(parts[0], plusIsBlank: true),
        parts.count > 1 ? PercentText.decode(parts[1], plusIsBlank: true) : "")
    }
  }
}
