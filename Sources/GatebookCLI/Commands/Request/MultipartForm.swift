internal import Gatebook

/// A form whose fields may be files: the type `multipart/form-data` (RFC 7578).
struct MultipartForm: Hashable, Sendable {
  /// The body.
  let body: [UInt8]
  /// The field that announces it.
  let field: HTTPField

  /// The most bytes of a file.
  private static let limit = 64 << 20

  /// Makes the body.
  ///
  /// - Parameters:
  ///   - parts: `NAME=VALUE`, or `NAME=@FILE` for a file's bytes.
  ///   - boundary: What parts the fields; it stands in none of them.
  /// - Throws: `UsageError` for a part without a name, `configuration.invalid` for a file that cannot be
  ///   read, `limit.exceeded`.
  init(_ parts: [String], boundary: String) throws {
    var body: [UInt8] = []
    for part in parts {
      guard let equals = part.firstIndex(of: "="), equals != part.startIndex else {
        throw UsageError(
          "`-F` is no field of a form.", remedy: "Write `-F NAME=VALUE` or `-F NAME=@FILE`.")
      }
      let value = part[part.index(after: equals)...]
      var head = "Content-Disposition: form-data; name=\"\(Self.escaped(part[..<equals]))\""
      let content: [UInt8]
      if value.hasPrefix("@") {
        let path = String(value.dropFirst())
        content = try TextFile.bytes(path, what: "file of the form", limit: Self.limit)
        let name = path.split(separator: "/").last ?? ""
        head += "; filename=\"\(Self.escaped(name))\"\r\nContent-Type: application/octet-stream"
      } else {
        content = Array(value.utf8)
      }
      body += Array("--\(boundary)\r\n\(head)\r\n\r\n".utf8) + content + Array("\r\n".utf8)
    }
    body += Array("--\(boundary)--\r\n".utf8)
    self.body = body
    field = HTTPField("Content-Type", "multipart/form-data; boundary=\(boundary)")
  }

  /// As browsers write names: HTML Living Standard section 4.10.21.8.
  private static func escaped(_ name: Substring) -> String {
    String(name).replacing("\r", with: "%0D").replacing("\n", with: "%0A").replacing(
      "\"", with: "%22")
  }
}
