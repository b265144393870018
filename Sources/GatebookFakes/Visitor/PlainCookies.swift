/// The scripted person's cookies, by name alone: there is one server, and it sets none for a path.
struct PlainCookies: Sendable {
  private var values: [String: String] = [:]

  /// The `Cookie` field; `nil` without cookies.
  var field: String? {
    let pairs = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
  }

  /// Takes what an answer sets and drops what it takes back.
  mutating func take(from answer: PlainAnswer) {
    for line in answer.fields.values(of: "Set-Cookie") {
      let pair = line.prefix { $0 != ";" }
      let name = pair.prefix { $0 != "=" }
      let isGone = line.contains("; Max-Age=0")
      values[String(name)] = isGone ? nil : String(pair.dropFirst(name.count + 1))
    }
  }
}
