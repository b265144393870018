internal import Gatebook
internal import GatebookProxy
internal import GatebookSystem

/// One request to the login page's port.
struct PageRequest: Sendable {
  /// Who is at the other side of the connection.
  struct Visitor: Sendable, Equatable {
    /// Whether a process of another user of this machine; root counts as this user.
    var isOtherUser: Bool
    /// Whether it has closed the connection already: then nobody knows whose it was.
    var hasLeft = false
    /// The name of the program, such as `chromium`; `nil` where it is not known.
    var program: String?

    /// Nothing is known about it.
    static let unknown = Visitor(isOtherUser: false, program: nil)
  }

  /// The method, such as `GET`.
  let method: String
  /// The path, as it was sent.
  let path: String
  /// The query without its `?`; `nil` for none.
  let query: String?
  /// The header's fields.
  let fields: [HTTPField]
  /// The body; empty for none.
  let body: [UInt8]
  /// Who sent it.
  let visitor: Visitor

  /// The most bytes of a body: a form with its fields is far smaller.
  static let longestBody = 64 << 10

  init(
    _ method: String, _ path: String, query: String? = nil, fields: [HTTPField] = [],
    body: [UInt8] = [], visitor: Visitor = .unknown
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.fields = fields
    self.body = body
    self.visitor = visitor
  }

  /// Reads a request.
  ///
  /// - Parameters:
  ///   - head: The request line and the fields.
  ///   - body: The body.
  ///   - visitor: Who sent it.
  init(_ head: RequestHead, _ body: [UInt8], _ visitor: Visitor) {
    let parts = head.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(
      head.method, String(parts.first ?? ""), query: parts.count > 1 ? String(parts[1]) : nil,
      fields: head.fields, body: body, visitor: visitor)
  }

  /// What came was no request: it has no method.
  static func malformed(_ visitor: Visitor) -> PageRequest {
    PageRequest("", "", visitor: visitor)
  }

  /// The value of a field that came once; `nil` for none, and for one that came twice.
  func only(_ name: String) -> String? {
    let values = fields.values(of: name)
    return values.count == 1 ? values[0] : nil
  }

  /// The values of a cookie (RFC 6265 section 5.4).
  func cookies(_ name: String) -> [String] {
    fields.values(of: "Cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
      let pair = pair.drop { $0 == " " }
      return pair.hasPrefix("\(name)=") ? String(pair.dropFirst(name.count + 1)) : nil
    }
  }
}
