/// The first form of a page, as the scripted person sees it.
struct PlainForm {
  let action: String
  private let inputs: [[String: String]]

  /// Finds the form; `nil` when there is none.
  init?(_ html: String) {
    guard let start = html.firstRange(of: "<form "), let end = html.firstRange(of: "</form>"),
      start.upperBound < end.lowerBound
    else { return nil }
    let tags = html[start.lowerBound..<end.lowerBound].split(separator: "<")
    guard let form = tags.first, let action = Self.attributes(of: form)["action"] else {
      return nil
    }
    self.action = action
    inputs = tags.dropFirst().filter { $0.hasPrefix("input ") }.map(Self.attributes)
  }

  /// Whether the form has a field of a name.
  func hasField(_ name: String) -> Bool {
    inputs.contains { $0["name"] == name }
  }

  /// The form as a browser sends it: its hidden fields and what was filled in.
  func filled(_ values: KeyValuePairs<String, String>) -> String {
    let hidden = inputs.filter { $0["type"] == "hidden" }
      .map { ($0["name"] ?? "", $0["value"] ?? "") }
    return (hidden + values.map { ($0.key, $0.value) })
      .map { "\(PercentText.encode($0.0))=\(PercentText.encode($0.1))" }
      .joined(separator: "&")
  }

  /// Text without the escapes of HTML.
  static func unescaped(_ text: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")].reduce(text) {
      $0.replacing($1.0, with: $1.1)
    }
  }

  private static func attributes(of tag: Substring) -> [String: String] {
    var found: [String: String] = [:]
    var rest = tag.drop { $0 != " " }
    while let mark = rest.firstRange(of: "=\"") {
      let name = rest[..<mark.lowerBound].drop { $0 == " " }
      let value = rest[mark.upperBound...].prefix { $0 != "\"" }
      found[String(name)] = unescaped(String(value))
      rest = rest[mark.upperBound...].dropFirst(value.count + 1)
    }
    return found
  }
}
