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
