internal import GatebookSystem

/// One tag of a web page, as far as a login needs it (HTML Living Standard section 13.2.5).
package struct HTMLTag: Hashable, Sendable {
  /// The name in lower case.
  package let name: String
  /// The attributes by their names in lower case; of two of one name the first.
  package let attributes: [String: String]

  /// The tags of a page, those that end something with their `/`; comments and scripts are passed
  /// over.
  ///
  /// - Parameter page: The page's text.
  /// - Returns: The tags in their order.
  package static func all(in page: String) -> [HTMLTag] {
    let space = " \t\n\u{0C}\r"
    let start = Pattern("^/?[A-Za-z][^\(space)/>]*")
    let attribute = Pattern(
      "^[\(space)/=]*([^\(space)/>=]+)"
        + "([\(space)]*=[\(space)]*(\"([^\"]*)\"?|'([^']*)'?|[^\(space)>\"'][^\(space)>]*)?)?")
    var tags: [HTMLTag] = []
    var rest = page[...]
    while let mark = rest.firstIndex(of: "<") {
      rest = rest[mark...].dropFirst()
      if rest.hasPrefix("!--") {
        rest = rest.firstRange(of: "-->").map { rest[$0.upperBound...] } ?? ""
        continue
      }
      guard let name = start.match(in: rest)?.whole else { continue }
      rest = rest[name.endIndex...]
      var attributes: [String: String] = [:]
      while let match = attribute.match(in: rest), let name = match[1] {
        rest = rest[match.whole.endIndex...]
        let value = match[4] ?? match[5] ?? match[3] ?? ""
        attributes.merge([name.lowercased(): unescaped(value)]) { first, _ in first }
      }
      rest = rest.drop { $0 != ">" }.dropFirst()
      tags.append(HTMLTag(name: name.lowercased(), attributes: attributes))
      // What a script or a style holds is no tag.
      guard let tag = tags.last?.name, ["script", "style"].contains(tag) else { continue }
      let end = Pattern("</\(tag)", ignoresCase: true).match(in: rest)
      rest = end.map { rest[$0.whole.endIndex...] } ?? ""
    }
    return tags
  }

  /// A text in which no markup is read, as an element's or as a quoted attribute's (HTML Living
  /// Standard section 13.3).
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The entities that addresses and names of fields are written with.
  private static func unescaped(_ text: Substring) -> String {
    let entities = [("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
    return entities.reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
  }
}
