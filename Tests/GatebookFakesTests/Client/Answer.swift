/// One answer as the test client read it.
struct Answer {
  var status: Int
  var fields: [(name: String, value: String)]
  var body: [UInt8]

  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The values of a name, without regard to case.
  func values(_ name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// The first value of a name.
  subscript(name: String) -> String? { values(name).first }

  /// The value of a cookie that the answer sets.
  func cookie(_ name: String) -> String? {
    values("Set-Cookie").lazy
      .filter { $0.hasPrefix("\(name)=") }
      .map { String($0.dropFirst(name.count + 1).prefix { $0 != ";" }) }
      .first
  }
}
