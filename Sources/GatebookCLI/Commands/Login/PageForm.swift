internal import Gatebook
internal import GatebookSystem

/// A form of a web page that is posted, as far as a login needs it.
struct PageForm: Hashable, Sendable {
  /// Where the form is posted.
  let url: HTTPURL
  /// The field for the user's name; empty where there is none.
  private(set) var userField = ""
  /// The field for the password; empty where there is none.
  private(set) var passwordField = ""
  /// Whether the page gives the form values of its own, such as a token against forged requests.
  private(set) var hasOwnValues = false

  private mutating func take(_ input: [String: String]) {
    guard let name = input["name"], !name.isEmpty else { return }
    switch input["type"]?.lowercased() ?? "text" {
    case "text", "email", "tel": if passwordField.isEmpty { userField = name }
    case "password": if passwordField.isEmpty { passwordField = name }
    case "hidden": hasOwnValues = true
    default: break
    }
  }
}

extension PageForm {
  /// Finds the login form: the first that is posted with a name and a password; `nil` where the
  /// page has none.
  ///
  /// - Parameters:
  ///   - page: The page's text.
  ///   - url: The page's address.
  init?(in page: String, at url: HTTPURL) {
    var forms: [PageForm] = []
    var isOpen = false
    for tag in HTMLTag.all(in: page) {
      switch tag.name {
      case "form":
        isOpen = tag.attributes["method"]?.lowercased() == "post"
        let action = url.resolve(tag.attributes["action"] ?? "") ?? url
        if isOpen { forms.append(PageForm(url: action)) }
      case "input" where isOpen: forms[forms.count - 1].take(tag.attributes)
      case "/form": isOpen = false
      default: continue
      }
    }
    guard let form = forms.first(where: { !$0.userField.isEmpty && !$0.passwordField.isEmpty })
    else { return nil }
    self = form
  }
}

/// One tag of a web page, as far as a login form needs it (HTML Living Standard section 13.2.5).
struct HTMLTag: Hashable, Sendable {
  /// The name in lower case.
  let name: String
  /// The attributes by their names in lower case; of two of one name the first.
  let attributes: [String: String]

  /// The tags of a page, those that end something with their `/`; comments and scripts are passed
  /// over.
  ///
  /// - Parameter page: The page's text.
  /// - Returns: The tags in their order.
  static func all(in page: String) -> [HTMLTag] {
    let space = " \t\n\u{0C}\r"
    let start = Pattern("^/?[A-Za-z][^\(space)>]*")
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

  /// The entities that addresses and names of fields are written with.
  private static func unescaped(_ text: Substring) -> String {
    let entities = [("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
    return entities.reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
  }
}
