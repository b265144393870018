/// An HTTP answer as the scripted person's client reads it.
struct PlainAnswer: Sendable {
  let status: Int
  let fields: LoopbackFields
  let text: String

  /// Reads a whole answer; `nil` for less than that.
  init?(_ bytes: [UInt8]) {
    let whole = String(decoding: bytes, as: UTF8.self)
    guard let end = whole.firstRange(of: "\r\n\r\n") else { return nil }
    let lines = whole[..<end.lowerBound].split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, let status = Int(words[1]) else { return nil }
    self.status = status
    fields = LoopbackFields(
      lines.dropFirst().map { line in
        let name = line.prefix { $0 != ":" }
        return LoopbackFields.Field(
          String(name), String(line.dropFirst(name.count + 1).drop { $0 == " " }))
      })
    text = String(whole[end.upperBound...])
    let length = fields["Content-Length"].flatMap { Int($0) } ?? 0
    guard text.utf8.count >= length else { return nil }
  }

  /// The first value of a field.
  subscript(name: String) -> String? { fields[name] }
}
