internal import Gatebook
internal import GatebookSystem

/// A form whose fields may be files: the type `multipart/form-data` (RFC 7578).
struct MultipartForm: Hashable, Sendable {
  /// The body, in its parts.
  let parts: [BodyPart]
  /// The field that announces it.
  let field: HTTPField

  /// Makes the body.
  ///
  /// - Parameters:
  ///   - fields: `NAME=VALUE`, or `NAME=@FILE` for a file's bytes.
  ///   - boundary: The line between two fields; no field contains it.
  /// - Throws: `UsageError` for a part without a name.
  init(_ fields: [String], boundary: String) throws(UsageError) {
    var parts: [BodyPart] = []
    for part in fields {
      guard let equals = part.firstIndex(of: "="), equals != part.startIndex else {
        throw UsageError(
          "`-F` is no field of a form.", remedy: "Write `-F NAME=VALUE` or `-F NAME=@FILE`.")
      }
      let value = part[part.index(after: equals)...]
      var head = "Content-Disposition: form-data; name=\"\(Self.escaped(part[..<equals]))\""
      let content: BodyPart
      if value.hasPrefix("@") {
        let path = String(value.dropFirst())
        content = .file(path)
        let name = path.split(separator: "/").last ?? ""
        head += "; filename=\"\(Self.escaped(name))\"\r\nContent-Type: application/octet-stream"
      } else {
        content = .bytes(Array(value.utf8))
      }
      parts += [
        .bytes(Array("--\(boundary)\r\n\(head)\r\n\r\n".utf8)), content,
        .bytes(Array("\r\n".utf8)),
      ]
    }
    parts.append(.bytes(Array("--\(boundary)--\r\n".utf8)))
    self.parts = parts
    field = HTTPField("Content-Type", "multipart/form-data; boundary=\(boundary)")
  }

  /// As browsers write names: HTML Living Standard section 4.10.21.8.
  private static func escaped(_ name: Substring) -> String {
    String(name).replacing("\r", with: "%0D").replacing("\n", with: "%0A").replacing(
      "\"", with: "%22")
  }
}
