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
    let start = /\/?[A-Za-z][^\s>]*/
    let attribute = /[\s\/=]*([^\s\/>=]+)(?:\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s>]*)))?/
    var tags: [HTMLTag] = []
    var rest = page[...]
    while let mark = rest.firstIndex(of: "<") {
      rest = rest[mark...].dropFirst()
      if rest.hasPrefix("!--") {
        rest = rest.firstRange(of: "-->").map { rest[$0.upperBound...] } ?? ""
        continue
      }
      guard let name = rest.prefixMatch(of: start) else { continue }
      rest = rest[name.range.upperBound...]
      var attributes: [String: String] = [:]
      while let match = rest.prefixMatch(of: attribute) {
        rest = rest[match.range.upperBound...]
        let value = match.2 ?? match.3 ?? match.4 ?? ""
        attributes.merge([match.1.lowercased(): unescaped(value)]) { first, _ in first }
      }
      rest = rest.drop { $0 != ">" }.dropFirst()
      tags.append(HTMLTag(name: name.output.lowercased(), attributes: attributes))
      // What a script or a style holds is no tag.
      guard ["script", "style"].contains(tags.last?.name) else { continue }
      let end = tags.last?.name == "script" ? /(?i)<\/script/ : /(?i)<\/style/
      rest = rest.firstMatch(of: end).map { rest[$0.range.upperBound...] } ?? ""
    }
    return tags
  }

  /// The entities that addresses and names of fields are written with.
  private static func unescaped(_ text: Substring) -> String {
    let entities = [("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
    return entities.reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
  }
}
