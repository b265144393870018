internal import Gatebook

/// The login form of a web page: the first form with one password field.
struct PageForm: Hashable, Sendable {
  /// Where the form is posted.
  let url: HTTPURL
  /// The field for the user's name.
  let userField: String
  /// The field for the password.
  let passwordField: String
  /// Whether the page gives the form values of its own, such as a token against forged requests.
  let hasOwnValues: Bool

  /// Finds the form; `nil` where the page has none that is posted with a name and a password.
  ///
  /// - Parameters:
  ///   - page: The page's text.
  ///   - url: The page's address.
  init?(in page: String, at url: HTTPURL) {
    var form: (action: HTTPURL, user: String?, password: String?, hasOwnValues: Bool)?
    for tag in HTMLTag.all(in: page) {
      switch tag.name {
      case "form":
        let action = url.resolve(tag.attributes["action"] ?? "") ?? url
        let isPosted = tag.attributes["method"]?.lowercased() == "post"
        form = isPosted ? (action, nil, nil, false) : nil
      case "input":
        guard let name = tag.attributes["name"], !name.isEmpty, form != nil else { continue }
        switch tag.attributes["type"]?.lowercased() ?? "text" {
        case "text", "email", "tel":
          if form?.password == nil { form?.user = name }
        case "password":
          if form?.password == nil { form?.password = name }
        case "hidden": form?.hasOwnValues = true
        default: continue
        }
      case "/form":
        if form?.password != nil, form?.user != nil {
          self.init(form)
          return
        }
        form = nil
      default: continue
      }
    }
    self.init(form)
  }

  private init?(
    _ form: (action: HTTPURL, user: String?, password: String?, hasOwnValues: Bool)?
  ) {
    guard let form, let user = form.user, let password = form.password else { return nil }
    url = form.action
    userField = user
    passwordField = password
    hasOwnValues = form.hasOwnValues
  }
}

/// One start tag of a web page, as far as a login form needs it (HTML Living Standard section
/// 13.2.5).
struct HTMLTag: Hashable, Sendable {
  /// The name in lower case.
  let name: String
  /// The attributes by their names in lower case; of two of one name the first.
  let attributes: [String: String]

  /// The start tags of a page, and `/form` where a form ends; comments and scripts are passed over.
  ///
  /// - Parameter page: The page's text.
  /// - Returns: The tags in their order.
  static func all(in page: String) -> [HTMLTag] {
    var tags: [HTMLTag] = []
    var rest = page[...]
    while let start = rest.firstIndex(of: "<") {
      rest = rest[start...].dropFirst()
      if rest.hasPrefix("!--") {
        rest = rest.firstRange(of: "-->").map { rest[$0.upperBound...] } ?? ""
        continue
      }
      guard let tag = read(&rest) else { continue }
      tags.append(tag)
      // What a script or a style holds is no tag.
      guard ["script", "style"].contains(tag.name) else { continue }
      rest = behind("</\(tag.name)", rest)
    }
    return tags
  }

  /// What follows an end tag, whatever its case.
  private static func behind(_ end: String, _ text: Substring) -> Substring {
    var rest = text
    while let start = rest.firstIndex(of: "<") {
      rest = rest[start...]
      if rest.prefix(end.count).lowercased() == end { return rest.dropFirst(end.count) }
      rest = rest.dropFirst()
    }
    return ""
  }

  /// Reads a tag after its `<`; `nil` for anything else.
  private static func read(_ rest: inout Substring) -> HTMLTag? {
    let name = rest.prefix { !" \t\r\n\u{C}>".contains($0) }.lowercased()
    guard let first = name.first, first.isASCII && first.isLetter || name == "/form" else {
      return nil
    }
    rest = rest.dropFirst(name.count)
    var attributes: [String: String] = [:]
    while true {
      rest = rest.drop { " \t\r\n\u{C}/".contains($0) }
      guard let next = rest.first, next != ">" else { break }
      let key = rest.prefix { !" \t\r\n\u{C}/>=".contains($0) }
      rest = rest.dropFirst(max(1, key.count))
      let value = self.value(&rest)
      let lower = key.lowercased()
      if !lower.isEmpty, attributes[lower] == nil { attributes[lower] = value }
    }
    rest = rest.dropFirst()
    return HTMLTag(name: name, attributes: attributes)
  }

  private static func value(_ rest: inout Substring) -> String {
    let isBlank = { (character: Character) in " \t\r\n\u{C}".contains(character) }
    let behind = rest.drop(while: isBlank)
    guard behind.first == "=" else { return "" }
    rest = behind.dropFirst().drop(while: isBlank)
    guard let quote = rest.first, quote == "\"" || quote == "'" else {
      let value = rest.prefix { !isBlank($0) && $0 != ">" }
      rest = rest.dropFirst(value.count)
      return unescaped(value)
    }
    let value = rest.dropFirst().prefix { $0 != quote }
    rest = rest.dropFirst(value.count + 2)
    return unescaped(value)
  }

  /// The entities that addresses and names of fields are written with.
  private static func unescaped(_ text: Substring) -> String {
    let entities = [("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
    return entities.reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
  }
}
